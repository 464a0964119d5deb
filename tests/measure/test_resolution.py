"""Distances to graphs that differ: which these are, and what permutation is taken."""

from itertools import permutations

import networkx as nx
import pytest
import torch
from torch_geometric.utils import to_networkx

from ogeaug import OGEAug
from ogeaug.encodings.none import NoEncoding
from ogeaug.measure import distance_to_others
from ogeaug.measure.named_graphs import from_networkx
from ogeaug.measure.resolution import different_graphs, matched_distance


def test_of_a_cycle_of_12():
    """Less an edge, a path; two edges switched, two cycles of 3 to 6 nodes and the rest."""
    parts = []
    for data in different_graphs(from_networkx(nx.cycle_graph(12))):
        graph = to_networkx(data, to_undirected=True)
        parts.append(sorted(len(part) for part in nx.connected_components(graph)))
    assert sorted(parts) == [[3, 9], [4, 8], [5, 7], [6, 6], [12]]


@pytest.mark.parametrize("graph", [nx.petersen_graph(), nx.path_graph(5), nx.star_graph(4)])
def test_none_is_isomorphic_to_another(graph):
    found = [
        graph,
        *(to_networkx(d, to_undirected=True) for d in different_graphs(from_networkx(graph))),
    ]
    assert len(found) > 1
    for i, left in enumerate(found):
        assert not any(nx.is_isomorphic(left, right) for right in found[:i])


def test_matching_is_the_best_of_all_permutations():
    left, right = torch.randn(2, 5, 3, generator=torch.Generator().manual_seed(0)).double()
    best = min(float((left - right[list(p)]).norm()) for p in permutations(range(5)))
    assert matched_distance(left, right) == pytest.approx(best, rel=1e-12)


def test_distance_to_others():
    ring = from_networkx(nx.cycle_graph(8))
    assert distance_to_others(NoEncoding(4), ring) == 0
    encode = OGEAug(4, hidden_channels=4, num_layers=2).double().eval()
    assert distance_to_others(encode, ring) > 1e-3
    with pytest.raises(ValueError, match="without edges"):
        distance_to_others(encode, from_networkx(nx.empty_graph(3)))
