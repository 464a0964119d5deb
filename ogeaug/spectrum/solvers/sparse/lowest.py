r"""The lowest eigenpairs of the sparse Laplacian of one connected graph."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from ogeaug.graph.edges import Floats
from ogeaug.spectrum.solvers.sparse.factor import factorise

ABOVE_NULL = 1e-9
"""What is added to the matrix before it is divided by, of its mean diagonal: it is singular."""
MOST_ROUNDS = 2_000
ACCURACY = 1e-12
"""Of Lanczos without factors, of the largest eigenvalue."""


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
    found = np.linalg.qr(np.column_stack([null, solve(matrix, null, count - 1, start)]))[0]
    within = found.T @ (matrix @ found)
    eigvals, turn = np.linalg.eigh((within + within.T) / 2)
    return eigvals, found @ turn


def residual(matrix: csr_array, eigvals: Floats, eigvecs: Floats) -> float:
    """How far pairs are from being eigenpairs: an eigenvalue is at most so far from each."""
    return float(np.linalg.norm(matrix @ eigvecs - eigvecs * eigvals, axis=0).max())


def _by_division(matrix: csr_array, null: Floats, count: int, start: Floats) -> Floats:
    shift = -ABOVE_NULL * matrix.diagonal().mean()
    factors = factorise(matrix, shift)
    divide = LinearOperator(
        matrix.shape, lambda x: _beside(null, factors.solve(_beside(null, x))), dtype=np.float64
    )
    vectors: Floats = eigsh(matrix, count, sigma=shift, OPinv=divide, v0=start, tol=0)[1]
    return vectors


def _by_products(matrix: csr_array, null: Floats, count: int, start: Floats) -> Floats:
    top = 2 * matrix.diagonal().max()  # no eigenvalue is above it
    turned = LinearOperator(
        matrix.shape, lambda x: _beside(null, top * x - matrix @ x), dtype=np.float64
    )
    width = min(max(2 * count + 1, 60), matrix.shape[0] - 1)
    try:
        vectors: Floats = eigsh(
            turned, count, which="LA", ncv=width, v0=start, tol=ACCURACY, maxiter=MOST_ROUNDS
        )[1]
    except ArpackNoConvergence as error:
        raise ValueError(
            f"the {count} lowest eigenpairs of a graph with {len(null):,} nodes were not found in "
            f"{MOST_ROUNDS:,} rounds: they lie too close to each other. Ask for fewer (k)"
        ) from error
    return vectors


def _beside(null: Floats, x: Floats) -> Floats:
    """The part of a vector that is orthogonal to the null space."""
    x = x.reshape(-1)
    return x - null * (null @ x)
