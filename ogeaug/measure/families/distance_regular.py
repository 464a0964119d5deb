"""Distance-regular graphs that are not strongly regular."""

from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from ogeaug.measure.families.strongly_regular import rook, shrikhande

Matrix = NDArray[Any]


def hadamard_matrices() -> list[Matrix]:
    """Four Hadamard matrices of order 16, not equivalent even by transposing.

    The first is Sylvester's; each other one is the one before it with four rows switched: their
    columns are of four kinds up to sign, and those of the first kind change sign.
    """
    two = np.array([[1, 1], [1, -1]])
    matrix = np.kron(np.kron(two, two), np.kron(two, two))
    matrices = [matrix]
    for rows in ([0, 1, 2, 3], [0, 1, 4, 5], [0, 1, 8, 9]):
        part = matrix[rows] * matrix[rows[0]]  # [4, 16]
        same = (part == part[:, :1]).all(0)  # [16]
        matrix = matrix.copy()
        matrix[rows] *= np.where(same, -1, 1)
        matrices.append(matrix)
    return matrices


def hadamard_graph(matrix: Matrix) -> nx.Graph:
    """Rows and columns, each with both signs; adjacent if the entry has the product of the signs.

    Example:
        >>> len(hadamard_graph(hadamard_matrices()[0]))
        64
    """
    positive = (matrix > 0).astype(int)
    return _incidence(np.block([[positive, 1 - positive], [1 - positive, positive]]))


def hadamard_design(matrix: Matrix) -> nx.Graph:
    """The incidence graph of the design 2-(n - 1, n / 2 - 1, n / 4 - 1): rows and columns but the
    first, adjacent where the entry is 1 once the first row and column are made 1."""
    normal = matrix * matrix[:1] * matrix[:, :1] * matrix[0, 0]
    return _incidence((normal[1:, 1:] > 0).astype(int))


def hamming_and_doob() -> tuple[nx.Graph, nx.Graph]:
    """The Hamming graph H(3, 4) and the Doob graph of equal parameters, on 64 nodes."""
    clique = nx.complete_graph(4)
    return nx.cartesian_product(rook(), clique), nx.cartesian_product(shrikhande(), clique)


def _incidence(matrix: Matrix) -> nx.Graph:
    zero = np.zeros_like(matrix)
    return nx.from_numpy_array(np.block([[zero, matrix], [matrix.T, zero]]))
