"""Every generated pair is what it claims to be."""

import networkx as nx
import numpy as np
import pytest
from torch_geometric.utils import to_networkx

from ogeaug.measure.families import FAMILIES, cfi_graph, cfi_pairs, colour_refinement

NUMBER = {
    "regular": 26,
    "strongly-regular": 10,
    "cfi": 20,
    "designs": 2,
    "distance-regular": 13,
    "four-vertex": 15,
    "extensions": 110,
    "skip-links": 45,
    "trees": 3,
}


@pytest.fixture(scope="module")
def pairs():
    return {name: list(family()) for name, family in FAMILIES.items()}


def graphs(pair):
    return [to_networkx(data, to_undirected=True) for data in (pair.left, pair.right)]


def test_number_of_pairs(pairs):
    assert {name: len(members) for name, members in pairs.items()} == NUMBER
    assert all(pair.category == name for name, members in pairs.items() for pair in members)


@pytest.mark.parametrize("family", [f for f in FAMILIES if f != "trees"])
def test_1wl_cannot_tell_them_apart(pairs, family):
    for pair in pairs[family]:
        left, right = graphs(pair)
        assert colour_refinement(left) == colour_refinement(right), pair.name


@pytest.mark.parametrize("family", ["regular", "skip-links", "trees"])
def test_not_isomorphic(pairs, family):
    for pair in pairs[family]:
        assert not nx.vf2pp_is_isomorphic(*graphs(pair)), pair.name


def test_designs_are_designs(pairs):
    for pair, (v, k, lam) in zip(pairs["designs"], [(16, 6, 2), (36, 15, 6)], strict=True):
        for graph in graphs(pair):
            sides = nx.bipartite.sets(graph)
            incidence = nx.bipartite.biadjacency_matrix(graph, sorted(sides[0])).toarray()
            expected = lam * np.ones((v, v)) + (k - lam) * np.eye(v)
            assert (incidence @ incidence.T == expected).all()


def test_smaller_designs_are_not_isomorphic(pairs):
    assert not nx.vf2pp_is_isomorphic(*graphs(pairs["designs"][0]))


def test_strongly_regular_and_not_isomorphic(pairs):
    for pair in pairs["strongly-regular"]:
        left, right = graphs(pair)
        assert nx.is_strongly_regular(left)
        assert nx.is_strongly_regular(right)
        assert common_neighbourhoods(left) != common_neighbourhoods(right), pair.name


def common_neighbourhoods(graph):
    """How many edges the common neighbours of each edge have: isomorphic graphs agree in it."""
    common = (graph.subgraph(set(graph[u]) & set(graph[v])) for u, v in graph.edges)
    return sorted(part.number_of_edges() for part in common)


def test_trees_are_cospectral(pairs):
    for pair in pairs["trees"]:
        left, right = (nx.laplacian_spectrum(graph) for graph in graphs(pair))
        np.testing.assert_allclose(left, right, atol=1e-9)


@pytest.mark.parametrize("base", [nx.cycle_graph(3), nx.complete_graph(4)])
def test_a_twist_makes_a_difference(base):
    straight, twisted = cfi_graph(base), cfi_graph(base, True)
    assert not nx.vf2pp_is_isomorphic(straight, twisted)


def test_cfi_by_name():
    (compact, full) = cfi_pairs(["K4"])
    assert compact.left.num_nodes == 16
    assert full.left.num_nodes == 28


def test_colour_refinement_tells_degrees_apart():
    assert colour_refinement(nx.path_graph(4)) != colour_refinement(nx.star_graph(3))
    prism, k33 = nx.circular_ladder_graph(3), nx.complete_bipartite_graph(3, 3)
    assert colour_refinement(prism) == colour_refinement(k33)
