"""Target columns: text -> numbers, missing ones as NaN."""

import math

import torch
from torch import Tensor

from ogeaug.data.table import Table
from ogeaug.errors import UserError

MISSING = frozenset({"", "na", "nan", "n/a", "none", "null", "-"})
"""Cells, in lower case, that mean: not measured."""


LARGEST = 1e30
"""Squares of errors must still be numbers after standardisation."""


def read_targets(table: Table, names: list[str], *, task: str, num_classes: int = 2) -> Tensor:
    """The target columns as numbers.

    Args:
        table: The table.
        names: Its target columns.
        task: ``"regression"``, ``"classification"`` (0 or 1) or ``"multiclass"`` (0, 1, 2, ...).
        num_classes: Of a multiclass task.

    Shapes:
        - ``[rows, len(names)]`` float64, NaN where missing

    Example:
        >>> read_targets(Table(["y"], [["1.5"], ["nan"]], "t.csv"), ["y"], task="regression")
        tensor([[1.5000],
                [   nan]], dtype=torch.float64)
    """
    columns = [[_number(c) for c in table.column(name)] for name in names]
    for name, column in zip(names, columns, strict=True):
        _check(name, column, table, task, num_classes)
    return torch.tensor(columns, dtype=torch.float64).reshape(len(names), -1).T


def check_training_targets(y: Tensor, names: list[str], *, task: str) -> None:
    """Refuses targets from which nothing can be learned: all missing, or all the same."""
    for name, column in zip(names, y.T, strict=True):
        known = column[~column.isnan()]
        if known.numel() == 0:
            raise UserError(
                f"target {name!r} has no value in the training part; leave the column out of "
                "--target-columns, or change the split"
            )
        if (known == known[0]).all():
            raise UserError(
                f"target {name!r} is {known[0]:g} in all {known.numel()} training rows: there is "
                f"nothing to learn{_one_class(task)}; is it the right column?"
            )


def _number(cell: str) -> float | None:
    """NaN if missing, None if the cell is no number that float32 can hold."""
    if cell.strip().lower() in MISSING:
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if abs(value) < LARGEST else None


def _check(
    name: str, column: list[float | None], table: Table, task: str, num_classes: int
) -> None:
    cells = table.column(name)
    bad = [i for i, value in enumerate(column) if value is None]
    if bad:
        hint = "write classes as 0, 1, ..." if task != "regression" else "units do not belong there"
        raise UserError(
            f"target {name!r} of {table.name} holds {cells[bad[0]]!r} in row {bad[0] + 1} "
            f"({len(bad)} such row(s)); numbers below {LARGEST:g} are expected, or empty cells for "
            f"missing ones ({hint})"
        )
    known = [value for value in column if value is not None and not math.isnan(value)]
    if not known:
        raise UserError(
            f"target {name!r} of {table.name} is empty in all {len(column)} rows; name another "
            "column by --target-columns"
        )
    if task == "regression":
        return
    classes = 2 if task == "classification" else num_classes
    wrong = [value for value in known if value not in range(classes)]
    if wrong:
        raise UserError(
            f"target {name!r} of {table.name} holds {wrong[0]:g}; a {task} target is one of "
            f"{', '.join(map(str, range(min(classes, 10))))}{'...' if classes > 10 else ''}. For "
            "numbers use --task-type regression, for more classes --task-type multiclass with "
            "--num-classes"
        )


def _one_class(task: str) -> str:
    return " (one class only)" if task != "regression" else ""
