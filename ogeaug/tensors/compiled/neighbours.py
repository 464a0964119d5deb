"""The neighbours of each node as lists, by the compiled core."""

import ctypes
from dataclasses import dataclass

import torch
from torch import Tensor

from ogeaug.graph.edges import check_bounds, looks_ordinary
from ogeaug.native.gate import Struct, call

ARGUMENTS = Struct(
    "edge:int64:2E weight:f64:E start:int64:N+1 neighbour:int64:E out_weight:f64:E",
    nodes=ctypes.c_int64,
    edges=ctypes.c_int64,
)
"""``struct NeighbourArgs`` of ``native/src/neighbours.h``."""


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
    edges listed one way only or with two weights: :func:`ogeaug.graph.edges.neighbours` has rules.

    Shapes:
        - edge_index ``[2, E]``, edge_weight ``[E]`` -> lists of E neighbours
    """
    if not looks_ordinary(edge_index, edge_weight):
        return None
    edges = edge_index.contiguous()
    count = edges.size(1)
    start, neighbour = edges.new_empty(num_nodes + 1), edges.new_empty(count)
    weight = out_weight = None
    if edge_weight is not None:
        weight = edge_weight.detach().double().contiguous()
        out_weight = torch.empty_like(weight)
    arguments = ARGUMENTS.fill(
        {"nodes": num_nodes, "edges": count},
        {"N+1": num_nodes + 1, "E": count, "2E": 2 * count},
        {
            "edge": edges,
            "weight": weight,
            "start": start,
            "neighbour": neighbour,
            "out_weight": out_weight,
        },
    )
    if call("list_neighbours_", arguments) != 0:
        return None
    return Neighbours(start, neighbour, out_weight)


def neighbours_of_sorted(edge_index: Tensor, num_nodes: int, weight: Tensor | None) -> Neighbours:
    """From edges in both directions, sorted by their first node."""
    check_bounds(edge_index, num_nodes)
    degree = torch.bincount(edge_index[0], minlength=num_nodes)
    start = torch.cat([degree.new_zeros(1), degree.cumsum(0)])
    return Neighbours(start, edge_index[1].long().contiguous(), weight)
