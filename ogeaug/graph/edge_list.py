"""Undirected edges of a graph: a number for each, and the way back to PyG's columns."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ogeaug.graph.edges import Floats


@dataclass(frozen=True, eq=False)
class EdgeList:
    """The m undirected edges of one graph, each oriented from the lower to the higher node.

    Attributes:
        ends: ``[m, 2]`` nodes, the lower one first.
        weight: ``[m]``.
        number: ``[n, n]`` the number of edge i - j, -1 if there is none.
        incidence: ``[n, m]`` 1 where the node is an end of the edge: |B1|.
    """

    ends: NDArray[np.int64]
    weight: Floats
    number: NDArray[np.int64]
    incidence: Floats


def list_edges(adjacency: Floats) -> EdgeList:
    """The edges with non-zero weight of an adjacency matrix ``[n, n]``.

    Example:
        >>> list_edges(np.array([[0.0, 1.0], [1.0, 0.0]])).ends
        array([[0, 1]])
    """
    ends = np.argwhere(np.triu(adjacency, 1))  # [m, 2]
    low, high = ends.T
    m = len(ends)
    number = np.full(adjacency.shape, -1)
    number[low, high] = number[high, low] = np.arange(m)
    incidence = np.zeros((len(adjacency), m))
    incidence[low, np.arange(m)] = incidence[high, np.arange(m)] = 1.0
    return EdgeList(ends, adjacency[low, high], number, incidence)


def to_columns(
    values: dict[int, Floats],
    edges: dict[int, EdgeList],
    edge_index: Tensor,
    num_nodes: Tensor,
    shape: tuple[int, ...],
) -> Tensor:
    """From undirected edges of each graph to the columns of a batch's edge_index.

    Both directions get the same values; self-loops and edges of weight 0 get zeros.

    Args:
        values: For each graph, the values of its undirected edges.
        edges: For each graph, its edges.
        edge_index: The columns.
        num_nodes: Nodes of each graph.
        shape: Of the values of one edge.

    Shapes:
        - values ``[m, *shape]`` of B graphs, edge_index ``[2, E]`` -> ``[E, *shape]``
    """
    columns = edge_index.cpu().numpy()
    starts = np.concatenate([[0], np.cumsum(num_nodes.numpy())])
    owner = np.searchsorted(starts, columns[0], side="right") - 1  # [E]
    order = np.argsort(owner, kind="stable")
    bounds = np.searchsorted(owner[order], np.arange(len(num_nodes) + 1))
    out = np.zeros((columns.shape[1], *shape))
    for g, (a, b) in enumerate(pairwise(bounds)):
        mine = order[a:b]
        row, col = columns[:, mine] - starts[g]
        number = edges[g].number[row, col]
        out[mine[number >= 0]] = values[g][number[number >= 0]]
    return torch.from_numpy(out)
