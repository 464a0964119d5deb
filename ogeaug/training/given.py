"""Graphs that are given as PyG data objects, checked before anything is trained on them."""

from copy import copy

import torch
from torch import Tensor
from torch_geometric.data import Data

from ogeaug.data.splits import PARTS
from ogeaug.data.targets import check_spread
from ogeaug.errors import UserError
from ogeaug.model.config import TaskConfig
from ogeaug.training.config import Config
from ogeaug.training.digest import digest_parts
from ogeaug.training.metrics import known
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
    checked = (
        [_check(data, config, f"{part}[{i}]") for i, data in enumerate(parts.part(part))]
        for part in PARTS
    )
    taken = Parts(*checked)
    for part in ("train", "val"):
        _check_labelled(taken.part(part), config.task, part)
    return Prepared(config, taken, None, [], checksum=f"{GIVEN}:{digest_parts(taken)}")


def _check(data: Data, config: Config, name: str) -> Data:
    task, features = config.task, config.features
    if data.x is not None and not features.node_sizes and features.node_channels is None:
        raise UserError(
            f"{name} has x {list(data.x.shape)}, which the model would not see; set "
            f"features.node_channels={data.x.size(-1)} if it holds numbers, features.node_sizes if "
            "it holds categories (how many per column), or take x off the data"
        )
    if task.type == "link_ranking":
        pairs, label = data.get("edge_label_index"), data.get("edge_label")
        if pairs is None or label is None or tuple(pairs.shape) != (2, label.numel()):
            raise UserError(
                f"{name}: link ranking needs edge_label_index [2, P], the pairs, and edge_label "
                f"[P], 1 for links and 0 for others; got {data}"
            )
        return data
    nodes = task.type == "node_classification"
    wanted = data.num_nodes if nodes else (1 if task.type == "multiclass" else task.out_channels)
    found = 0 if data.get("y") is None else data.y.numel()
    if found != wanted:
        raise UserError(
            f"{name}: {task.type} needs y with {wanted} number(s), one "
            f"per {'node' if nodes else 'target'}; got {data}"
        )
    _check_classes(data.y, task, name)
    if nodes:
        return data
    data = copy(data)
    data.y = data.y.reshape(1, -1).double()  # [1, targets]
    return data


def _check_labelled(graphs: list[Data], task: TaskConfig, part: str) -> None:
    """Refuses a part without any label, and targets that are not in the training part."""
    if task.type == "link_ranking":
        there = torch.tensor([any(data.edge_label.numel() > 0 for data in graphs)])
    elif task.type == "node_classification":
        there = known(torch.cat([data.y.flatten() for data in graphs])).any().reshape(1)
    else:
        there = known(torch.cat([data.y for data in graphs])).any(0)  # [targets]
    if not there.any():
        raise UserError(
            f"no graph of the {part} part has a label, so nothing can be measured there"
        )
    if part == "train" and not there.all():
        missing = [
            name for name, found in zip(task.targets, there.tolist(), strict=True) if not found
        ]
        raise UserError(f"no graph of the train part has a value of {', '.join(missing)}")
    if part == "train" and task.type == "regression":
        for name, column in zip(
            task.targets, torch.cat([data.y for data in graphs]).T, strict=True
        ):
            check_spread(column[known(column)], name)


def _check_classes(y: Tensor, task: TaskConfig, name: str) -> None:
    """Classes are whole numbers from 0; NaN, or a negative number among whole ones, is missing."""
    if task.type == "regression":
        return
    count = task.num_classes or 2
    there = y[known(y)]
    if not torch.isin(there, torch.arange(count, device=y.device)).all():
        raise UserError(
            f"{name}: y holds {there.min():g} to {there.max():g}; {task.type} has the classes 0 to "
            f"{count - 1}"
        )
