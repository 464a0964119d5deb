r"""Triangular factors of sparse symmetric matrices: to divide by one, and to count eigenvalues.

By Sylvester's law of inertia :math:`L - \sigma I = M U` with symmetric pivoting has as many
negative numbers on the diagonal of U as L has eigenvalues below :math:`\sigma`: a proof that none
was overlooked, where an iterative solver can only say that those it has found are right.
"""

from collections import deque

import numpy as np
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.csgraph import reverse_cuthill_mckee
from scipy.sparse.linalg import SuperLU, splu

MOST_FILL = 1e8
"""Of :func:`fill_bound`, for which we still factorise (measured: 5.6e7 for a random 3-regular graph
of 20,000 nodes, whose factors have a fifth of that and take 31 s; it grows with the square)."""


def factorise(matrix: csr_array, shift: float) -> SuperLU:
    """Factors of matrix - shift I, whose rows and columns are ordered alike."""
    shifted = csc_array(matrix - shift * eye_array(matrix.shape[0]))
    options = {"SymmetricMode": True}
    return splu(shifted, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)


def count_below(matrix: csr_array, sigma: float, room: float) -> int | None:
    """How many eigenvalues are below sigma; None if that could not be proven.

    Args:
        matrix: Sparse, symmetric.
        sigma: No eigenvalue.
        room: How far the nearest eigenvalue is supposed to be. The factors are those of a matrix
            nearby; it must be much nearer.
    """
    try:
        factors = factorise(matrix, sigma)
    except RuntimeError:  # exactly singular
        return None
    if not np.array_equal(factors.perm_r, factors.perm_c):
        return None  # it had to swap rows, so signs say nothing
    wanted = np.random.default_rng(0).standard_normal((matrix.shape[0], 2))
    found = factors.solve(wanted)
    error = matrix @ found - sigma * found - wanted
    with np.errstate(invalid="ignore"):
        apart = np.linalg.norm(error, axis=0) / np.linalg.norm(found, axis=0)
    if not (apart < 1e-2 * room).all():  # NaN, too
        return None
    return int((factors.U.diagonal() < 0).sum())


def fill_bound(matrix: csr_array) -> int:
    """About how many numbers the factors have, at most: the profile of the matrix, well ordered.

    Trees that hang on the graph are not counted, since they fill nothing.

    Example:
        >>> from ogeaug.graph.sparse import sparse_adjacency, sparse_laplacian
        >>> path = sparse_adjacency(np.array([[0, 1, 2], [1, 2, 3]]), 4)
        >>> fill_bound(sparse_laplacian(path))
        3
    """
    adjacency = matrix.copy()
    adjacency.setdiag(0)
    adjacency.eliminate_zeros()
    bound = _profile(adjacency)
    if bound <= MOST_FILL:
        return bound
    core = _without_trees(adjacency)
    return adjacency.shape[0] + _profile(adjacency[core][:, core])


def _profile(adjacency: csr_array) -> int:
    if adjacency.shape[0] == 0:
        return 0
    order = reverse_cuthill_mckee(csr_array(adjacency), symmetric_mode=True)
    ordered = adjacency[order][:, order].tocoo()
    first = np.arange(adjacency.shape[0])  # the first column of each row that is not 0
    np.minimum.at(first, ordered.row, ordered.col)
    return int((np.arange(len(first)) - first).sum())


def _without_trees(adjacency: csr_array) -> np.ndarray:
    """The nodes that remain when those with one neighbour are removed, over and over."""
    start, neighbour = adjacency.indptr, adjacency.indices
    degree = np.diff(start)
    there = degree > 1
    leaves = deque(np.flatnonzero(~there).tolist())
    while leaves:
        node = leaves.popleft()
        for other in neighbour[start[node] : start[node + 1]].tolist():
            degree[other] -= 1
            if there[other] and degree[other] <= 1:
                there[other] = False
                leaves.append(other)
    return np.flatnonzero(there)
