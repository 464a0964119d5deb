import networkx as nx
import numpy as np
from hypothesis import given

from ogeaug.graph.edges import adjacency
from ogeaug.graph.laplacian import laplacian, random_walk_scale
from tests.graphs import HARD, graphs


@given(graphs())
def test_agrees_with_networkx(data):
    weight = None if "edge_weight" not in data else data.edge_weight.double().numpy()
    adj = adjacency(data.edge_index.numpy(), data.num_nodes, weight)
    graph = nx.from_numpy_array(adj)
    np.testing.assert_allclose(laplacian(adj), nx.laplacian_matrix(graph).toarray())
    normalized = nx.normalized_laplacian_matrix(graph).toarray()
    np.testing.assert_allclose(laplacian(adj, "sym"), normalized, atol=1e-12)


def test_random_walk_eigenvectors():
    adj = adjacency(HARD["weighted"].edge_index.numpy(), 12, HARD["weighted"].edge_weight.numpy())
    eigvals, eigvecs = np.linalg.eigh(laplacian(adj, "rw"))
    eigvecs *= random_walk_scale(adj)[:, None]
    random_walk = np.eye(12) - adj / adj.sum(1, keepdims=True)
    np.testing.assert_allclose(random_walk @ eigvecs, eigvecs * eigvals, atol=1e-12)
