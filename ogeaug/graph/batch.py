"""What a PyG graph or batch says of itself: tensors, and how many nodes each graph has."""

from itertools import pairwise

import numpy as np
import torch
from torch import Tensor
from torch_geometric.data import Data


def check_tensors(data: Data) -> None:
    """Refuses what is no graph of PyG, or has lists where tensors belong."""
    if not isinstance(data, Data):
        raise TypeError(f"an encoding takes a PyG Data or Batch, got {type(data).__name__}")
    for key in ("edge_index", "edge_weight", "eigvals", "eigvecs"):
        value = data.get(key, None)
        if value is not None and not isinstance(value, Tensor):
            raise TypeError(
                f"data.{key} must be a tensor, got {type(value).__name__}; use torch.tensor(...)"
            )
    if data.edge_index is None:
        raise ValueError(
            "the data has no edge_index; a graph without edges has one of shape [2, 0]"
        )


def graph_sizes(data: Data) -> Tensor:
    """The number of nodes of each graph ``[B]``, on the CPU."""
    if data.num_nodes is None:
        raise ValueError("the data does not tell its number of nodes; set data.num_nodes")
    if data.get("ptr", None) is not None:
        return _checked(counts_between(data["ptr"], "data.ptr"), data)
    if data.get("batch", None) is None:
        return torch.tensor([data.num_nodes], device="cpu")
    batch = whole_numbers(data["batch"], "data.batch")
    if (batch.diff() < 0).any() or (batch[:1] < 0).any():
        raise ValueError("the batch vector must ascend from 0: the nodes of a graph stand together")
    if batch.numel() and int(batch[-1]) > MOST_EMPTY * batch.numel():
        raise ValueError(
            f"the batch vector names graph {int(batch[-1])}, but there are only {batch.numel()} "
            "nodes; number the graphs from 0"
        )
    return _checked(torch.bincount(batch), data)


def _checked(sizes: Tensor, data: Data) -> Tensor:
    if sizes.numel() == 0:
        raise ValueError("the batch has no graphs")
    if int(sizes.sum()) != data.num_nodes:
        raise ValueError(
            f"batch or ptr speak of {int(sizes.sum())} nodes, the data of {data.num_nodes}"
        )
    return sizes


MOST_EMPTY = 1000
"""Graphs that a batch vector may name for each node: more are a mistake, and fill the memory."""


def whole_numbers(numbers: Tensor, name: str) -> Tensor:
    """An int64 vector on the CPU, from any integers; refuses all else."""
    if not isinstance(numbers, Tensor):
        raise TypeError(f"{name} must be a tensor, got {type(numbers).__name__}")
    if numbers.is_floating_point() or numbers.is_complex() or numbers.dtype == torch.bool:
        raise TypeError(f"{name} must hold whole numbers, got {numbers.dtype}")
    if numbers.dim() != 1:
        raise ValueError(f"{name} must be a vector, got {list(numbers.shape)}")
    return numbers.cpu().long()


def counts_between(bounds: Tensor, name: str) -> Tensor:
    """How many things lie between bounds that ascend from 0.

    Shapes:
        - bounds ``[B + 1]`` of any integers -> ``[B]`` int64, on the CPU

    Example:
        >>> counts_between(torch.tensor([0, 2, 5], dtype=torch.int32), "data.ptr")
        tensor([2, 3])
    """
    found = whole_numbers(bounds, name).tolist()  # few: each call of torch would take longer
    counts = [after - before for before, after in pairwise(found)]
    if not found or found[0] != 0 or min(counts, default=0) < 0:
        raise ValueError(
            f"{name} must ascend from 0, one bound more than there are graphs; got "
            f"{len(found)} bounds: {found[:5]} ..."
        )
    return torch.from_numpy(np.array(counts, np.int64))
