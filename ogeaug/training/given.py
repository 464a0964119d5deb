"""Graphs that are given as PyG data objects, checked before anything is trained on them."""

import torch
from torch_geometric.data import Data

from ogeaug.data.targets import check_spread
from ogeaug.errors import UserError
from ogeaug.tasks import Task, make_task
from ogeaug.tasks.labels import known
from ogeaug.training.config import Config
from ogeaug.training.digest import digest_parts
from ogeaug.training.prepare import Parts, Prepared
from ogeaug.training.run_folder import GIVEN


def take_parts(config: Config, parts: Parts) -> Prepared:
    """What training starts from, if the graphs are not read from a table.

    ``y`` of a graph may have any shape with one number per target, as PyG's data sets have it.

    Example:
        >>> one = Data(edge_index=torch.tensor([[0], [1]]), num_nodes=2, y=torch.tensor([3.0]))
        >>> take_parts(Config(), Parts([one], [one])).parts.train[0].y
        tensor([[3.]], dtype=torch.float64)
    """
    if not parts.train or not parts.val:
        raise UserError("training and validation parts both need at least one graph")
    task = make_task(config.task)
    taken = parts.map(
        lambda part: [
            _check(data, config, task, f"{part}[{i}]") for i, data in enumerate(parts.part(part))
        ]
    )
    _check_alike([data for part in taken.names for data in taken.part(part)])
    for part in ("train", "val"):
        _check_labelled(taken.part(part), task, part)
    return Prepared(config, taken, None, [], checksum=f"{GIVEN}:{digest_parts(taken)}")


def _check(data: Data, config: Config, task: Task, name: str) -> Data:
    features = config.features
    if data.x is not None and not features.node_sizes and features.node_channels is None:
        raise UserError(
            f"{name} has x {list(data.x.shape)}, which the model would not see; set "
            f"features.node_channels={data.x.size(-1)} if it holds numbers, features.node_sizes if "
            "it holds categories (how many per column), or take x off the data"
        )
    return task.take_labels(data, name)


def _check_alike(graphs: list[Data]) -> None:
    """Refuses what batches cannot be made of."""
    for key in sorted({str(key) for data in graphs for key in data.keys()}):  # noqa: SIM118
        there = [data.get(key) is not None for data in graphs]
        if len(set(there)) > 1:
            raise UserError(f"some graphs have {key}, others have not; give it to all or to none")
    for data in graphs:
        for key in ("edge_attr", "edge_weight"):
            if data.get(key) is not None and len(data[key]) != data.num_edges:
                raise UserError(
                    f"{key} needs a row for each of the {data.num_edges} columns of edge_index; "
                    f"got {data}"
                )


def _check_labelled(graphs: list[Data], task: Task, part: str) -> None:
    """Refuses a part without any label, and targets that are not in the training part."""
    there = task.labelled(graphs)
    if not there.any():
        raise UserError(
            f"no graph of the {part} part has a label, so nothing can be measured there"
        )
    if part == "train" and not there.all():
        missing = [
            name
            for name, found in zip(task.config.targets, there.tolist(), strict=True)
            if not found
        ]
        raise UserError(f"no graph of the train part has a value of {', '.join(missing)}")
    if part == "train" and task.standardized:
        columns = torch.cat([data.y for data in graphs]).T  # [targets, graphs]
        for name, column in zip(task.config.targets or ["y"], columns, strict=True):
            check_spread(column[known(column)], name)
