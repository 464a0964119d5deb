"""Graphs in three parts, and rows that are in none."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch_geometric.data import Data


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
    """

    train: "list[Data]"
    val: "list[Data]"
    test: "list[Data]" = field(default_factory=list)

    def part(self, name: str) -> "list[Data]":
        found: list[Data] = getattr(self, name)
        return found
