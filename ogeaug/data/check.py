"""What can be refused of data before they are read: names, paths, columns, tasks."""

from ogeaug.data.choose_targets import with_targets
from ogeaug.data.config import DataConfig, SplitConfig
from ogeaug.data.sets import DATASETS, find_set
from ogeaug.data.sets.base import GeneratedSet, TableSet
from ogeaug.data.splits import check_folds, check_sizes
from ogeaug.data.table import find_column
from ogeaug.errors import UserError
from ogeaug.model.config import FeaturesConfig, TaskConfig

NODES = "node_classification"


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
    if isinstance(found, GeneratedSet):
        return _check_generated(found, data, split, features, task)
    assert isinstance(found, TableSet)
    _check_table(split, features, task)
    columns, title = found.columns(data), found.title(data)
    if found.targets and features.kind == "graph6":
        raise UserError(f"data set {found.name!r} holds SMILES, not graph6 strings")
    find_column(columns, data.column, title)
    task = with_targets(data, split, task, columns)
    for name in task.targets:
        find_column(columns, name, title)
    if split.num_folds > 1:
        check_folds(split.num_folds)
    elif split.column is not None:
        find_column(columns, split.column, title)
    else:
        check_sizes(split.sizes)
    return features, task


def _check_table(split: SplitConfig, features: FeaturesConfig, task: TaskConfig) -> None:
    """Refuses what no table can hold."""
    if not task.facts.in_tables:
        generated = [name for name, kind in DATASETS.items() if isinstance(kind, GeneratedSet)]
        there = f", or on data set {' or '.join(generated)}" if task.type == NODES else ""
        raise UserError(
            f"{task.type} is trained from Python: ogeaug.training.fit(config, folder, "
            f"parts=Parts(train, val, test)) with PyG data objects{there}"
        )
    if features.kind == "own":
        raise UserError(
            "features of kind own are those of PyG data objects, which are given from Python by "
            "parts=; of a table take molecule, ogb, zinc or graph6 (--set features.kind=molecule)"
        )
    if split.type == "scaffold" and features.kind == "graph6":
        raise UserError("graph6 strings have no scaffolds; use a random split")


def _check_generated(
    found: GeneratedSet,
    data: DataConfig,
    split: SplitConfig,
    features: FeaturesConfig,
    task: TaskConfig,
) -> tuple[FeaturesConfig, TaskConfig]:
    """Refuses what would be ignored: a generated set has its own parts, features and classes."""
    found.check_path(data)
    title, sizes = f"data set {found.name!r}", list(found.node_sizes)
    if task.targets:
        raise UserError(
            f"{title} has a class per node and no target column, got {', '.join(task.targets)}"
        )
    if task.type != NODES and "type" in task.model_fields_set:
        raise UserError(f"{title} is for the task {NODES}, got {task.type}")
    if task.num_classes not in (None, found.num_classes):
        raise UserError(f"{title} has {found.num_classes} classes, got {task.num_classes}")
    if split.model_copy(update={"seed": 0}) != SplitConfig():
        raise UserError(
            f"{title} is generated in parts, so it is not split; of the split, take the seed alone "
            "(split.seed), which is that of the graphs"
        )
    if features.hydrogens or features.ignore_stereo:
        raise UserError(f"{title} has no molecules: no hydrogens, no stereochemistry")
    if features.node_sizes not in ([], sizes) or features.edge_sizes:
        raise UserError(f"{title} has features.node_sizes={sizes} and no features of edges")
    return (
        features.model_copy(update={"kind": "own", "node_sizes": sizes}),
        task.model_copy(update={"type": NODES, "num_classes": found.num_classes}),
    )
