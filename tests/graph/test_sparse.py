"""Sparse matrices are the dense ones without their zeros."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ogeaug.graph.edges import adjacency
from ogeaug.graph.laplacian import laplacian
from ogeaug.graph.sparse import sparse_adjacency, sparse_laplacian

WEIGHTS = st.sampled_from([-1.0, 0.0, 0.5, 1.0, 3.0])


@st.composite
def edge_lists(draw):
    """Self-loops, parallel edges, one direction or both, weights that cancel."""
    size = draw(st.integers(1, 5))
    node = st.integers(0, size - 1)
    edges = draw(st.lists(st.tuples(node, node), max_size=12))
    weight = draw(st.lists(WEIGHTS, min_size=len(edges), max_size=len(edges)))
    return np.array(edges, np.int64).reshape(-1, 2).T, size, np.array(weight)


@given(edge_lists())
def test_adjacency(edge_list):
    edges, size, weight = edge_list
    for given_weight in (None, weight):
        found = sparse_adjacency(edges, size, given_weight)
        np.testing.assert_allclose(found.toarray(), adjacency(edges, size, given_weight))
        assert (found.data != 0).all()


@given(edge_lists(), st.sampled_from([None, "sym", "rw"]))
def test_laplacian(edge_list, normalization):
    edges, size, weight = edge_list
    weight = abs(weight)
    found = sparse_laplacian(sparse_adjacency(edges, size, weight), normalization)
    expected = laplacian(adjacency(edges, size, weight), normalization)
    np.testing.assert_allclose(found.toarray(), expected, atol=1e-15)


@given(edge_lists())
def test_the_same_edges_are_refused(edge_list):
    edges, size, weight = edge_list
    answers = []
    for make in (adjacency, lambda *a, **b: sparse_adjacency(*a, **b).toarray()):
        try:
            answers.append(make(edges, size, weight, directed="refuse").tolist())
        except ValueError as error:
            answers.append(str(error).partition(":")[0])
    assert answers[0] == answers[1]


def test_bad_edges():
    with pytest.raises(ValueError, match=r"edge 0 \(0 -> 7\) names a node outside"):
        sparse_adjacency(np.array([[0], [7]]), 3)
