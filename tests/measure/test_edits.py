"""Lost edges and nodes: matched by a permutation that is proven, or said not to be."""

from itertools import permutations

import networkx as nx
import numpy as np
import pytest
import torch

from ogeaug import OGEAug
from ogeaug.encodings.lap_pe import LapPE
from ogeaug.measure.edits import all_edits, edit_changes, match
from ogeaug.measure.named_graphs import from_networkx


def laplacian(graph):
    return nx.laplacian_matrix(graph).toarray().astype(float)


def shuffled(matrix, seed=0):
    perm = np.random.default_rng(seed).permutation(len(matrix))
    return matrix[np.ix_(perm, perm)]


def test_single_edges():
    edits = all_edits(from_networkx(nx.path_graph(9)))
    edges = [edit for edit in edits if edit.kind == "edge"]
    assert len(edges) == 4  # the others are mirrored
    assert all(edit.exact and edit.size == pytest.approx(2) for edit in edges)
    changes = edit_changes(OGEAug(4, hidden_channels=4).double().eval(), edges[0].data, edges)
    assert changes[0] == 0
    assert min(changes[1:]) > 0


@pytest.mark.parametrize("graph", [nx.path_graph(6), nx.star_graph(5), nx.house_graph()])
def test_no_permutation_is_nearer(graph):
    before = laplacian(graph)
    for edit in all_edits(from_networkx(graph)):
        other = nx.empty_graph(len(graph))
        other.add_edges_from(edit.data.edge_index.T.tolist())
        after = laplacian(other)
        sizes = [
            np.linalg.norm(before - after[np.ix_(p, p)]) for p in permutations(range(len(graph)))
        ]
        assert edit.exact
        assert edit.size == pytest.approx(min(sizes))
        perm = edit.perm.numpy()
        assert np.linalg.norm(before - after[np.ix_(perm, perm)]) == pytest.approx(edit.size)


def test_a_loss_in_the_middle_is_matched_by_another_permutation():
    """A path of 6 less an inner node: renumbered, it is as if less had been lost."""
    nodes = [edit for edit in all_edits(from_networkx(nx.path_graph(6))) if edit.kind == "node"]
    moved = [edit for edit in nodes if edit.perm.tolist() != list(range(6))]
    assert moved
    assert all(edit.size < np.sqrt(10) - 1e-9 for edit in moved)


def test_beyond_8_nodes_a_proof_or_a_heuristic():
    graph = nx.random_regular_graph(3, 12, seed=1)
    same, size, exact = match(laplacian(graph), laplacian(graph))
    assert (size, exact, same.tolist()) == (0, True, list(range(12)))
    path = laplacian(nx.path_graph(12))
    perm, size, exact = match(path, shuffled(path))
    assert size < np.linalg.norm(path - shuffled(path))
    assert sorted(perm) == list(range(12))
    assert exact == (size < 1e-9)


def test_the_permutation_is_used():
    data = from_networkx(nx.path_graph(4))
    edits = all_edits(data)
    torch.manual_seed(0)
    encode = LapPE(4, k=2).double().eval()
    found = edit_changes(encode, data, edits)
    with torch.no_grad():
        before = encode(data)
        for change, edit in zip(found, edits, strict=True):
            after = encode(edit.data)[edit.perm]
            assert change == pytest.approx(float((before - after).norm() / before.norm()))
