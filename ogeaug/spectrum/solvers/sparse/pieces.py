"""A connected component of a graph, and its lowest eigenpairs."""

import numpy as np
from scipy.sparse import csr_array

from ogeaug.graph.edges import Floats
from ogeaug.graph.laplacian import Normalization
from ogeaug.graph.sparse import sparse_laplacian
from ogeaug.spectrum.solvers.sparse.factor import MOST_FILL, count_below, fill_bound
from ogeaug.spectrum.solvers.sparse.lowest import lowest_pairs, residual

DENSE = 1_000
"""Up to so many nodes a component is decomposed whole."""


class Piece:
    """A connected component.

    Attributes:
        nodes: ``[n]``, which of the graph.
        eigvals: ``[K]`` ascending, those that were found so far.
        eigvecs: ``[n, K]``.
    """

    def __init__(self, nodes: np.ndarray, matrix: csr_array, null: Floats) -> None:
        self.nodes, self.matrix, self.null = nodes, matrix, null
        self.eigvals, self.eigvecs = np.zeros(1), null[:, None]
        self.divides = False
        self._seed = 0

    @property
    def whole(self) -> bool:
        return len(self.eigvals) == len(self.nodes)

    def find(self, count: int) -> None:
        """Finds at least so many eigenpairs, or all."""
        size = len(self.nodes)
        if self.whole or count <= len(self.eigvals):
            return
        if size <= DENSE or 4 * count > size:
            self.eigvals, self.eigvecs = np.linalg.eigh(self.matrix.toarray())
            return
        self.divides = self.divides or fill_bound(self.matrix) <= MOST_FILL
        self.eigvals, self.eigvecs = lowest_pairs(
            self.matrix, self.null, count, divide=self.divides, seed=self._seed
        )

    def missing_below(self, sigma: float, room: float) -> int | None:
        """How many eigenvalues below sigma were not found; None if that could not be proven.

        Args:
            sigma: No eigenvalue.
            room: How far from it the nearest that was found is.
        """
        if self.whole:
            return 0
        if not self.divides or residual(self.matrix, self.eigvals, self.eigvecs) > 1e-2 * room:
            return None
        there = count_below(self.matrix, sigma, room)
        return None if there is None else there - int((self.eigvals < sigma).sum())

    def look_again(self, count: int) -> None:
        """Finds eigenpairs once more, from another start."""
        self._seed += 1
        self.eigvals, self.eigvecs = self.eigvals[:1], self.eigvecs[:, :1]
        self.find(count)


def split(
    adjacency: csr_array, normalization: Normalization | None, label: np.ndarray
) -> list[Piece]:
    """The components of a graph without negative weights.

    Shapes:
        - adjacency ``[n, n]``, label ``[n]``, the component of each node
    """
    matrix = sparse_laplacian(adjacency, normalization)
    order, ends = np.argsort(label, kind="stable"), np.cumsum(np.bincount(label))
    matrix = csr_array(matrix[order][:, order])
    degree = adjacency.sum(axis=1)[order]
    null = np.ones(len(order)) if normalization is None else np.sqrt(degree)
    pieces = []
    for a, b in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True):
        own = null[a:b] if b - a > 1 else np.ones(1)  # a node without edges has degree 0
        pieces.append(Piece(order[a:b], _block(matrix, a, b), own / np.linalg.norm(own)))
    return pieces


def _block(matrix: csr_array, a: int, b: int) -> csr_array:
    """Rows and columns a to b of a matrix that has nothing beside them."""
    start = matrix.indptr[a : b + 1]
    inside = slice(start[0], start[-1])
    parts = matrix.data[inside], matrix.indices[inside] - a, start - start[0]
    return csr_array(parts, shape=(b - a, b - a))
