"""What a data set says of itself, and what it gives."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeVar

from ogeaug.data.config import DataConfig
from ogeaug.data.sets.files import Found, Layout, Package, find_in_folder
from ogeaug.data.table import Table
from ogeaug.errors import UserError
from ogeaug.model.config import FeatureKind
from ogeaug.task_names import TaskType

if TYPE_CHECKING:
    from rdkit import Chem
    from torch_geometric.data import Data

Row = TypeVar("Row")


@dataclass(frozen=True, eq=False)
class Rows:
    """What a table set reads.

    Attributes:
        columns: All names, in order.
        table: The columns that are text.
        computed: The others: the function of a row's molecule that gives their value.
        derived: Columns that follow from others, and are no part of the checksum.
        molecules: Of each row, where they had to be parsed already; empty if not. None is one
            that cannot be read.
        with_hydrogens: Whether these have hydrogens as atoms.
        graphs: Of each row, with the set's own features, where its files hold graphs.
    """

    columns: list[str]
    table: Table
    computed: "dict[str, Callable[[Chem.Mol], float]]" = field(default_factory=dict)
    derived: tuple[str, ...] = ()
    molecules: "Sequence[Chem.Mol | None]" = ()
    with_hydrogens: bool = False
    graphs: "list[Data]" = field(default_factory=list)


class DataSet(ABC):
    """A data set: what is known of it without reading it.

    Attributes:
        name: In configurations.
        task: The task of its benchmark.
        num_classes: Of graphs or nodes, if they have more than two.
        targets: Its target columns, if it has them wherever it comes from.
        numbered: All columns that may be targets, in the order of the benchmark's numbers, by which
            they can be chosen, too.
        together: Whether its benchmark learns all targets at once.
        units: Of these.
        features: The kind of node and edge features that its benchmark has.
        hydrogens: Whether hydrogens are nodes in its benchmark.
        split_column: The column of its own split, if it has one.
        unused: Options of the data that it does not look at; asking for them is refused.
        layouts: The files that it is read from, if a folder is named.
        package: The package that has it otherwise.
        otherwise: What it is without a folder, if that is not the benchmark's own data.
    """

    name: ClassVar[str]
    task: ClassVar[TaskType] = "regression"
    num_classes: ClassVar[int | None] = None
    targets: ClassVar[tuple[str, ...]] = ()
    numbered: ClassVar[tuple[str, ...]] = ()
    together: ClassVar[bool] = False
    units: ClassVar[dict[str, str]] = {}
    features: ClassVar[FeatureKind] = "molecule"
    hydrogens: ClassVar[bool] = False
    split_column: ClassVar[str | None] = None
    unused: ClassVar[tuple[str, ...]] = ("header", "multiline")
    layouts: ClassVar[tuple[Layout, ...]] = ()
    package: ClassVar[Package | None] = None
    otherwise: ClassVar[str] = ""

    @property
    def files(self) -> tuple[str, ...]:
        """Names of all files that it may be read from."""
        return tuple(file for layout in self.layouts for file in layout.files)

    def find(self, data: DataConfig) -> Found | None:
        """Its files in the folder that is named; None if there is none, and it can do without.

        A set without files takes no folder.
        """
        if not self.layouts:
            if data.path is not None:
                raise UserError(
                    f"data set {self.name!r} is read from no files and takes no path, got "
                    f"{data.path}; leave --data-path out"
                )
            return None
        needed = not self.otherwise
        return find_in_folder(data.path, self.name, self.layouts, needed=needed)

    def check_there(self, data: DataConfig) -> None:
        """Refuses data that are neither in the folder that is named nor in a package."""
        if self.find(data) is None and self.package is not None:
            self.package.find()

    def stand_in(self, data: DataConfig) -> str:
        """What the data are instead of the benchmark's own; empty if they are its own."""
        if not self.layouts:
            return ""
        found = self.find(data)
        return self.otherwise if found is None else found.layout.stand_in


class TableSet(DataSet):
    """A table of molecules (or graph6 strings) and target columns.

    Attributes:
        own_sizes: Categories of each column of nodes and of edges, if its graphs have features of
            kind ``own``.
    """

    own_sizes: ClassVar[tuple[tuple[int, ...], tuple[int, ...]] | None] = None

    @abstractmethod
    def columns(self, data: DataConfig) -> list[str]:
        """Its columns, from the first line of its file: in no time, and with the same refusals of
        paths and absent files as :meth:`read`."""

    @abstractmethod
    def read(self, data: DataConfig) -> Rows:
        """Its rows; with a limit only so many, evenly spread."""

    def title(self, data: DataConfig) -> str:
        """What to call it in messages: its file, if it is one file."""
        found = self.find(data) if self.layouts else None
        return str(found.paths[0]) if found and len(found.paths) == 1 else self.name

    def own_table(self, data: DataConfig, columns: list[str], rows: list[list[str]]) -> Table:
        """A table of the benchmark's, whose columns no option names."""
        return Table(columns, rows, self.title(data), own=True)

    def only_graphs(self, data: DataConfig) -> bool:
        """Whether its files have graphs with features, and no molecules to make others from."""
        return False

    def column(self, data: DataConfig) -> str:
        """The column that names the molecule or graph of a row."""
        return GRAPH if self.only_graphs(data) else data.column


GRAPH = "graph"
"""The column of rows without a molecule: the place of the graph in its file."""


def thin_out(rows: list[Row], limit: int | None) -> list[Row]:
    """At most so many of the rows, at equal distances: tables are often sorted by size or part.

    Example:
        >>> thin_out([0, 1, 2, 3, 4, 5], 3)
        [0, 2, 4]
    """
    if limit is None or limit >= len(rows):
        return rows
    return [rows[i * len(rows) // limit] for i in range(limit)]
