"""Walks on edges against a transition matrix written out edge by edge, and the line graph."""

import networkx as nx
import numpy as np
import pytest
import torch

from ogeaug.graph.edge_list import list_edges
from ogeaug.walks.edge_walk import SMALL, departures, edge_returns, edge_walks
from ogeaug.walks.node_walk import node_walks
from tests.graphs import to_data


def slow_walks(adjacency, walk: str, steps: int):
    """Return probabilities from the definition, with the edges in the order of list_edges."""
    n = len(adjacency)
    edges = [(i, j) for i in range(n) for j in range(i + 1, n) if adjacency[i, j] > 0]
    P = np.zeros((len(edges), len(edges)))
    for a, e in enumerate(edges):
        at = [[b for b, f in enumerate(edges) if b != a and node in f] for node in e]
        weight = {b: adjacency[edges[b]] for group in at for b in group}
        if walk == "uniform":
            for b, w in weight.items():
                P[a, b] = w / sum(weight.values())
            continue
        ways = [group for group in at if group]
        for group in ways:
            for b in group:
                P[a, b] += weight[b] / sum(weight[c] for c in group) / len(ways)
    power, out = np.eye(len(edges)), []
    for _ in range(steps):
        power = power @ P
        out.append(power.diagonal())
    return np.stack(out, 1)


def dense_graph(weighted: bool, seed: int = 0):
    """More edges than are treated as a small graph, with leaves and an edge of its own."""
    graph = nx.gnp_random_graph(22, 0.75, seed=seed)
    graph.add_edges_from([(0, 22), (22, 23), (1, 24), (25, 26)])
    A = nx.to_numpy_array(graph)
    if weighted:
        draw = np.random.default_rng(seed).uniform(0.5, 2.0, A.shape)
        A = A * (draw + draw.T)
    return A


@pytest.mark.parametrize("walk", ["uniform", "endpoint"])
@pytest.mark.parametrize("weighted", [False, True])
def test_equals_the_definition(weighted, walk):
    A = dense_graph(weighted)
    for size in (8, len(A)):
        part = A[-size:, -size:] if size < len(A) else A
        edges = list_edges(part)
        found = edge_returns(edges, departures(edges, part, walk), 11)
        np.testing.assert_allclose(found, slow_walks(part, walk, 11), atol=1e-14)
    assert len(edges.weight) > SMALL  # the last one went the long way


@pytest.mark.parametrize("walk", ["uniform", "endpoint"])
def test_heavy_edges_lose_no_digits(walk):
    A = dense_graph(weighted=True)
    A[0, 22] = A[22, 0] = 1e12
    A[3, 4] = A[4, 3] = 1e-9
    edges = list_edges(A)
    found = edge_returns(edges, departures(edges, A, walk), 6)
    np.testing.assert_allclose(found, slow_walks(A, walk, 6), atol=1e-14)


@pytest.mark.parametrize("graph", [nx.path_graph(6), nx.grid_2d_graph(3, 3), nx.star_graph(5)])
def test_uniform_edges_equal_nodes_of_the_line_graph(graph):
    graph = nx.convert_node_labels_to_integers(graph)
    line = nx.line_graph(graph)
    data = to_data(line)
    walks = node_walks(data.edge_index, torch.tensor([data.num_nodes]), steps=7)
    expected = dict(zip(line, walks, strict=True))
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
    with pytest.raises(ValueError, match="walk must be one of 'uniform', 'endpoint', got 'any'"):
        edge_walks(edges, torch.tensor([2]), steps=2, walk="any")
