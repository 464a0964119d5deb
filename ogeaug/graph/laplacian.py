"""From edges to graph Laplacians: dense, symmetric, float64."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Normalization = Literal["sym", "rw"]
Directed = Literal["symmetrize", "refuse"]
Floats = NDArray[np.float64]

LARGEST = 1e12
"""Of edge weights, and of the variance of noise. Beyond, ``eigh``, which errs by 1e-16 of the
largest eigenvalue, would no longer know the small ones to the distances at which an encoding tells
them apart; far beyond, features in float32 would overflow."""


def adjacency(
    edge_index: NDArray[np.int64],
    num_nodes: int,
    edge_weight: Floats | None = None,
    *,
    directed: Directed = "symmetrize",
    graph: str = "the graph",
) -> Floats:
    r"""The symmetric adjacency matrix of an edge list, by these rules:

    - a self-loop is dropped: it cancels in :math:`D - A`;
    - parallel edges (same direction) add their weights, as in a multigraph;
    - an edge listed in both directions, as PyG does, is one undirected edge; if its two weights
      differ, their mean is taken;
    - an edge listed in one direction only counts in both (``directed="symmetrize"``), or is an
      error (``directed="refuse"``, which also refuses unequal weights).

    Args:
        edge_index: Edges, PyG's layout.
        num_nodes: Number of nodes.
        edge_weight: One weight per edge; 1 if absent.
        directed: What to do with edges that lack their mirror image.
        graph: How error messages call this graph.

    Shapes:
        - edge_index ``[2, E]``, edge_weight ``[E]`` -> ``[n, n]``

    Example:
        >>> adjacency(np.array([[0, 1], [1, 2]]), 3)
        array([[0., 1., 0.],
               [1., 0., 1.],
               [0., 1., 0.]])
    """
    check_edges(edge_index, num_nodes, edge_weight, graph)
    row, col = edge_index
    cell = row * num_nodes + col
    shape = (num_nodes, num_nodes)
    weights = np.bincount(cell, edge_weight, num_nodes**2).reshape(shape).astype(np.float64)
    np.fill_diagonal(weights, 0.0)
    if np.array_equal(weights, weights.T):
        return weights
    if directed == "refuse" and not np.allclose(weights, weights.T, rtol=1e-12, atol=0.0):
        i, j = np.argwhere(~np.isclose(weights, weights.T, rtol=1e-12, atol=0.0))[0]
        raise ValueError(
            f"{graph} is directed: edge {i} -> {j} has weight {weights[i, j]:g}, its mirror "
            f"{weights[j, i]:g}; make it undirected or pass directed='symmetrize'"
        )
    listed = np.bincount(cell, minlength=num_nodes**2).reshape(shape) > 0
    both_ways = listed & listed.T
    return (weights + weights.T) / np.where(both_ways, 2.0, 1.0)


def laplacian(adjacency: Floats, normalization: Normalization | None = None) -> Floats:
    r"""The symmetric matrix to decompose, for one graph or a stack of equal size.

    ``None`` gives :math:`L = D - A`. ``"sym"`` and ``"rw"`` both give
    :math:`D^{-1/2} (D - A) D^{-1/2}`: it is similar to the random-walk Laplacian
    :math:`I - D^{-1} A`, whose eigenvectors :func:`random_walk_scale` recovers from it. A node
    without edges has a zero row, so that the multiplicity of 0 counts the components.

    Shapes:
        - adjacency ``[..., n, n]`` -> ``[..., n, n]``
    """
    degree = adjacency.sum(-1)  # [..., n]
    matrix = -adjacency
    diagonal = np.einsum("...ii->...i", matrix)
    diagonal += degree
    if normalization is None:
        return matrix
    scale = _inverse_sqrt(degree)
    return matrix * scale[..., :, None] * scale[..., None, :]


def random_walk_scale(adjacency: Floats) -> Floats:
    r"""Row factors that turn eigenvectors of the normalised Laplacian into random-walk ones.

    If :math:`D^{-1/2} (D - A) D^{-1/2} u = \lambda u`, then :math:`D^{-1/2} u` is an eigenvector
    of :math:`I - D^{-1} A`. All columns get one common factor, the root of the mean degree, which
    keeps the invariance under a change of basis (a norm for each column would break it) and gives
    orthonormal vectors on regular graphs; otherwise they are orthonormal with respect to
    :math:`D / \bar d`.

    Shapes:
        - adjacency ``[..., n, n]`` -> ``[..., n]``
    """
    degree = adjacency.sum(-1)
    degree = np.where(degree > 0, degree, 1.0)
    return np.sqrt(degree.mean(-1, keepdims=True) / degree)


def check_edges(
    edge_index: NDArray[np.int64], num_nodes: int, edge_weight: Floats | None, graph: str
) -> None:
    """Refuses edges that do not describe a graph, with the first culprit by name."""
    if num_nodes < 1:
        raise ValueError(f"{graph} has no nodes: a spectrum needs at least one")
    check_shapes(edge_index, edge_weight, graph)
    outside = (edge_index < 0) | (edge_index >= num_nodes)
    if outside.any():
        at = int(np.argwhere(outside.any(0))[0, 0])
        raise ValueError(
            f"{graph}: edge {at} ({edge_index[0, at]} -> {edge_index[1, at]}) names a node outside "
            f"0..{num_nodes - 1}; is num_nodes right?"
        )
    if edge_weight is None:
        return
    broken = ~(np.abs(edge_weight) <= LARGEST)  # NaN, too
    if broken.any():
        at = int(np.argwhere(broken)[0, 0])
        raise ValueError(
            f"{graph}: edge {at} ({edge_index[0, at]} -> {edge_index[1, at]}) has weight "
            f"{edge_weight[at]:g}; weights must be finite, and at most {LARGEST:g}: rescale them"
        )


def check_shapes(edge_index: NDArray[np.int64], edge_weight: Floats | None, graph: str) -> None:
    """Refuses tensors that are no edge list at all."""
    if edge_index.ndim != 2 or edge_index.shape[0] != 2:
        raise ValueError(f"{graph}: edge_index must be [2, E], got {list(edge_index.shape)}")
    if edge_index.dtype.kind not in "iu":
        raise TypeError(
            f"{graph}: edge_index must hold integers, got {edge_index.dtype}; use edge_index.long()"
        )
    if edge_weight is not None and edge_weight.shape != (edge_index.shape[1],):
        hint = "; use edge_weight.squeeze(-1)" if edge_weight.ndim == 2 else ""
        raise ValueError(
            f"{graph}: edge_weight must be [{edge_index.shape[1]}], one weight per edge, got "
            f"{list(edge_weight.shape)}{hint}"
        )


def check_degrees(adjacency: Floats, normalization: Normalization | None, graph: str) -> None:
    """Refuses negative degrees where they would be divided by."""
    if normalization is None:
        return
    degree = adjacency.sum(-1)
    if (degree < 0).any():
        at = int(degree.argmin())
        raise ValueError(
            f"{graph}: node {at} has negative degree {degree[at]:g}, so the normalised Laplacian "
            "does not exist; use normalization=None or non-negative weights"
        )


def _inverse_sqrt(degree: Floats) -> Floats:
    safe = np.where(degree > 0, degree, 1.0)
    return np.where(degree > 0, 1.0 / np.sqrt(safe), 0.0)
