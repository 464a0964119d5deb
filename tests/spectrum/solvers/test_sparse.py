"""A few eigenpairs of sparse graphs: those that the dense solver finds, and none missing."""

import warnings
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.linalg import ArpackNoConvergence
from torch_geometric.data import Batch, Data

from ogeaug import OGEAug, compute_spectrum
from ogeaug.graph.sparse import sparse_adjacency, sparse_laplacian
from ogeaug.spectrum import solve
from ogeaug.spectrum.solvers.lapack import Lapack
from ogeaug.spectrum.solvers.sparse import factor, merging, pieces, solver
from ogeaug.spectrum.solvers.sparse.factor import count_below, fill_bound
from ogeaug.spectrum.solvers.sparse.lowest import highest, lowest_pairs
from tests.graphs import graphs, to_data

FAMILIES = {
    "cube": nx.hypercube_graph(6),
    "grid": nx.grid_2d_graph(9, 8),
    "path": nx.path_graph(90),
    "cycle": nx.cycle_graph(80),
    "star": nx.star_graph(70),
    "complete": nx.complete_graph(60),
    "tree": nx.random_labeled_tree(80, seed=1),
    "regular": nx.random_regular_graph(3, 80, seed=1),
    "copies": nx.disjoint_union_all([nx.path_graph(7)] * 12),
    "copies that are large": nx.disjoint_union_all([nx.cycle_graph(50)] * 3),
    "parts": nx.disjoint_union_all([nx.path_graph(60), nx.star_graph(9), nx.empty_graph(5)]),
    "no edges": nx.empty_graph(30),
}


@pytest.fixture
def small(monkeypatch):
    """What is meant for large graphs, on graphs that a test can check."""
    monkeypatch.setattr(solver, "LARGE", 1)
    monkeypatch.setattr(pieces, "DENSE", 2)
    monkeypatch.setattr(pieces, "BEARABLE", 2)


def both(data: Data, k: int, **options):
    """The spectrum by the sparse solver, and by the dense one."""
    weight = data.get("edge_weight", None)
    arguments = data.edge_index, data.num_nodes, weight
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="k=.* keeps only")
        found = compute_spectrum(*arguments, k=k, **options)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(solve, "SOLVERS", (Lapack(),))
            expected = compute_spectrum(*arguments, k=k, **options)
    return found, expected


def assert_same(found, expected, atol=1e-9):
    torch.testing.assert_close(found.eigvals, expected.eigvals, rtol=0, atol=atol)
    assert found.cutoff == pytest.approx(expected.cutoff, abs=atol)
    assert found.digest == expected.digest
    for space in expected.eigenspaces():  # projections do not depend on the basis
        ours, theirs = (s.eigvecs[:, space] @ s.eigvecs[:, space].T for s in (found, expected))
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-6)


@pytest.mark.parametrize("normalization", [None, "sym", "rw"])
@pytest.mark.parametrize("name", FAMILIES)
def test_families(small, name, normalization):
    data = to_data(FAMILIES[name])
    for k in (1, 8):
        found, expected = both(data, k, normalization=normalization)
        assert_same(found, expected)
        assert found.certified
        assert expected.certified


@settings(max_examples=60)
@given(graphs(max_nodes=30), st.integers(1, 4))
def test_any_graph(data, k):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver, "LARGE", 1)
        patch.setattr(pieces, "DENSE", 2)
        patch.setattr(pieces, "BEARABLE", 2)
        found, expected = both(data, k)
    assert_same(found, expected)
    assert found.certified


def test_it_is_the_one_that_is_asked(small, monkeypatch):
    """The tests above would pass without it, too."""
    data, asked = to_data(FAMILIES["grid"]), []
    monkeypatch.setattr(merging, "split", lambda *a: asked.append(1) or pieces.split(*a))
    for options, expected in [
        ({"k": 4}, 1),
        ({}, 1),
        ({"k": 4, "noise": 1e-5}, 1),
        ({"k": 4, "permute": True}, 2),
    ]:
        compute_spectrum(data.edge_index, data.num_nodes, **options)
        assert len(asked) == expected


def test_renumbered(small):
    data = to_data(FAMILIES["tree"])
    found, _ = both(data, 6, permute=True)
    _, expected = both(data, 6)
    assert_same(found, expected)


def test_negative_weights_are_for_the_dense_solver(small):
    data = to_data(nx.complete_graph(30), torch.ones(435))
    data.edge_weight[[0, 435]] = -0.5
    found, expected = both(data, 5)
    assert_same(found, expected)
    assert found.certified


OVERLOOKED = {
    "one of two like eigenpairs": ("cycle", 6, 2),
    "the first that is left out": ("grid", 1, 1),  # it is nearer to the next than to 0
}


@pytest.mark.parametrize("times", [1, 99])
@pytest.mark.parametrize("what", OVERLOOKED)
def test_what_is_overlooked_is_noticed(small, monkeypatch, what, times):
    """A solver that overlooks an eigenpair is asked again, and never believed; also if it is the
    one that sets the cutoff."""
    (name, k, gone), calls = OVERLOOKED[what], []

    def careless(matrix, null, count, *, divide, seed):
        calls.append(seed)
        eigvals, eigvecs = lowest_pairs(matrix, null, count + 1, divide=divide, seed=seed)
        if len(calls) <= times:
            eigvals, eigvecs = np.delete(eigvals, gone), np.delete(eigvecs, gone, axis=1)
        return eigvals[:count], eigvecs[:, :count]

    monkeypatch.setattr(pieces, "lowest_pairs", careless)
    data = to_data(FAMILIES[name])
    if times == 1:
        found, expected = both(data, k)
        assert_same(found, expected)
        assert found.certified
    else:
        with pytest.warns(UserWarning, match="not proven"):
            found, _ = both(data, k)
        assert not found.certified
    assert len(set(calls)) == len(calls) > 1  # another start each time


def test_without_factors(small, monkeypatch):
    monkeypatch.setattr(pieces, "MOST_FILL", 0)
    with pytest.warns(UserWarning, match=r"80 nodes.*not proven"):
        found, expected = both(to_data(FAMILIES["regular"]), 6)
    assert_same(found, expected)
    assert not found.certified


def test_not_found(small, monkeypatch):
    monkeypatch.setattr(pieces, "MOST_FILL", 0)
    monkeypatch.setattr("ogeaug.spectrum.solvers.sparse.lowest.MOST_ROUNDS", 1)
    data = to_data(nx.path_graph(2000))
    with pytest.raises(ValueError, match=r"were not found \(ARPACK.*Ask for fewer"):
        both(data, 6)


@pytest.mark.parametrize("what", ["factorise", "eigsh"])
def test_errors_of_libraries(small, monkeypatch, what):
    """A small graph is then decomposed whole; of a large one we say what can be done."""

    def fail(*arguments, **options):
        raise RuntimeError("Factor is exactly singular")

    data = to_data(FAMILIES["grid"])
    with monkeypatch.context() as patch:
        patch.setattr(f"ogeaug.spectrum.solvers.sparse.lowest.{what}", fail)
        with pytest.raises(ValueError, match=r"8 lowest .* 72 nodes .*exactly singular.*fewer"):
            compute_spectrum(data.edge_index, 72, k=7)
        patch.setattr(pieces, "BEARABLE", 72)
        found, expected = both(data, 7)
    assert_same(found, expected)
    assert found.certified


def test_in_doubt_all_are_found(small, monkeypatch):
    monkeypatch.setattr(pieces, "BEARABLE", 80)
    monkeypatch.setattr(pieces, "count_below", lambda *a: None)
    found, expected = both(to_data(FAMILIES["regular"]), 6)
    assert_same(found, expected)
    assert found.certified


def test_the_cut_is_that_of_the_whole_spectrum(small):
    """What counts as equal is relative to the largest eigenvalue, not to a bound of it."""
    generator = torch.Generator().manual_seed(0)
    grid = nx.grid_2d_graph(9, 8)
    for _ in range(20):
        size = 16 * torch.rand(grid.number_of_edges(), generator=generator, dtype=torch.float64)
        data = to_data(grid, 10 ** (size - 8))
        found, expected = both(data, 6)
        assert len(found.eigvals) == len(expected.eigvals)


def test_weights_that_are_all_tiny(small, monkeypatch):
    """All eigenvalues are then below 1e-6 and kept: refused if that does not fit into memory."""
    data = to_data(FAMILIES["grid"], torch.full((127,), 1e-9))
    found, expected = both(data, 6)
    assert_same(found, expected)
    assert len(found.eigvals) == 72
    monkeypatch.setattr("ogeaug.spectrum.memory.memory_bytes", lambda: 80_000)
    with pytest.raises(MemoryError, match=r"below 1e-6.*multiply the weights"):
        compute_spectrum(data.edge_index, 72, data.edge_weight, k=6)


def test_full_matrices_are_decomposed_whole(small, monkeypatch):
    """Where they are bearable: their factors would be as full."""
    monkeypatch.setattr(pieces, "lowest_pairs", None)  # not to be called
    monkeypatch.setattr(pieces, "BEARABLE", 60)
    found, expected = both(to_data(FAMILIES["complete"]), 4)
    assert_same(found, expected)
    assert found.certified


def test_the_largest_eigenvalue_or_a_bound(monkeypatch):
    star = sparse_laplacian(_adjacency(FAMILIES["star"]))
    assert highest(star) == pytest.approx(71, rel=1e-3)

    def fail(*arguments, **options):
        raise ArpackNoConvergence("no convergence", [], [])

    monkeypatch.setattr("ogeaug.spectrum.solvers.sparse.lowest.eigsh", fail)
    assert highest(star) == 140  # twice the largest degree


def test_counts_eigenvalues():
    matrix = sparse_laplacian(_adjacency(FAMILIES["cube"]))  # 0, 2, 4, ... 12
    for sigma, expected in [(-1, 0), (1, 1), (3, 1 + 6), (5, 1 + 6 + 15), (13, 64)]:
        assert count_below(matrix, sigma, 1.0) == expected
    assert count_below(matrix, 3, 1e-13) is None  # round-off may have passed what is so near
    complete = sparse_laplacian(_adjacency(FAMILIES["complete"]))
    assert count_below(complete, 30, 30.0) is None  # a pivot is 0, and rows are swapped
    assert count_below(complete, 30.1, 29.9) == 1


def test_fill(monkeypatch):
    tree = sparse_laplacian(_adjacency(nx.random_labeled_tree(400, seed=0)))
    grid = sparse_laplacian(_adjacency(nx.grid_2d_graph(20, 20)))
    random = sparse_laplacian(_adjacency(nx.random_regular_graph(3, 400, seed=0)))
    assert 400 < fill_bound(tree) < fill_bound(grid) < fill_bound(random) < 400**2 / 2
    monkeypatch.setattr(factor, "MOST_FILL", 0)  # looks closer
    assert fill_bound(tree) == 400  # nothing is left of it
    assert fill_bound(grid) > 400
    assert tree.diagonal().all()  # it was not changed


def _adjacency(graph):
    data = to_data(graph)
    return sparse_adjacency(data.edge_index.numpy(), data.num_nodes)


def test_batches(small):
    """A batch of large and small graphs is what they are one by one."""
    data = [to_data(FAMILIES[name]) for name in ("path", "cube", "star")]
    data.append(to_data(nx.path_graph(2)))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="k=.* keeps only")
        batch = Batch.from_data_list(data)
        together = solve.compute_spectra(
            batch.edge_index, batch.ptr.diff(), options=solve.SpectrumOptions(k=5)
        )
        alone = [compute_spectrum(d.edge_index, d.num_nodes, k=5) for d in data]
    for one, other in zip(together, alone, strict=True):
        assert_same(replace(one, digest=other.digest), other)


def test_more_components_than_memory():
    with pytest.raises(MemoryError, match="fewer components"):
        compute_spectrum(torch.zeros(2, 0, dtype=torch.long), 1_000_000, k=4)


def test_a_large_graph():
    """At the real limits: features equal those from the whole spectrum."""
    data = to_data(nx.grid_2d_graph(50, 31))
    found, expected = both(data, 8)
    assert found.certified
    assert_same(found, expected)
    encode = OGEAug(4, hidden_channels=4, num_layers=2, delta=0.005).double().eval()
    outputs = []
    for spectrum in (found, expected):
        own = data.clone()
        own.eigvals, own.eigvecs = spectrum.eigvals, spectrum.eigvecs
        own.eigval_cutoff = torch.tensor([spectrum.cutoff], dtype=torch.float64)
        outputs.append(encode(own))
    torch.testing.assert_close(*outputs, rtol=1e-6, atol=1e-7)


def test_long_ones_are_announced():
    data = to_data(nx.path_graph(3))
    with pytest.warns(UserWarning, match="take about 12 s"):
        merging._announce("the graph", 100_000, 100)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compute_spectrum(data.edge_index, 3, k=1)
