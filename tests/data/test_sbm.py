"""Generated PATTERN and CLUSTER graphs have the published statistics."""

import numpy as np
import pytest
import torch
from torch_geometric.utils import to_dense_adj

from ogeaug.data.sbm import generate_cluster, generate_pattern

PATTERN = generate_pattern(200, seed=3)
CLUSTER = generate_cluster(200, seed=3)


@pytest.mark.parametrize("graphs", [PATTERN, CLUSTER])
def test_graphs_are_simple_and_undirected(graphs):
    for data in graphs[:20]:
        A = to_dense_adj(data.edge_index, max_num_nodes=data.num_nodes)[0]
        assert torch.equal(A, A.T)
        assert A.max() == 1
        assert A.diagonal().sum() == 0
        assert data.x.shape == (data.num_nodes, 1)
        assert data.y.shape == (data.num_nodes,)


def test_cluster_statistics():
    nodes = np.mean([data.num_nodes for data in CLUSTER])
    edges = np.mean([data.edge_index.size(1) / 2 for data in CLUSTER])
    # Expected: 117 nodes (standard deviation of the mean 1.5) and 2,141 edges (55).
    assert abs(nodes - 117) < 6
    assert abs(edges - 2141) < 220
    for data in CLUSTER:
        x = data.x[:, 0]
        assert sorted(x[x > 0].tolist()) == [1, 2, 3, 4, 5, 6]
        assert torch.equal(data.y[x > 0], x[x > 0] - 1)
        assert torch.bincount(data.y).min() >= 5
        assert torch.bincount(data.y).max() <= 34
    within, between = densities(CLUSTER)
    assert abs(within - 0.55) < 0.01
    assert abs(between - 0.25) < 0.01


def test_pattern_statistics():
    nodes = np.mean([data.num_nodes for data in PATTERN])
    assert abs(nodes - 117) < 6
    for data in PATTERN:
        assert 5 <= data.y.sum() <= 34
        assert set(data.x[:, 0].tolist()) <= {0, 1, 2}
    inside = [to_dense_adj(d.edge_index)[0][d.y == 1][:, d.y == 0].mean() for d in PATTERN]
    assert abs(float(np.mean(inside)) - 0.5) < 0.01


def test_patterns_are_shared():
    def pattern(data):
        inside = data.y == 1
        A = to_dense_adj(data.edge_index, max_num_nodes=data.num_nodes)[0]
        spectrum = torch.linalg.eigvalsh(A[inside][:, inside].double())
        return spectrum, data.x[inside, 0].sort().values

    first, again = pattern(PATTERN[0]), pattern(PATTERN[100])
    torch.testing.assert_close(first[0], again[0])
    assert torch.equal(first[1], again[1])
    other = generate_pattern(1, seed=9, pattern_seed=3)[0]
    torch.testing.assert_close(pattern(other)[0], first[0])
    assert other.num_nodes != PATTERN[0].num_nodes or not torch.equal(other.x, PATTERN[0].x)


@pytest.mark.parametrize("generate", [generate_pattern, generate_cluster])
def test_seeds(generate):
    one, same, other = generate(2, seed=1), generate(2, seed=1), generate(2, seed=2)
    assert torch.equal(one[1].edge_index, same[1].edge_index)
    assert not torch.equal(one[1].y, other[1].y)


def test_errors_tell_what_is_wrong():
    with pytest.raises(ValueError, match="num_graphs must be at least 1, got 0"):
        generate_cluster(0)


def densities(graphs):
    counts = np.zeros((2, 2))
    for data in graphs:
        A = to_dense_adj(data.edge_index, max_num_nodes=data.num_nodes)[0]
        same = data.y[:, None] == data.y
        off = ~torch.eye(data.num_nodes, dtype=torch.bool)
        counts += [
            [A[same & off].sum(), (same & off).sum()],
            [A[~same].sum(), (~same).sum()],
        ]
    return counts[:, 0] / counts[:, 1]
