"""Table -> graphs with targets, in three parts."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

import torch
from rich.progress import track
from torch_geometric.data import Data

from ogeaug.data.graphs import graph6_to_data
from ogeaug.data.limits import check_atoms
from ogeaug.data.molecule import FEATURES, smiles_to_data
from ogeaug.data.sources import read_source
from ogeaug.data.splits import (
    PARTS,
    Split,
    column_split,
    fold_split,
    random_split,
    scaffold_split,
)
from ogeaug.data.table import Table, find_column
from ogeaug.data.targets import check_training_targets, read_targets
from ogeaug.errors import UserError
from ogeaug.model.config import FeaturesConfig
from ogeaug.training.choose_targets import with_targets
from ogeaug.training.config import Config
from ogeaug.training.early import check_table_task


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

    train: list[Data]
    val: list[Data]
    test: list[Data] = field(default_factory=list)

    def part(self, name: str) -> list[Data]:
        found: list[Data] = getattr(self, name)
        return found


@dataclass(frozen=True, eq=False)
class Prepared:
    """What training starts from.

    Attributes:
        config: With feature sizes and targets filled in.
        parts: The graphs.
        split: Rows of each part; None if the graphs were given as such.
        skipped: Rows left out.
        checksum: Of the table, to notice a change before a resume.
    """

    config: Config
    parts: Parts
    split: Split | None
    skipped: list[Skipped]
    checksum: str


@dataclass(frozen=True, eq=False)
class Loaded:
    """A table that was read once, from which any fold can be taken.

    Attributes:
        config: With feature sizes and targets filled in.
        table: What was read.
        graphs: Those of the usable rows, with targets, by row.
        skipped: Rows left out.
        checksum: Of the table.
    """

    config: Config
    table: Table
    graphs: dict[int, Data]
    skipped: list[Skipped]
    checksum: str


def prepare(config: Config, *, progress: bool = True) -> Prepared:
    """Reads, converts and splits the data that a configuration names."""
    loaded = load(config, progress=progress)
    return split_loaded(loaded, loaded.config)


def load(config: Config, *, progress: bool = True) -> Loaded:
    """Reads and converts the data that a configuration names."""
    check_table_task(config)
    source = config.data
    table = read_source(source.name, path=source.path, header=source.header, limit=source.limit)
    find_column(table.columns, source.column, table.name)
    if not table.rows:
        raise UserError(f"{table.name} has column names but no rows; is it complete?")
    task = with_targets(config, table.columns, table.name)
    config = config.model_copy(update={"features": with_sizes(config.features), "task": task})
    y = read_targets(table, task.targets, classes=task.classes)
    graphs, skipped = _graphs(table, config, progress)
    for row in list(graphs):
        if y[row].isnan().all():
            skipped.append(Skipped(row, table.column(source.column)[row], "no target value"))
            del graphs[row]
    if not graphs:
        reason = f"; the first: {skipped[0].reason}" if skipped else ""
        hint = "; for graph6 strings add --set features.kind=graph6" if skipped else ""
        hint = hint if config.features.kind in FEATURES else ""
        raise UserError(
            f"none of the {len(table.rows)} rows of {table.name} is usable{reason}{hint}"
        )
    for row, data in graphs.items():
        data.y = y[row].unsqueeze(0)  # [1, targets] float64
        data.row = torch.tensor([row])
    digest = hashlib.sha256(repr((table.columns, table.rows)).encode()).hexdigest()
    return Loaded(config, table, graphs, sorted(skipped, key=lambda s: s.row), digest)


def split_loaded(loaded: Loaded, config: Config) -> Prepared:
    """The parts of a table, as ``config.split`` wants them.

    Args:
        loaded: The table.
        config: That of the table, with a split and a training of its own.
    """
    graphs, task = loaded.graphs, config.task
    split = _split(loaded.table, sorted(graphs), config)
    parts = Parts(*([graphs[row] for row in split.part(part)] for part in PARTS))
    labels = torch.cat([data.y for data in parts.train])  # [rows, targets]
    check_training_targets(labels, task.targets, classes=task.classes)
    return Prepared(config, parts, split, loaded.skipped, loaded.checksum)


def make_converter(features: FeaturesConfig, max_atoms: int) -> Callable[[str], Data]:
    """The function that turns a cell of the molecule column into a graph, or refuses it."""
    convert = _make_converter(features, max_atoms)

    def checked(text: str) -> Data:
        data = convert(text)
        check_atoms(data.num_nodes or 0, max_atoms)  # with hydrogens there are more
        return data

    return checked


def _make_converter(features: FeaturesConfig, max_atoms: int) -> Callable[[str], Data]:
    if features.kind == "graph6":
        return partial(graph6_to_data, max_nodes=max_atoms)
    if features.kind == "own":
        raise UserError("this model was trained on PyG data, not on SMILES; call it from Python")
    return partial(
        smiles_to_data,
        features=features.kind,
        hydrogens=features.hydrogens,
        ignore_stereo=features.ignore_stereo,
        max_atoms=max_atoms,
    )


def with_sizes(features: FeaturesConfig) -> FeaturesConfig:
    """Fills in how many categories each feature has."""
    if features.kind not in FEATURES:
        return features
    known = FEATURES[features.kind]
    return features.model_copy(
        update={"node_sizes": list(known.node_sizes), "edge_sizes": list(known.edge_sizes)}
    )


def _graphs(table: Table, config: Config, progress: bool) -> tuple[dict[int, Data], list[Skipped]]:
    convert = make_converter(config.features, config.data.max_atoms)
    cells: Iterable[str] = table.column(config.data.column)
    if progress:
        cells = track(cells, description="Reading graphs", total=len(table.rows), transient=True)
    graphs: dict[int, Data] = {}
    skipped: list[Skipped] = []
    for row, text in enumerate(cells):
        try:
            graphs[row] = convert(text)
        except UserError as error:
            skipped.append(Skipped(row, text, str(error)))
    return graphs, skipped


def _split(table: Table, rows: list[int], config: Config) -> Split:
    """Splits the usable rows; numbers are those of the table."""
    wanted, n = config.split, len(rows)
    if wanted.num_folds > 1:
        local = fold_split(n, wanted.num_folds, wanted.fold, wanted.seed)
    elif wanted.type == "column":
        assert wanted.column is not None
        values = table.column(wanted.column)
        local = column_split([values[row] for row in rows], wanted.column, rows)
    elif wanted.type == "scaffold":
        smiles = table.column(config.data.column)
        local = scaffold_split([smiles[row] for row in rows], wanted.sizes, wanted.seed)
    else:
        local = random_split(n, wanted.sizes, wanted.seed)
    return Split(*([rows[i] for i in local.part(part)] for part in PARTS))
