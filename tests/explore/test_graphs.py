"""What people type becomes a graph, or a message."""

import networkx as nx
import pytest
import torch

from ogeaug import OGEAug
from ogeaug.errors import UserError
from ogeaug.explore import gallery
from ogeaug.explore.graphs import parse_edges, places, read_graph
from ogeaug.explore.limits import MOST_LETTERS, MOST_NODES
from ogeaug.measure.expressivity import distinguishes
from ogeaug.measure.named_graphs import from_networkx


@pytest.mark.parametrize(
    "text", ["0 1\n1 2", "0-1, 1-2", "0 - 1; 1 -> 2", "0\t1\r\n1\t2\n\n", "2 1,1 0,0 1,0 0"]
)
def test_edge_lists_as_people_write_them(text):
    graph = parse_edges(text)
    assert list(graph) == ["0", "1", "2"]
    assert set(graph.edges) == {("0", "1"), ("1", "2")}


def test_names_stay_in_order_and_lone_names_are_nodes():
    assert list(parse_edges("b a\nc").nodes) == ["b", "a", "c"]
    assert parse_edges("b a\nc").number_of_edges() == 1


@pytest.mark.parametrize(
    ("kind", "text", "says"),
    [
        ("edges", "0 1 2", "is no edge"),
        ("edges", "", "no nodes"),
        ("edges", "a " + "b" * 60, "too long"),
        ("edges", "\n".join(f"{i} {i + 1}" for i in range(MOST_NODES)), "shows up to 150"),
        ("smiles", "C" * (MOST_NODES + 1), "shows up to 150"),
        ("smiles", "", "empty"),
        ("smiles", "c1ccccc", "invalid SMILES"),
        ("smiles", "<img src=x onerror=alert(1)>", "invalid SMILES"),
        ("smiles", "C" * (MOST_LETTERS + 1), "takes up to 20,000"),
        ("graph6", "~~~~~~~~", "graph6"),
        ("graph6", "?", "no nodes"),
        ("graph6", "../../etc/passwd", "graph6"),
        ("gallery", "../../etc/passwd", "the gallery has"),
        ("file", "/etc/passwd", "smiles, edges, graph6 or gallery"),
    ],
)
def test_what_is_no_graph_is_refused_in_words(kind, text, says):
    with pytest.raises(UserError, match=says) as caught:
        read_graph(kind, text)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("name", gallery.NAMES)
def test_the_gallery_is_drawn(name):
    graph = read_graph("gallery", name)
    assert len(graph.names) == graph.data.num_nodes >= 6
    where = graph.drawing.places if graph.drawing else places(graph.data)
    assert len(set(where)) == graph.data.num_nodes


def test_the_pairs_of_the_gallery_are_no_copies():
    for left, right in gallery.PAIRS.values():
        one, other = gallery.GRAPHS[left](), gallery.GRAPHS[right]()
        assert sorted(d for _, d in one.degree) == sorted(d for _, d in other.degree)
        torch.manual_seed(0)
        encode = OGEAug(8, hidden_channels=8, num_layers=6)
        assert distinguishes(encode, from_networkx(one), from_networkx(other)).distinguished


def test_parts_of_a_graph_are_drawn_beside_each_other():
    two = from_networkx(nx.disjoint_union(nx.cycle_graph(5), nx.cycle_graph(4)))
    x = [place[0] for place in places(two)]
    assert max(x[:5]) < min(x[5:])
    assert len(places(from_networkx(nx.empty_graph(1)))) == 1
