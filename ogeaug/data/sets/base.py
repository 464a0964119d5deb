"""What a data set says of itself, and what it gives."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from ogeaug.data.config import DataConfig
from ogeaug.data.table import Table
from ogeaug.errors import UserError

if TYPE_CHECKING:
    from rdkit import Chem
    from torch_geometric.data import Data

Row = TypeVar("Row")
Kind = Literal["molecule", "ogb", "zinc"]
Draw = Callable[[int, int], "list[Data]"]


@dataclass(frozen=True, eq=False)
class Rows:
    """What a table set reads.

    Attributes:
        columns: All names, in order.
        table: The columns that are text.
        computed: The others: the function of a row's molecule that gives their value.
        molecules: Of each row, where they had to be parsed already; empty if not.
    """

    columns: list[str]
    table: Table
    computed: "dict[str, Callable[[Chem.Mol], float]]" = field(default_factory=dict)
    molecules: "list[Chem.Mol]" = field(default_factory=list)


class DataSet(ABC):
    """A data set: what is known of it without reading it.

    Attributes:
        name: In configurations.
        targets: Its target columns, if it has them wherever it comes from.
        features: The kind of node and edge features that its benchmark has.
        split_column: The column of its own split, if it has one.
    """

    name: ClassVar[str]
    targets: ClassVar[tuple[str, ...]] = ()
    features: ClassVar[Kind] = "molecule"
    split_column: ClassVar[str | None] = None


class TableSet(DataSet):
    """A table of molecules (or graph6 strings) and target columns."""

    @abstractmethod
    def columns(self, data: DataConfig) -> list[str]:
        """Its columns, from the first line of its file: in no time, and with the same refusals of
        paths and absent files as :meth:`read`."""

    @abstractmethod
    def read(self, data: DataConfig) -> Rows:
        """Its rows; with a limit only so many, evenly spread."""

    def title(self, data: DataConfig) -> str:
        """What to call it in messages."""
        return self.name


class GeneratedSet(DataSet):
    """Graphs that are drawn, with a class per node.

    Attributes:
        node_sizes: Categories of each column of ``x``.
        num_classes: Of the nodes.
        ratio: Training graphs for each validation graph (and each test graph).
        size: Training graphs of the published set.
    """

    node_sizes: ClassVar[tuple[int, ...]]
    num_classes: ClassVar[int]
    ratio: ClassVar[int]
    size: ClassVar[int] = 10_000

    @abstractmethod
    def drawing(self, seed: int) -> Draw:
        """The function of a count and a seed that draws the graphs of a part; ``seed`` is that of
        what all parts share."""

    def counts(self, data: DataConfig) -> tuple[int, int, int]:
        """Graphs of each part.

        Example:
            >>> from ogeaug.data.sets import Cluster
            >>> Cluster().counts(DataConfig(limit=20))
            (20, 2, 2)
        """
        size = data.limit or self.size
        few = max(1, size // self.ratio)
        return size, few, few

    def generate(self, data: DataConfig, seed: int) -> "list[list[Data]]":
        """The graphs of training, validation and test part."""
        draw = self.drawing(seed)
        return [draw(count, 3 * seed + i) for i, count in enumerate(self.counts(data))]

    def checksum(self, data: DataConfig, seed: int) -> str:
        """All that the graphs depend on."""
        train, val, test = self.counts(data)
        return f"generated: {self.name}, {train} + {val} + {test} graphs, seed {seed}"

    def check_path(self, data: DataConfig) -> None:
        """Refuses a path: there is nothing to read."""
        if data.path is not None:
            raise UserError(f"data set {self.name!r} is generated and takes no path")


def spread(rows: list[Row], limit: int | None) -> list[Row]:
    """At most so many of the rows, at equal distances: tables are often sorted by size or part.

    Example:
        >>> spread([0, 1, 2, 3, 4, 5], 3)
        [0, 2, 4]
    """
    if limit is None or limit >= len(rows):
        return rows
    return [rows[i * len(rows) // limit] for i in range(limit)]
