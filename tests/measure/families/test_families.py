"""Every generated pair is what it claims to be."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from torch_geometric.utils import to_networkx

from ogeaug.measure.families import FAMILIES, cfi_pairs, colour_refinement
from ogeaug.measure.families.cfi import cfi_graph
from ogeaug.measure.families.distance_regular import hadamard_matrices
from ogeaug.measure.families.strongly_regular import symplectic_graphs

NUMBER = {
    "regular": 26,
    "strongly-regular": 10,
    "cfi": 20,
    "large-cfi": 60,
    "designs": 2,
    "distance-regular": 13,
    "four-vertex": 15,
    "extensions": 94,
    "skip-links": 45,
    "eigenspaces": 3,
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
    for pair in pairs[family][:: 1 + len(pairs[family]) // 20]:
        left, right = graphs(pair)
        assert colour_refinement(left) == colour_refinement(right), pair.name


@pytest.mark.parametrize("family", ["regular", "skip-links", "eigenspaces", "trees"])
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
    """By their ranks over the field of two elements."""
    ranks = [
        rank_mod_2(nx.to_numpy_array(graph, dtype=int)) for graph in graphs(pairs["designs"][0])
    ]
    assert ranks == [12, 14]


def rank_mod_2(matrix):
    rows, rank = [int("".join(map(str, row)), 2) for row in matrix], 0
    while rows:
        pivot = rows.pop()
        if pivot:
            rank += 1
            low = pivot & -pivot
            rows = [row ^ pivot if row & low else row for row in rows]
    return rank


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


@pytest.mark.parametrize("edge_nodes", [0, 1, 2])
@pytest.mark.parametrize("base", [nx.cycle_graph(3), nx.complete_graph(4)], ids=len)
def test_a_twist_makes_a_difference(base, edge_nodes):
    straight, twisted = (cfi_graph(base, twist, edge_nodes=edge_nodes) for twist in (False, True))
    assert not nx.vf2pp_is_isomorphic(straight, twisted)


def test_cfi_by_name():
    (compact, full) = cfi_pairs(["K4"])
    assert compact.left.num_nodes == 16
    assert full.left.num_nodes == 28
    assert len(cfi_graph(nx.complete_graph(4), edge_nodes=2)) == 40


def test_colour_refinement_tells_degrees_apart():
    assert colour_refinement(nx.path_graph(4)) != colour_refinement(nx.star_graph(3))
    prism, k33 = nx.circular_ladder_graph(3), nx.complete_bipartite_graph(3, 3)
    assert colour_refinement(prism) == colour_refinement(k33)


def test_distance_regular(pairs):
    for pair in pairs["distance-regular"]:
        left, right = graphs(pair)
        assert nx.intersection_array(left) == nx.intersection_array(right), pair.name


def test_hadamard_matrices_are_not_equivalent():
    """By the sets of four rows whose product is constant, and the same for columns."""
    counts = []
    for matrix in hadamard_matrices():
        np.testing.assert_array_equal(matrix @ matrix.T, 16 * np.eye(16))
        sides = [[abs(m[list(four)].prod(0).sum()) for four in FOURS] for m in (matrix, matrix.T)]
        counts.append([side.count(16) for side in sides])
    assert counts == [[140, 140], [76, 76], [44, 44], [28, 28]]


FOURS = list(combinations(range(16), 4))


def test_symplectic_graphs_have_the_4_vertex_condition_and_differ():
    """Common neighbours of any edge have equally many edges among them, but not triangles."""
    triangles = set()
    for graph in symplectic_graphs():
        matrix = nx.to_numpy_array(graph, dtype=int)
        found = {0: set(), 1: set()}
        counts = []
        for i, j in combinations(range(63), 2):
            common = np.flatnonzero(matrix[i] & matrix[j])
            part = matrix[np.ix_(common, common)]
            found[matrix[i, j]].add((len(common), part.sum()))
            counts.append((matrix[i, j], np.trace(part @ part @ part)))
        assert [len(kinds) for kinds in found.values()] == [1, 1]
        triangles.add(tuple(sorted(counts)))
    assert len(triangles) == 6


def test_extensions_of_small_graphs_are_not_isomorphic(pairs):
    small = [p for p in pairs["extensions"] if p.left.num_nodes <= 50 and "srg(16,6" in p.name]
    assert len(small) == 6
    for pair in small:
        assert not nx.vf2pp_is_isomorphic(*graphs(pair)), pair.name
