import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from ogeaug.graph.laplacian import adjacency, laplacian, random_walk_scale
from tests.graphs import HARD, graphs


def edges(*pairs):
    return np.array(pairs, dtype=np.int64).reshape(-1, 2).T


def test_self_loops_do_not_count():
    loops = edges((0, 1), (1, 0), (1, 1))
    assert np.array_equal(adjacency(loops, 2), adjacency(edges((0, 1), (1, 0)), 2))


def test_parallel_edges_add_up():
    assert adjacency(edges((0, 1), (1, 0), (0, 1), (1, 0)), 2)[0, 1] == 2


def test_one_directional_edges_count_in_both():
    assert np.array_equal(adjacency(edges((0, 1)), 2), [[0, 1], [1, 0]])


def test_unequal_weights_are_averaged():
    weights = adjacency(edges((0, 1), (1, 0), (1, 2)), 3, np.array([1.0, 3.0, 5.0]))
    assert np.array_equal(weights, [[0, 2, 0], [2, 0, 5], [0, 5, 0]])


def test_directed_edges_can_be_refused():
    with pytest.raises(ValueError, match="edge 0 -> 1 has weight 1, its mirror 0; make it undir"):
        adjacency(edges((0, 1)), 2, directed="refuse")
    adjacency(edges((0, 1), (1, 0)), 2, directed="refuse")


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


@pytest.mark.parametrize(
    ("edge_index", "num_nodes", "weight", "message"),
    [
        (edges((0, 5)), 3, None, r"edge 0 \(0 -> 5\) names a node outside 0..2"),
        (edges((0, 1), (-1, 0)), 3, None, r"edge 1 \(-1 -> 0\) names a node outside 0..2"),
        (edges((0, 1)), 0, None, "has no nodes"),
        (edges((0, 1)).T.reshape(-1), 2, None, r"edge_index must be \[2, E\], got \[2\]"),
        (edges((0, 1)), 2, np.array([np.nan]), r"edge 0 \(0 -> 1\) has weight nan"),
        (edges((0, 1)), 2, np.array([np.inf]), r"edge 0 \(0 -> 1\) has weight inf"),
        (edges((0, 1)), 2, np.array([1.0, 2.0]), r"edge_weight must be \[1\].*got \[2\]"),
    ],
)
def test_bad_edges_are_named(edge_index, num_nodes, weight, message):
    with pytest.raises(ValueError, match=f"ethanol.*{message}"):
        adjacency(edge_index, num_nodes, weight, graph="ethanol")


def test_edges_must_be_integers():
    with pytest.raises(TypeError, match=r"must hold integers, got float64; use edge_index.long"):
        adjacency(edges((0, 1)).astype(float), 2)
