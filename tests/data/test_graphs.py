import networkx as nx
import pytest

from ogeaug.data.graphs import GraphError, edges_to_data, graph6_to_data, networkx_to_data
from ogeaug.errors import UserError


def test_edges_listed_once_or_twice_are_the_same():
    once, twice = edges_to_data([(0, 1), (1, 2)]), edges_to_data([(0, 1), (1, 0), (1, 2)])
    assert once.edge_index.tolist() == twice.edge_index.tolist()
    assert once.is_undirected()


def test_isolated_nodes_are_kept():
    assert edges_to_data([(0, 1)], num_nodes=4).num_nodes == 4
    assert edges_to_data([], num_nodes=2).edge_index.size() == (2, 0)


@pytest.mark.parametrize(
    ("edges", "n"),
    [([(0, 5)], 3), ([(-1, 0)], None), ([(0, 10**18)], None), ([], 10**12)],
)
def test_impossible_node_numbers(edges, n):
    with pytest.raises(GraphError, match="node"):
        edges_to_data(edges, n)


def test_networkx_keeps_weights_and_drops_loops():
    graph = nx.Graph()
    graph.add_edge("a", "b", w=2.0)
    graph.add_edge("b", "b", w=9.0)
    data = networkx_to_data(graph, weight="w")
    assert data.edge_weight.tolist() == [2.0, 2.0]
    assert data.num_edges == 2


def test_graph6_round_trip():
    graph = nx.petersen_graph()
    data = graph6_to_data(nx.to_graph6_bytes(graph, header=False).decode())
    assert data.num_nodes == 10
    assert data.num_edges == 30


@pytest.mark.parametrize(
    "text", ["", "Bw~~~", "\x01\x02", "Ünicode", "?", "B!", "Bw Bw", "Bw name", "Bｗ"]
)
def test_damaged_graph6(text):
    with pytest.raises(GraphError, match="graph6"):
        graph6_to_data(text)


def test_graph6_that_is_cut_off():
    with pytest.raises(GraphError, match=r"'~\?\?': it ends within the number of nodes"):
        graph6_to_data("~??")
    with pytest.raises(UserError, match="too long: 100 characters"):
        graph6_to_data("B" + "w" * 99, max_nodes=3)


@pytest.mark.parametrize("pair", [(0.5, 1), ("0", "1"), (0, 1, 2), 3])
def test_edges_are_pairs_of_whole_numbers(pair):
    with pytest.raises(GraphError, match="an edge is a pair of whole numbers, got"):
        edges_to_data([pair])
