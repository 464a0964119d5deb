"""Sparse adjacency matrices and Laplacians, by the rules of :mod:`ogeaug.graph.edges`."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, diags_array

from ogeaug.graph.edges import Directed, Floats, check_edges, refuse_directed
from ogeaug.graph.laplacian import Normalization, inverse_sqrt


def sparse_adjacency(
    edge_index: NDArray[np.int64],
    num_nodes: int,
    edge_weight: Floats | None = None,
    *,
    directed: Directed = "symmetrize",
    graph: str = "the graph",
) -> csr_array:
    """What :func:`ogeaug.graph.edges.adjacency` gives, without its zeros; arguments as there.

    Shapes:
        - edge_index ``[2, E]``, edge_weight ``[E]`` -> ``[n, n]``

    Example:
        >>> sparse_adjacency(np.array([[0, 1], [1, 2]]), 3).toarray()[1]
        array([1., 0., 1.])
    """
    check_edges(edge_index, num_nodes, edge_weight, graph)
    weight = np.ones(edge_index.shape[1]) if edge_weight is None else edge_weight
    proper = edge_index[0] != edge_index[1]
    row, col = edge_index[:, proper]
    shape = (num_nodes, num_nodes)
    weights = coo_array((weight[proper], (row, col)), shape).tocsr()  # adds parallel edges
    difference = abs(weights - weights.T)
    if difference.nnz and difference.max() > 0:
        if directed == "refuse":
            largest = abs(weights).maximum(abs(weights.T))
            apart = (difference - 1e-12 * largest).tocoo()
            if (apart.data > 0).any():
                at = int(apart.data.argmax())
                i, j = int(apart.row[at]), int(apart.col[at])
                raise refuse_directed(graph, i, j, weights[i, j], weights[j, i])
        listed = coo_array((np.ones(len(row)), (row, col)), shape).tocsr()
        listed.data[:] = 1.0
        mirrored = listed + listed.T  # 2 where both directions are listed
        mirrored.data = 1.0 / mirrored.data
        weights = ((weights + weights.T) * mirrored).tocsr()
    weights.eliminate_zeros()
    return weights


def sparse_laplacian(adjacency: csr_array, normalization: Normalization | None = None) -> csr_array:
    """What :func:`ogeaug.graph.laplacian.laplacian` gives of one graph, without its zeros.

    Shapes:
        - adjacency ``[n, n]`` -> ``[n, n]``
    """
    degree = adjacency.sum(axis=1)
    matrix = diags_array(degree) - adjacency
    if normalization is not None:
        scale = diags_array(inverse_sqrt(degree))
        matrix = scale @ matrix @ scale
    return csr_array(matrix)
