"""Adjacency matrices of the graphs of a batch, those of one size together."""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ogeaug.graph.edges import Directed, Floats, adjacency, check_real, check_shapes, edge_owners


def adjacencies(
    edge_index: Tensor,
    num_nodes: Tensor,
    edge_weight: Tensor | None = None,
    directed: Directed = "symmetrize",
) -> tuple[list[tuple[list[int], Floats]], list[str]]:
    """The adjacency matrices of a PyG batch, those of one size stacked.

    Args:
        edge_index, num_nodes, edge_weight: See :func:`compute_spectra`.
        directed: See :func:`ogeaug.graph.edges.adjacency`.

    Returns:
        For each size n the graphs' numbers and their matrices ``[b, n, n]``; and the names of all
        graphs, for error messages.
    """
    sizes: list[int] = num_nodes.tolist()
    names = graph_names(range(len(sizes)), len(sizes))
    own = split_edges(edge_index, sizes, edge_weight)
    matrices = [
        adjacency(local, n, w, directed=directed, graph=name)
        for (local, w), n, name in zip(own, sizes, names, strict=True)
    ]
    stacks = [(graphs, np.stack([matrices[g] for g in graphs])) for graphs in by_size(sizes)]
    return stacks, names


def count_components(
    edge_index: Tensor, sizes: list[int], edge_weight: Tensor | None = None
) -> list[int]:
    """The number of connected components of each graph of a PyG batch; weight 0 is no edge.

    Example:
        >>> import torch
        >>> count_components(torch.tensor([[0, 3], [1, 4]]), [3, 2])
        [2, 1]
    """
    from scipy.sparse import coo_array  # both for the few who need it
    from scipy.sparse.csgraph import connected_components

    edges = _edges(edge_index)
    weight = np.ones(edges.shape[1]) if edge_weight is None else _weights(edge_weight)
    listed, shape = edges[:, weight != 0], (sum(sizes), sum(sizes))
    label = connected_components(coo_array((weight[weight != 0], tuple(listed)), shape))[1]
    return [len(np.unique(part)) for part in np.split(label, np.cumsum(sizes)[:-1])]


def by_size(sizes: list[int]) -> list[list[int]]:
    """The graphs of each size."""
    groups: dict[int, list[int]] = {}
    for g, n in enumerate(sizes):
        groups.setdefault(n, []).append(g)
    return list(groups.values())


def graph_names(graphs: Iterable[int], total: int) -> list[str]:
    """How error messages call these graphs."""
    return ["the graph"] if total == 1 else [f"graph {g} of the batch" for g in graphs]


def _edges(edge_index: Tensor) -> NDArray[np.int64]:
    edges = edge_index.detach().cpu().numpy()
    # Narrow integers would overflow in products with the number of nodes.
    return edges.astype(np.int64) if edges.dtype.kind in "iu" else edges


def _weights(edge_weight: Tensor) -> Floats:
    check_real(edge_weight)
    return edge_weight.detach().cpu().double().numpy()


def split_edges(
    edge_index: Tensor, sizes: list[int], edge_weight: Tensor | None = None
) -> list[tuple[NDArray[np.int64], Floats | None]]:
    """Each graph's own edges ``[2, E]`` and weights ``[E]``, its nodes numbered from 0."""
    edges, weight = _edges(edge_index), None if edge_weight is None else _weights(edge_weight)
    check_shapes(edges, weight, "the batch")
    if len(sizes) == 1:
        return [(edges, weight)]
    starts, owner = np.concatenate([[0], np.cumsum(sizes)]), edge_owners(edges, sizes)
    if (np.diff(owner) < 0).any():
        order = np.argsort(owner, kind="stable")
        edges, owner = edges[:, order], owner[order]
        weight = None if weight is None else weight[order]
    bounds = np.searchsorted(owner, np.arange(len(sizes) + 1))
    return [
        (edges[:, a:b] - starts[g], None if weight is None else weight[a:b])
        for g, (a, b) in enumerate(pairwise(bounds))
    ]
