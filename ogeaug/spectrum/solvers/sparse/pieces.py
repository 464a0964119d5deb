"""A connected component of a graph, and its lowest eigenpairs."""

import numpy as np
from scipy.sparse import csr_array

from ogeaug.graph.edges import Floats
from ogeaug.graph.laplacian import Normalization
from ogeaug.graph.sparse import sparse_laplacian
from ogeaug.spectrum.memory import check_room
from ogeaug.spectrum.solvers.sparse.factor import MOST_FILL, count_below, fill_bound
from ogeaug.spectrum.solvers.sparse.lowest import NotFound, highest, lowest_pairs, residual

DENSE = 1_000
"""Up to so many nodes a component is decomposed whole."""
BEARABLE = 4_000
"""Up to so many nodes it is, where else nobody would know that its lowest eigenpairs are right:
that takes some 20 s (2,700 take 6)."""
FULL = 1 / 20
"""Of its matrix that is not 0: from there, and if bearable, it is decomposed whole, too (measured:
the factors of K(500, 1010) take longer, those of a regular graph of 1,500 nodes and degree 100 half
as long, and two or more are needed)."""
VECTORS = 6
"""Numbers per node and eigenpair that are alive at once."""
MATRICES = 4
"""Dense ones that are alive at once where a component is decomposed whole."""


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
        full = size <= BEARABLE and self.matrix.nnz > FULL * size**2
        if size <= DENSE or 4 * count > size or full:
            self._find_all()
            return
        check_room(f"{count:,} eigenpairs of a component of {size:,} nodes", room(size, count))
        self.divides = self.divides or fill_bound(self.matrix) <= MOST_FILL
        try:
            self.eigvals, self.eigvecs = lowest_pairs(
                self.matrix, self.null, count, divide=self.divides, seed=self._seed
            )
        except NotFound:
            if size > BEARABLE:
                raise
            self._find_all()

    def _find_all(self) -> None:
        size = len(self.nodes)
        if size > DENSE:
            check_room(
                f"all eigenpairs of a component of {size:,} nodes",
                8 * MATRICES * size**2,
                "ask for fewer (k); if most of its eigenvalues are below 1e-6, where all are kept, "
                "multiply the weights of edges",
            )
        self.eigvals, self.eigvecs = np.linalg.eigh(self.matrix.toarray())

    def largest(self) -> float:
        """The largest eigenvalue, to about a thousandth."""
        return float(self.eigvals[-1]) if self.whole else highest(self.matrix)

    def missing_below(self, sigma: float) -> int | None:
        """How many eigenvalues below sigma, which is none, were not found; None if nobody knows."""
        if self.whole:
            return 0
        room = float(np.abs(self.eigvals - sigma).min())
        if not self.divides or residual(self.matrix, self.eigvals, self.eigvecs) > 1e-2 * room:
            return None
        there = count_below(self.matrix, sigma, room)
        return None if there is None else there - int((self.eigvals < sigma).sum())

    def look_again(self, missing: int | None) -> bool:
        """Finds eigenpairs once more, all or from another start; whether there is hope in that."""
        if missing == 0 or self.whole:
            return False
        if len(self.nodes) <= BEARABLE:
            self._find_all()
            return True
        if missing is None:
            return False
        self._seed += 1
        count = len(self.eigvals) + abs(missing)
        self.eigvals, self.eigvecs = self.eigvals[:1], self.eigvecs[:, :1]
        self.find(count)
        return True


def room(size: int, count: int) -> int:
    """Bytes that so many eigenpairs need."""
    return 8 * VECTORS * size * count


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
