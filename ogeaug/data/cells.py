"""Cells of target columns: which are numbers, which are classes, which are missing."""

import math
import re

from ogeaug.data.columns import FOREIGN
from ogeaug.data.table import Table
from ogeaug.errors import UserError

MISSING = frozenset({"", "na", "nan", "n/a", "none", "null", "-"})
"""Cells, in lower case, that mean: not measured."""

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
"""What is a number; Python's float would also take 1_000, infinity and digits of other scripts."""

INFINITE = frozenset({"inf", "infinity", "∞"})

LARGEST = 1e30
"""Squares of errors must still be numbers after standardisation."""


def number(cell: str) -> float | None:
    """NaN if missing, None if the cell is no number below :data:`LARGEST`.

    Example:
        >>> number("-1.5e3"), number("n/a"), number("1_000"), number("infinity")
        (-1500.0, nan, None, None)
    """
    cell = cell.strip()
    if cell.lower() in MISSING:
        return math.nan
    if NUMBER.fullmatch(cell) is None:
        return None
    value = float(cell)
    return value if abs(value) < LARGEST else None


def check_cells(name: str, column: list[float | None], table: Table, classes: int | None) -> None:
    """Refuses a target column that holds something else than numbers, or so many classes."""
    bad = [i for i, value in enumerate(column) if value is None]
    if bad:
        cells = table.column(name)
        hint = "write classes as 0, 1, ..." if classes else "units do not belong there"
        cell = cells[bad[0]].strip()
        if NUMBER.fullmatch(cell) or cell.lower().lstrip("+-") in INFINITE:
            hint = "leave out what is not finite; give large numbers in a larger unit"
        elif NUMBER.fullmatch(cell.replace(",", ".", 1)):
            hint = "decimals are written with a point, 1.5, and thousands without a comma"
        raise UserError(
            f"target {name!r} of {table.name} holds {cells[bad[0]]!r} in row {bad[0] + 1} "
            f"({len(bad)} such row(s)); numbers below {LARGEST:g} are expected, or empty cells for "
            f"missing ones ({FOREIGN if table.own else hint})"
        )
    known = [value for value in column if value is not None and not math.isnan(value)]
    if not known:
        raise UserError(
            f"target {name!r} of {table.name} is empty in all {len(column)} rows; "
            f"{FOREIGN if table.own else 'name another column by --target-columns'}"
        )
    if classes is None:
        return
    wrong = [value for value in known if value not in range(classes)]
    if wrong:
        shown = ", ".join(map(str, range(min(classes, 10)))) + "..." * (classes > 10)
        options = (
            "for numbers use --task-type regression, for more classes --task-type multiclass with "
            "--num-classes"
        )
        raise UserError(
            f"target {name!r} of {table.name} holds {wrong[0]:g}; a target of {classes} classes "
            f"is one of {shown}; {FOREIGN if table.own else options}"
        )
