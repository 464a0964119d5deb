"""The Hodge 1-Laplacian of a graph, and what its eigenspaces say about each edge."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from torch import Tensor

from ogeaug.checks import check_counts
from ogeaug.graph.adjacencies import adjacencies
from ogeaug.graph.edge_list import EdgeList, list_edges, to_columns
from ogeaug.graph.edges import Directed, Floats
from ogeaug.spectrum.memory import announce
from ogeaug.walks.node_walk import SMALLEST, check_weights

FIELDS = 4  # present, eigenvalue, diagonal, row sum
AMONG, MOST, ZERO = 10, 5, 1e-4  # of the authors: see edge_parts
SMALL = 150  # edges up to which all eigenpairs are as fast as a few


def hodge_laplacian(edges: EdgeList) -> Floats:
    r"""The Hodge 1-Laplacian of the complex of nodes, edges and triangles.

    .. math:: L_1 = W^{1/2} B_1^T B_1 W^{1/2} + W^{-1/2} B_2 B_2^T W^{-1/2}

    with the boundary matrices :math:`B_1 \in \{-1,0,1\}^{n \times m}` of the edges, oriented from
    the lower to the higher node, and :math:`B_2 \in \{-1,0,1\}^{m \times t}` of the triangles, and
    the edge weights W. As :math:`B_1 B_2 = 0`, its kernel counts the cycles that no triangles
    fill, whatever the weights.

    Shapes:
        - m edges -> ``[m, m]``

    Example:
        >>> triangle = list_edges(np.ones((3, 3)) - np.eye(3))
        >>> hodge_laplacian(triangle)
        array([[3., 0., 0.],
               [0., 3., 0.],
               [0., 0., 3.]])
    """
    m = len(edges.weight)
    root = np.sqrt(edges.weight)
    boundary1 = edges.incidence * root
    boundary1[edges.ends[:, 0], np.arange(m)] *= -1
    low, middle, high = triangles(edges).T
    # Three entries in each column of B2: nine in each term of the sum over triangles.
    side = np.stack(
        [edges.number[middle, high], edges.number[low, high], edges.number[low, middle]]
    )
    value = np.array([[1.0], [-1.0], [1.0]]) / root[side]  # [3, t]
    cell, entry = side[:, None] * m + side, value[:, None] * value  # [3, 3, t]
    upper = np.bincount(cell.ravel(), entry.ravel(), m * m).reshape(m, m)
    laplacian: Floats = boundary1.T @ boundary1 + upper
    return laplacian


def triangles(edges: EdgeList) -> NDArray[np.int64]:
    """All triangles ``[t, 3]``, nodes ascending."""
    joined = edges.number >= 0  # [n, n]
    low, high = edges.ends.T
    third = joined[low] & joined[high]  # [m, n]
    third &= np.arange(len(joined)) > high[:, None]
    edge, node = np.nonzero(third)
    return np.stack([low[edge], high[edge], node], 1)


def edge_projections(edges: EdgeList, k: int, tolerance: float = 1e-6) -> Floats:
    r"""What the projectors :math:`P_i` on the k lowest eigenspaces of L1 say about each edge e.

    1 (0 where there is no i-th eigenspace), :math:`\lambda_i`, :math:`(P_i)_{ee}` and
    :math:`\sum_f |(P_i)_{ef}| / \sqrt m`: all of them independent of the basis of the eigenspace
    and of the orientation of the edges, which changes signs in rows and columns of :math:`P_i`.

    Args:
        edges: Of one graph.
        k: Eigenspaces to use.
        tolerance: Eigenvalues less than this apart belong to one eigenspace.

    Shapes:
        - m edges -> ``[m, k, 4]``
    """
    m = len(edges.weight)
    out = np.zeros((m, k, FIELDS))
    if m == 0:
        return out
    eigvals, eigvecs, bounds = lowest_spaces(hodge_laplacian(edges), k, tolerance)
    for i, (a, b) in enumerate(pairwise(bounds)):
        projector = eigvecs[:, a:b] @ eigvecs[:, a:b].T  # [m, m]
        out[:, i, 0] = 1.0
        out[:, i, 1] = eigvals[a:b].mean()
        out[:, i, 2] = projector.diagonal()
        out[:, i, 3] = np.abs(projector).sum(1) / np.sqrt(m)
    return out


def edge_parts(edges: EdgeList, k: int) -> Floats:
    r"""The projectors on the kernel and on the lowest other eigenvectors, and k eigenvectors.

    Row 0 of edge e is :math:`(\sum_f |P_{ef}|, \sum_f |P'_{ef}| / \sqrt m)`, where P projects on
    the kernel of :math:`L_1` and P' on the lowest eigenvectors after it, at most 5 each of the 10
    lowest, even if that cuts an eigenspace in two (as the authors have it; eigenvalues below 1e-4
    count as 0). Row i is :math:`(v_{ie}, \lambda_i)`; it depends
    on the sign and basis of the eigenvector, and on the orientation of the edge from the lower to
    the higher node. Zeros stand for eigenpairs that are not there.

    Args:
        edges: Of one graph.
        k: Eigenvectors to give out.

    Shapes:
        - m edges -> ``[m, 1 + k, 2]``
    """
    m = len(edges.weight)
    out = np.zeros((m, 1 + k, 2))
    if m == 0:
        return out
    eigvals, eigvecs = np.linalg.eigh(hodge_laplacian(edges))
    zero = eigvals[:AMONG] < ZERO
    for place, chosen in enumerate((zero, ~zero)):
        V = eigvecs[:, np.flatnonzero(chosen)[:MOST]]  # [m, at most 5]
        out[:, 0, place] = np.abs(V @ V.T).sum(1)
    out[:, 0, 1] /= np.sqrt(m)
    there = min(m, k)
    out[:, 1 : 1 + there, 0] = eigvecs[:, :there]
    out[:, 1 : 1 + there, 1] = eigvals[:there]
    return out


def lowest_spaces(
    matrix: Floats, k: int, tolerance: float
) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """The k lowest eigenspaces of a symmetric matrix: eigenpairs, and where the spaces begin.

    A few of the lowest eigenpairs are enough if they hold k + 1 eigenspaces, the last of which may
    be cut; if not, all are computed.

    Shapes:
        - matrix ``[m, m]`` -> eigvals ``[r]``, eigvecs ``[m, r]``, bounds ``[s + 1]`` with s <= k
    """
    m, few = len(matrix), 2 * k
    if m > SMALL and few < m:
        eigvals, eigvecs = eigh(matrix, subset_by_index=(0, few - 1), check_finite=False)
        bounds = _bounds(eigvals, tolerance)
        if len(bounds) > k + 1:
            return eigvals, eigvecs, bounds[: k + 1]
    eigvals, eigvecs = np.linalg.eigh(matrix)
    return eigvals, eigvecs, _bounds(eigvals, tolerance)[: k + 1]


def _bounds(eigvals: Floats, tolerance: float) -> NDArray[np.int64]:
    starts = np.flatnonzero(np.diff(eigvals) >= tolerance) + 1
    return np.concatenate([[0], starts, [len(eigvals)]])


def hodge_statistics(
    edge_index: Tensor,
    num_nodes: Tensor,
    edge_weight: Tensor | None = None,
    *,
    k: int,
    parts: bool = False,
    directed: Directed = "symmetrize",
) -> Tensor:
    """:func:`edge_projections` for the columns of a batch's edge_index.

    Both directions of an edge have the same values; self-loops and edges of weight 0 have zeros.
    Time and memory of a graph grow with the cube and the square of its edges (a second for 2,000).

    Args:
        edge_index, num_nodes, edge_weight, directed: See
            :func:`ogeaug.walks.node_walk.node_walks`.
        k: Eigenspaces to use.
        parts: Whether what is wanted is :func:`edge_parts` instead.

    Shapes:
        - E columns of edge_index -> ``[E, k, 4]``, float64; parts ``[E, 1 + k, 2]``
    """
    check_counts(k=k)
    announce("a Hodge Laplacian", num_nodes.tolist(), copies=4)
    stacks, names = adjacencies(edge_index, num_nodes, edge_weight, directed)
    counts = [int(np.count_nonzero(matrix)) // 2 for _, stack in stacks for matrix in stack]
    announce("a Hodge Laplacian", counts, "edges", copies=0, work=6)
    lists: dict[int, EdgeList] = {}
    for graphs, stack in stacks:
        for g, matrix in zip(graphs, stack, strict=True):
            check_weights(matrix, names[g], smallest=SMALLEST)
            lists[g] = list_edges(matrix)
    describe, shape = (edge_parts, (1 + k, 2)) if parts else (edge_projections, (k, FIELDS))
    found = {g: describe(edges, k) for g, edges in lists.items()}
    return to_columns(found, lists, edge_index, num_nodes, shape)
