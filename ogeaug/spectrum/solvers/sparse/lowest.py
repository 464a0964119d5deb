r"""The lowest eigenpairs of the sparse Laplacian of one connected graph."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from ogeaug.graph.edges import Floats
from ogeaug.spectrum.solvers.sparse.factor import factorise

ABOVE_NULL = 1e-9
"""What is added to the matrix before it is divided by, of its mean diagonal: it is singular."""
MOST_ROUNDS, MOST_DIVIDED = 2_000, 200
"""Of Lanczos without factors and with them, where a dozen do unless round-off is in the way."""
ACCURACY = 1e-12
"""Of Lanczos without factors, of the largest eigenvalue."""
ROUGHLY = 1e-3
"""How well the largest eigenvalue is known, of itself: it only scales a tolerance."""


class NotFound(ValueError):
    """Lanczos' method did not come to an end, or the matrix has no factors."""


def lowest_pairs(
    matrix: csr_array, null: Floats, count: int, *, divide: bool, seed: int = 0
) -> tuple[Floats, Floats]:
    """The lowest eigenpairs, ascending, by Lanczos' method (ARPACK).

    Lanczos finds the ends of a spectrum first. Divided by, the low end is far from all others, and
    is found at full accuracy in a few steps. Otherwise many more steps are needed, each cheaper.
    The eigenvector of 0 is known, so it is kept out. What is found is improved once, as the
    eigenpairs of the matrix within the space that they span.

    Args:
        matrix: Symmetric, no eigenvalue negative, 0 just once.
        null: Its eigenvector of 0, of length 1.
        count: How many, 0 among them; at least 2 and much fewer than rows.
        divide: Whether factors of the matrix fit into memory.
        seed: Of the vector to start from.

    Shapes:
        - matrix ``[n, n]``, null ``[n]`` -> eigvals ``[count]``, eigvecs ``[n, count]``
    """
    start = _beside(null, np.random.default_rng(seed).standard_normal(len(null)))
    solve = _by_division if divide else _by_products
    try:
        vectors = solve(matrix, null, count - 1, start)
    except RuntimeError as error:  # of ARPACK and SuperLU
        raise NotFound(
            f"the {count} lowest eigenpairs of a component with {len(null):,} nodes were not found "
            f"({error}): they lie too close to each other, compared with the largest eigenvalue. "
            "Ask for fewer (k), or bring the weights of edges nearer to each other"
        ) from error
    found = np.linalg.qr(np.column_stack([null, vectors]))[0]
    within = found.T @ (matrix @ found)
    eigvals, turn = np.linalg.eigh((within + within.T) / 2)
    return eigvals, found @ turn


def residual(matrix: csr_array, eigvals: Floats, eigvecs: Floats) -> float:
    """How far pairs are from being eigenpairs: an eigenvalue is at most so far from each."""
    return float(np.linalg.norm(matrix @ eigvecs - eigvecs * eigvals, axis=0).max())


def highest(matrix: csr_array) -> float:
    """The largest eigenvalue, to about a thousandth; a bound of at most twice that if need be.

    Example:
        >>> from ogeaug.graph.sparse import sparse_adjacency, sparse_laplacian
        >>> path = sparse_adjacency(np.array([range(99), range(1, 100)]), 100)
        >>> round(highest(sparse_laplacian(path)), 1)
        4.0
    """
    start = np.random.default_rng(0).standard_normal(matrix.shape[0])
    try:
        found = eigsh(matrix, 1, which="LA", v0=start, tol=ROUGHLY, return_eigenvectors=False)
    except ArpackNoConvergence:
        return bound(matrix)
    return float(found[0])


def bound(matrix: csr_array) -> float:
    """No eigenvalue is above it; the largest is at least half of it."""
    return 2.0 * float(matrix.diagonal().max())


def _by_division(matrix: csr_array, null: Floats, count: int, start: Floats) -> Floats:
    shift = -ABOVE_NULL * matrix.diagonal().mean()
    factors = factorise(matrix, shift)
    divide = LinearOperator(
        matrix.shape, lambda x: _beside(null, factors.solve(_beside(null, x))), dtype=np.float64
    )
    vectors: Floats = eigsh(
        matrix, count, sigma=shift, OPinv=divide, v0=start, tol=0, maxiter=MOST_DIVIDED
    )[1]
    return vectors


def _by_products(matrix: csr_array, null: Floats, count: int, start: Floats) -> Floats:
    top = bound(matrix)
    turned = LinearOperator(
        matrix.shape, lambda x: _beside(null, top * x - matrix @ x), dtype=np.float64
    )
    width = min(max(2 * count + 1, 60), matrix.shape[0] - 1)
    vectors: Floats = eigsh(
        turned, count, which="LA", ncv=width, v0=start, tol=ACCURACY, maxiter=MOST_ROUNDS
    )[1]
    return vectors


def _beside(null: Floats, x: Floats) -> Floats:
    """The part of a vector that is orthogonal to the null space."""
    x = x.reshape(-1)
    return x - null * (null @ x)
