"""Target columns: text -> numbers, missing ones as NaN."""

import torch
from torch import Tensor

from ogeaug.data.cells import check_cells, number
from ogeaug.data.parts import TooFewRows
from ogeaug.data.table import Table
from ogeaug.errors import UserError

SMALLEST = 1e-30
"""Training errors are kept as float32 on the way to tables and pictures, which ends at 1e-38."""


def read_targets(table: Table, names: list[str], *, classes: int | None = None) -> Tensor:
    """The target columns as numbers.

    Args:
        table: The table.
        names: Its target columns.
        classes: If they are classes 0, 1, 2, ..., how many there are; None: any numbers.

    Shapes:
        - ``[rows, len(names)]`` float64, NaN where missing

    Example:
        >>> read_targets(Table(["y"], [["1.5"], ["nan"]], "t.csv"), ["y"])
        tensor([[1.5000],
                [   nan]], dtype=torch.float64)
    """
    columns = [[number(c) for c in table.column(name)] for name in names]
    for name, column in zip(names, columns, strict=True):
        check_cells(name, column, table, classes)
    return torch.tensor(columns, dtype=torch.float64).reshape(len(names), -1).T


def check_training_targets(y: Tensor, names: list[str], *, classes: int | None = None) -> None:
    """Refuses targets from which nothing can be learned: all missing, or all the same."""
    for name, column in zip(names, y.T, strict=True):
        known = column[~column.isnan()]
        if known.numel() == 0:
            raise TooFewRows(
                f"target {name!r} has no value in the training part",
                "; leave the column out of --target-columns, or change the split",
            )
        if (known == known[0]).all():
            raise TooFewRows(
                f"target {name!r} is {known[0]:g} in all {known.numel()} training rows: there is "
                f"nothing to learn{' (one class only)' if classes else ''}",
                "; is it the right column?",
            )
        if classes is None:
            check_spread(known, name)


def check_spread(known: Tensor, name: str) -> None:
    """Refuses values that differ by less than :data:`SMALLEST`: squares of errors would be 0."""
    spread = float(known.max() - known.min())
    if 0 < spread < SMALLEST:
        raise UserError(
            f"target {name!r} varies by {spread:g} only in the training part; differences of at "
            f"least {SMALLEST:g} are needed: give it in a smaller unit"
        )
