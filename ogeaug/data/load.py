"""The door: a data set by name, or a table by path -> graphs in parts, features, task."""

from dataclasses import dataclass
from pathlib import Path

import torch

from ogeaug.data.check import check_data
from ogeaug.data.config import DataConfig, SplitConfig
from ogeaug.data.convert import with_sizes
from ogeaug.data.parts import Parts, Skipped
from ogeaug.data.read import Converted, read_table
from ogeaug.data.sets import DATASETS, find_set
from ogeaug.data.sets.base import TableSet
from ogeaug.data.sets.graph_set import GraphSet
from ogeaug.data.splits import (
    Split,
    column_split,
    fold_split,
    group_split,
    random_split,
)
from ogeaug.data.targets import check_training_targets
from ogeaug.data.waiting import waiting
from ogeaug.model.config import FeaturesConfig, TaskConfig


@dataclass(frozen=True, eq=False)
class LoadedData:
    """Data to train on.

    Attributes:
        parts: The graphs.
        split: Rows of each part; None if the graphs come in parts.
        skipped: Rows left out.
        checksum: Of the table, or of what graphs were generated with; to notice a change.
        features: With sizes filled in.
        task: With targets and classes filled in.
        stand_in: What the data are instead of a benchmark's own, for tables; empty if they are.
    """

    parts: Parts
    split: Split | None
    skipped: list[Skipped]
    checksum: str
    features: FeaturesConfig
    task: TaskConfig
    stand_in: str = ""

    def statistics(self) -> dict[str, dict[str, float]]:
        """Of each part that is there: graphs, and their mean number of nodes and edges."""
        found = {}
        for part in self.parts.names:
            graphs = self.parts.part(part)
            if graphs:
                nodes, ends = (
                    sum(data.num_nodes or 0 for data in graphs),
                    sum(data.num_edges for data in graphs),
                )
                found[part] = {
                    "graphs": float(len(graphs)),
                    "nodes": nodes / len(graphs),
                    "edges": ends / 2 / len(graphs),  # each is there in both directions
                }
        return found


@dataclass(frozen=True, eq=False)
class UnsplitData:
    """Data that were read once, from which any fold can be taken by :func:`split_data`.

    Attributes:
        content: What was read of a table; the parts themselves of a set of graphs.
        checksum, features, task, stand_in: See :class:`LoadedData`.
    """

    content: Converted | Parts
    checksum: str
    features: FeaturesConfig
    task: TaskConfig
    stand_in: str = ""


def load_data(
    data: DataConfig | str | Path,
    split: SplitConfig | None = None,
    features: FeaturesConfig | None = None,
    task: TaskConfig | None = None,
    *,
    progress: bool = True,
) -> LoadedData:
    """Reads (or generates), converts and splits data.

    Args:
        data: A configuration, the name of a data set, or the path of a CSV file.
        split: How; if absent, the data set's own, else random.
        features: Of nodes and edges; if absent, those of the data set's benchmark.
        task: What is to be learned; if absent, regression on the only target.
        progress: Whether to show a progress bar.

    Example:
        >>> cluster = load_data(DataConfig(name="cluster", limit=20))
        >>> len(cluster.parts.train), cluster.features.node_sizes, cluster.task.num_classes
        (20, [7], 6)
    """
    if not isinstance(data, DataConfig):
        named = str(data) in DATASETS
        data = DataConfig(name=str(data)) if named else DataConfig(path=str(data))
    known = find_set(data.name)
    if split is None:
        own = known.split_column
        split = SplitConfig() if own is None else SplitConfig(type="column", column=own)
    if features is None:
        features = FeaturesConfig(kind=known.features, hydrogens=known.hydrogens)
    task = TaskConfig() if task is None else task
    return split_data(read_data(data, split, features, task, progress=progress), split)


def read_data(
    data: DataConfig,
    split: SplitConfig,
    features: FeaturesConfig,
    task: TaskConfig,
    *,
    progress: bool = True,
) -> UnsplitData:
    """Reads (or generates) and converts data; of the split, only its kind counts."""
    features, task = check_data(data, split, features, task)
    known = find_set(data.name)
    stand_in = known.stand_in(data)
    if isinstance(known, GraphSet):
        with waiting(f"Reading {known.name}", progress):
            parts, checksum = known.parts(data, split.seed)
        train, val, test = parts
        return UnsplitData(Parts(train, val, test), checksum, features, task, stand_in)
    assert isinstance(known, TableSet)
    features = with_sizes(features)
    content = read_table(known, data, split, features, task, progress)
    return UnsplitData(content, content.checksum, features, task, stand_in)


def split_data(data: UnsplitData, split: SplitConfig) -> LoadedData:
    """The parts of data that were read, as ``split`` wants them."""
    content, task = data.content, data.task
    if isinstance(content, Parts):
        return LoadedData(content, None, [], data.checksum, data.features, task, data.stand_in)
    found = _split(content, split)
    graphs = content.graphs
    train, val, test, *others = ([graphs[row] for row in found.part(p)] for p in found.names)
    parts = Parts(train, val, test, dict(zip(found.further, others, strict=True)))
    labels = torch.cat([graph.y for graph in parts.train])  # [rows, targets]
    check_training_targets(labels, task.targets, classes=task.classes)
    return LoadedData(
        parts, found, content.skipped, data.checksum, data.features, task, data.stand_in
    )


def _split(content: Converted, wanted: SplitConfig) -> Split:
    """Splits the usable rows; numbers are those of the table."""
    rows = sorted(content.graphs)
    if wanted.num_folds > 1:
        local = fold_split(len(rows), wanted.num_folds, wanted.fold, wanted.seed)
    elif wanted.type == "column":
        assert wanted.column is not None
        local = column_split([content.named[row] for row in rows], wanted.column, rows)
    elif wanted.type == "scaffold":
        scaffolds = [content.scaffolds[row] for row in rows]
        local = group_split(scaffolds, wanted.sizes, wanted.seed)
    else:
        local = random_split(len(rows), wanted.sizes, wanted.seed)
    return local.renumbered(rows)
