"""The neighbours of each node as lists, by the compiled core."""

import ctypes
from dataclasses import dataclass

import torch
from torch import Tensor

from ogeaug.native.build import load_core
from ogeaug.native.struct import call, fields


class NeighbourArgs(ctypes.Structure):
    """``struct NeighbourArgs`` of ``native/src/neighbours.h``."""

    _fields_ = fields(
        "edge weight start neighbour out_weight", nodes=ctypes.c_int64, edges=ctypes.c_int64
    )


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Undirected edges, as a list of neighbours for each node.

    Attributes:
        start: ``[N + 1]`` int64, the first neighbour of each node.
        neighbour: ``[E]`` int64.
        weight: ``[E]`` of each neighbour; None if all are 1.
    """

    start: Tensor
    neighbour: Tensor
    weight: Tensor | None


def list_neighbours(
    edge_index: Tensor, num_nodes: int, edge_weight: Tensor | None
) -> Neighbours | None:
    """The neighbours in an ordinary undirected graph; None if there are loops, parallel edges,
    edges listed one way only or with two weights, for which there are rules elsewhere.

    Shapes:
        - edge_index ``[2, E]``, edge_weight ``[E]`` -> lists of E neighbours
    """
    if edge_index.dtype != torch.int64:
        return None
    edges = edge_index.contiguous()
    start, neighbour = edges.new_empty(num_nodes + 1), edges.new_empty(edges.size(1))
    weight = out_weight = None
    if edge_weight is not None:
        if edge_weight.shape != neighbour.shape:
            return None
        weight = edge_weight.detach().double().contiguous()
        out_weight = torch.empty_like(weight)
    arguments = NeighbourArgs(
        num_nodes,
        edges.size(1),
        edges.data_ptr(),
        None if weight is None else weight.data_ptr(),
        start.data_ptr(),
        neighbour.data_ptr(),
        None if out_weight is None else out_weight.data_ptr(),
    )
    if call(load_core(), "list_neighbours", arguments) != 0:
        return None
    return Neighbours(start, neighbour, out_weight)


def neighbours_of_sorted(edge_index: Tensor, num_nodes: int, weight: Tensor | None) -> Neighbours:
    """From edges in both directions, sorted by their first node."""
    if edge_index.numel() and not 0 <= int(edge_index.min()) <= int(edge_index.max()) < num_nodes:
        raise ValueError(
            f"edge_index names nodes {int(edge_index.min())} to {int(edge_index.max())}, but there "
            f"are {num_nodes} nodes, counted from 0"
        )
    degree = torch.bincount(edge_index[0], minlength=num_nodes)
    start = torch.cat([degree.new_zeros(1), degree.cumsum(0)])
    return Neighbours(start, edge_index[1].contiguous(), weight)
