"""What can be refused of data before they are read: names, paths, columns, tasks."""

from typing import Any

from ogeaug.data.choose_targets import with_targets
from ogeaug.data.columns import find_column
from ogeaug.data.config import DataConfig, SplitConfig
from ogeaug.data.sets import DATASETS, find_set
from ogeaug.data.sets.base import DataSet, TableSet
from ogeaug.data.sets.graph_set import GraphSet
from ogeaug.data.splits import check_folds, check_sizes
from ogeaug.errors import UserError
from ogeaug.model.config import FeaturesConfig, TaskConfig

FLAGS = {
    "header": "--no-header-row",
    "multiline": "--allow-multiline",
    "column": "--smiles-columns",
    "max_atoms": "--max-atoms",
}


def check_data(
    data: DataConfig, split: SplitConfig, features: FeaturesConfig, task: TaskConfig
) -> tuple[FeaturesConfig, TaskConfig]:
    """Refuses data that are not there, lack a column, or do not fit the task; reads the first line
    at most.

    Returns:
        Features and task, with what the data set says of them filled in: targets if only one can
        be meant; of generated sets categories and classes.

    Example:
        >>> cluster = DataConfig(name="cluster")
        >>> check_data(cluster, SplitConfig(), FeaturesConfig(), TaskConfig())[1].num_classes
        6
    """
    found = find_set(data.name)
    _check_used(found, data)
    if isinstance(found, GraphSet):
        return _check_graphs(found, data, split, features, task)
    assert isinstance(found, TableSet)
    if "type" not in task.model_fields_set:
        task = task.model_copy(update={"type": found.task, "num_classes": found.num_classes})
    columns, title = found.columns(data), found.title(data)
    if found.only_graphs(data):
        features = _own_features(found, split, features)
    _check_table(found, split, features, task)
    if found.targets and features.kind == "graph6" != found.features:
        raise UserError(f"data set {found.name!r} holds SMILES, not graph6 strings")
    own = bool(found.layouts)
    find_column(columns, found.column(data), title, own=own)
    task = with_targets(data, split, task, columns)
    for name in task.targets:
        find_column(columns, name, title, own=name in found.targets)
    if split.num_folds > 1:
        check_folds(split.num_folds)
    elif split.column is not None:
        theirs = own and split.column == found.split_column
        find_column(columns, split.column, title, own=theirs, option="--splits-column")
    else:
        check_sizes(split.sizes)
    return features, task


def _check_used(found: DataSet, data: DataConfig) -> None:
    """Refuses options that a data set would not look at."""
    for key in found.unused:
        value = getattr(data, key)
        if value != DataConfig.model_fields[key].default:
            flag = f" ({FLAGS[key]})" if key in FLAGS else ""
            raise UserError(
                f"data.{key}={value}{flag} is about tables of your own (data set 'csv'); data set "
                f"{found.name!r} would ignore it: leave it out"
            )


def _own_features(found: TableSet, split: SplitConfig, features: FeaturesConfig) -> FeaturesConfig:
    """Those of a set whose files have graphs; refuses what only molecules can give."""
    title = f"the files of data set {found.name!r} hold graphs, not molecules"
    if features.kind not in (found.features, "molecule"):  # which is the default
        raise UserError(
            f"{title}: their features are of kind {found.features}, got {features.kind} "
            f"(--set features.kind={found.features})"
        )
    if features.hydrogens or features.ignore_stereo:
        raise UserError(f"{title}: no further hydrogens, and no stereochemistry")
    if split.type == "scaffold":
        raise UserError(f"{title}, and have no scaffolds; use its own split, or a random one")
    update: dict[str, Any] = {"kind": found.features}
    if found.own_sizes is not None:
        nodes, edges = found.own_sizes
        update |= {"node_sizes": list(nodes), "edge_sizes": list(edges)}
    return features.model_copy(update=update)


def _check_table(
    found: TableSet, split: SplitConfig, features: FeaturesConfig, task: TaskConfig
) -> None:
    """Refuses what no table can hold."""
    if not task.facts.in_tables:
        graphs = [name for name, kind in DATASETS.items() if kind.task == task.type]
        there = f", or on data set {' or '.join(graphs)}" if graphs else ""
        raise UserError(
            f"{task.type} is trained from Python: ogeaug.training.fit(config, folder, "
            f"parts=Parts(train, val, test)) with PyG data objects{there}"
        )
    if features.kind == "own" and found.own_sizes is None:
        raise UserError(
            "features of kind own are those of PyG data objects, which are given from Python by "
            "parts=; of a table take molecule, ogb, zinc or graph6 (--set features.kind=molecule)"
        )
    if split.type == "scaffold" and features.kind == "graph6":
        raise UserError("graph6 strings have no scaffolds; use a random split")


def _check_graphs(
    found: GraphSet,
    data: DataConfig,
    split: SplitConfig,
    features: FeaturesConfig,
    task: TaskConfig,
) -> tuple[FeaturesConfig, TaskConfig]:
    """Refuses what would be ignored: a set of graphs has its own parts, features and classes."""
    found.check_there(data)
    title = f"data set {found.name!r}"
    nodes, edges = list(found.node_sizes), list(found.edge_sizes)
    if task.targets:
        labels = "a class per node" if found.num_classes else "labelled pairs of nodes"
        raise UserError(f"{title} has {labels} and no target column, got {', '.join(task.targets)}")
    if task.type != found.task and "type" in task.model_fields_set:
        raise UserError(f"{title} is for the task {found.task}, got {task.type}")
    if task.num_classes not in (None, found.num_classes):
        raise UserError(f"{title} has {found.num_classes} classes, got {task.num_classes}")
    if split.model_copy(update={"seed": 0}) != SplitConfig():
        raise UserError(
            f"{title} comes in parts, so it is not split; of the split, take the seed alone "
            "(split.seed), which is that of generated graphs"
        )
    if features.hydrogens or features.ignore_stereo:
        raise UserError(f"{title} has no molecules: no hydrogens, no stereochemistry")
    if features.node_sizes not in ([], nodes) or features.edge_sizes not in ([], edges):
        has = f"features.edge_sizes={edges}" if edges else "no features of edges"
        raise UserError(f"{title} has features.node_sizes={nodes} and {has}")
    return (
        features.model_copy(update={"kind": "own", "node_sizes": nodes, "edge_sizes": edges}),
        task.model_copy(update={"type": found.task, "num_classes": found.num_classes}),
    )
