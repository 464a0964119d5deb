"""What a list of edges means, in NumPy and in PyTorch."""

import re
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import ogeaug
from ogeaug.graph.edges import LARGEST_WEIGHT, adjacency, neighbours


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


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.5, 1.0, 2.0]))),
    st.booleans(),
)
def test_neighbours_follow_the_rules_of_the_adjacency_matrix(edges, weighted):
    """Self-loops, parallel, one-directional and unequal edges: one rule in two places."""
    index = torch.tensor([edge[:2] for edge in edges], dtype=torch.long).reshape(-1, 2).T
    weight = torch.tensor([edge[2] for edge in edges], dtype=torch.float64) if weighted else None
    found, values = neighbours(index, 6, weight)
    dense = np.zeros((6, 6))
    dense[found[0], found[1]] = 1.0 if values is None else values
    expected = adjacency(index.numpy(), 6, None if weight is None else weight.numpy())
    np.testing.assert_allclose(dense, expected)


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


def test_the_core_has_the_same_largest_weight():
    header = (Path(ogeaug.__file__).parent / "native/src/digest.h").read_text(encoding="utf-8")
    found = re.search(r"kLargestWeight = ([^;]+);", header)
    assert float(found[1]) == LARGEST_WEIGHT
