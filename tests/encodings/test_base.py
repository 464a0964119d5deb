import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from ogeaug.graph.laplacian import adjacency
from ogeaug.graph.neighbours import neighbours


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
