"""Graphs in parts, and rows that are in none."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ogeaug.errors import UserError

if TYPE_CHECKING:
    from torch_geometric.data import Data

PARTS = ("train", "val", "test")
"""What all data have; a benchmark may have further test parts."""
FURTHER = "test_"
"""How names of further test parts begin, in a column that says the part of each row."""


class TooFewRows(UserError):
    """Rows from which nothing can be learned: with more of them, something might be.

    Args:
        found: What there is, and what is needed.
        fix: What to do about it, by the options of ``ogeaug train``.
    """

    def __init__(self, found: str, fix: str = "") -> None:
        super().__init__(f"{found}{fix}")
        self.found = found


@dataclass(frozen=True)
class Skipped:
    """A row that could not be used: its number (from 0), its text, and why."""

    row: int
    text: str
    reason: str


@dataclass(frozen=True, eq=False)
class Parts:
    """Graphs of each part. ``y`` is ``[1, targets]`` for graph tasks, ``[n]`` for node tasks.

    ``data.row`` (``[1]``), if there, is the row of the table, for messages.

    Attributes:
        train, val, test: What the model learns from, is chosen by, and is measured on.
        further: More test parts by name: each is measured, like ``test``.
    """

    train: "list[Data]"
    val: "list[Data]"
    test: "list[Data]" = field(default_factory=list)
    further: "dict[str, list[Data]]" = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all parts.

        Example:
            >>> Parts([], [], [], {"test_far": []}).names
            ('train', 'val', 'test', 'test_far')
        """
        return *PARTS, *self.further

    def part(self, name: str) -> "list[Data]":
        found: list[Data] = getattr(self, name) if name in PARTS else self.further[name]
        return found

    def map(self, change: "Callable[[str], list[Data]]") -> "Parts":
        """Parts of the same names, each made by a function of its name."""
        train, val, test = map(change, PARTS)
        return Parts(train, val, test, {name: change(name) for name in self.further})
