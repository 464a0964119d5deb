"""Walks on nodes against matrix powers."""

import pytest
import torch
from torch_geometric.transforms import AddRandomWalkPE

from ogeaug.graph.edges import adjacency
from ogeaug.walks.node_walk import node_walks
from tests.graphs import HARD


def walks(data, **options):
    return node_walks(
        data.edge_index, torch.tensor([data.num_nodes]), data.get("edge_weight"), **options
    )


@pytest.mark.parametrize("steps", [1, 2, 3, 8])
@pytest.mark.parametrize("graph", ["grid", "weighted", "star", "disconnected"])
def test_nodes_equal_matrix_powers(graph, steps):
    data = HARD[graph]
    weight = None if data.get("edge_weight") is None else data.edge_weight.double().numpy()
    A = torch.from_numpy(adjacency(data.edge_index.numpy(), data.num_nodes, weight))
    P = A / A.sum(1, keepdim=True)
    powers = [torch.linalg.matrix_power(P, t).diagonal() for t in range(1, steps + 1)]
    torch.testing.assert_close(walks(data, steps=steps), torch.stack(powers, 1))


@pytest.mark.parametrize("graph", ["grid", "rook", "no edges", "disconnected", "200 nodes"])
def test_equals_pyg(graph):
    data = HARD[graph]
    expected = AddRandomWalkPE(8, attr_name="pe")(data.clone()).pe
    torch.testing.assert_close(walks(data, steps=8).float(), expected)


def test_isolated_nodes_never_return():
    assert walks(HARD["no edges"], steps=4).abs().max() == 0


def test_errors_tell_what_is_wrong():
    edges = torch.tensor([[0], [1]])
    with pytest.raises(ValueError, match="steps must be at least 1, got 0"):
        node_walks(edges, torch.tensor([2]), steps=0)
    with pytest.raises(ValueError, match="weight -1; a random walk"):
        node_walks(edges, torch.tensor([2]), torch.tensor([-1.0]), steps=2)
