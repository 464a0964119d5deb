"""Walks against matrix powers; walks on edges against walks on the nodes of the line graph."""

import networkx as nx
import pytest
import torch

from ogeaug.spectrum.laplacian import adjacency
from ogeaug.spectrum.random_walk import edge_walks, node_walks
from tests.graphs import HARD, to_data


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


def test_isolated_nodes_never_return():
    assert walks(HARD["no edges"], steps=4).abs().max() == 0


@pytest.mark.parametrize("graph", [nx.path_graph(6), nx.grid_2d_graph(3, 3), nx.star_graph(5)])
def test_uniform_edges_equal_nodes_of_the_line_graph(graph):
    graph = nx.convert_node_labels_to_integers(graph)
    line = nx.line_graph(graph)
    expected = dict(zip(line, walks(to_data(line), steps=7), strict=True))
    data = to_data(graph)
    found = edge_walks(data.edge_index, torch.tensor([data.num_nodes]), steps=7)
    for (u, v), row in zip(data.edge_index.T.tolist(), found, strict=True):
        torch.testing.assert_close(row, expected.get((u, v), expected.get((v, u))))


def test_endpoint_walk_by_hand():
    # A path a - b - c with a third edge c - d at the end: the middle edge turns left or right
    # with equal chances; both outer edges must come back.
    data = to_data(nx.path_graph(4))
    found = edge_walks(data.edge_index, torch.tensor([4]), steps=2, walk="endpoint")
    expected = {(0, 1): 0.5, (1, 2): 1.0, (2, 3): 0.5}
    for edge, row in zip(data.edge_index.T.tolist(), found, strict=True):
        assert row.tolist() == [0.0, expected[tuple(sorted(edge))]]


def test_the_two_edge_walks_differ():
    # Edge 0 - 1 of a lollipop has one edge at one end and two at the other.
    data = to_data(nx.Graph([(0, 1), (1, 2), (1, 3), (0, 4)]))
    sizes = torch.tensor([5])
    uniform = edge_walks(data.edge_index, sizes, steps=4)
    endpoint = edge_walks(data.edge_index, sizes, steps=4, walk="endpoint")
    assert (uniform - endpoint).abs().max() > 0.01


def test_loops_and_lost_edges_get_zeros():
    edges = torch.tensor([[0, 1, 1, 2], [1, 1, 2, 0]])
    weight = torch.tensor([1.0, 1.0, 0.0, 1.0])
    found = edge_walks(edges, torch.tensor([3]), weight, steps=2)
    assert found[:, 1].tolist() == [1.0, 0.0, 0.0, 1.0]


def test_batch_order_of_edges_is_kept():
    # Columns of the two graphs are interleaved.
    edges = torch.tensor([[0, 3, 1, 4, 2], [1, 4, 2, 5, 0]])
    found = edge_walks(edges, torch.tensor([3, 3]), steps=3)
    triangle = edge_walks(edges[:, [0, 2, 4]], torch.tensor([3]), steps=3)
    path = edge_walks(edges[:, [1, 3]] - 3, torch.tensor([3]), steps=3)
    torch.testing.assert_close(found[[0, 2, 4]], triangle)
    torch.testing.assert_close(found[[1, 3]], path)


def test_errors_tell_what_is_wrong():
    edges = torch.tensor([[0], [1]])
    with pytest.raises(ValueError, match="steps must be at least 1, got 0"):
        node_walks(edges, torch.tensor([2]), steps=0)
    with pytest.raises(ValueError, match="weight -1; a random walk"):
        node_walks(edges, torch.tensor([2]), torch.tensor([-1.0]), steps=2)
    with pytest.raises(ValueError, match="walk must be one of 'uniform', 'endpoint', got 'any'"):
        edge_walks(edges, torch.tensor([2]), steps=2, walk="any")
