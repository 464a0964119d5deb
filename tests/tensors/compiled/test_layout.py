"""The plan of the compiled core names the same pairs and neighbours as the plain layout."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch_geometric.data import Batch

from ogeaug import AddSpectrum, OGEAug
from ogeaug.graph.edges import neighbours
from ogeaug.native import build
from ogeaug.spectrum.bands import find_bands
from ogeaug.spectrum.pyg import read_spectra
from ogeaug.spectrum.smoothing import Cosine, Hat
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.compiled.layout import lay_out_core
from ogeaug.tensors.compiled.neighbours import list_neighbours, neighbours_of_sorted
from tests.graphs import HARD, graphs

pytestmark = pytest.mark.skipif(not build.available(), reason="no C++ compiler here")


def pairs_of(plan):
    """All pairs (k, l), numbered through the batch, as find_bands lists them."""
    found = []
    for g in range(len(plan.eig) - 1):
        start = int(plan.eig[g])
        for k in range(start, int(plan.eig[g + 1])):
            assert int(plan.first[k]) + int(plan.pair[g]) == len(found)
            found += [(k, start + l) for l in range(int(plan.low[k]), int(plan.high[k]))]  # noqa: E741
    return found


def assert_same_pairs(spectra, smoothing):
    no_edges = torch.empty(2, 0, dtype=torch.long)
    neighbours = list_neighbours(no_edges, int(spectra.num_nodes.sum()), None)
    plan = lay_out_core(spectra, smoothing, neighbours, torch.float64)
    bands = find_bands(spectra, smoothing)
    gaps = (bands.right.diff() > 1) & (bands.left.diff() == 0)
    assert (plan is None) == bool(gaps.any())
    if plan is None:
        return
    assert pairs_of(plan) == list(zip(bands.left.tolist(), bands.right.tolist(), strict=True))
    assert torch.equal(plan.rho2, bands.rho.square())
    assert torch.equal(plan.pair.diff(), bands.num_pairs)


@pytest.mark.parametrize("smoothing", [Cosine(0.05), Cosine(0.5), Hat(1.0), Cosine(100.0)])
@pytest.mark.parametrize("k", [None, 1, 4])
def test_pairs_of_a_batch(smoothing, k):
    names = [name for name in HARD if name not in ("weighted", "200 nodes")]
    batch = Batch.from_data_list([HARD[name] for name in names])
    spectra = read_spectra(batch, SpectrumOptions(k), training=False)
    assert_same_pairs(spectra, smoothing)


@given(
    st.lists(st.lists(st.integers(0, 8), max_size=6), min_size=1, max_size=4), st.integers(0, 1000)
)
def test_pairs_of_any_eigenvalues(values, seed):
    """Also ties that rounding puts out of order, distances of just delta, and empty spectra."""
    generator = torch.Generator().manual_seed(seed)
    spectra = [torch.tensor(sorted(v), dtype=torch.float64) / 4 for v in values]
    spectra = [v + 1e-9 * torch.randn(len(v), dtype=v.dtype, generator=generator) for v in spectra]
    counts = torch.tensor([len(v) for v in spectra])
    flat = torch.cat(spectra)
    batch = SpectrumBatch(flat, flat, flat, counts.clamp(min=1), counts)
    assert_same_pairs(batch, Hat(0.5))


@given(graphs())
def test_neighbours(data):
    weight = data.get("edge_weight", None)
    found = list_neighbours(data.edge_index, data.num_nodes, weight)
    edges, weight = neighbours(data.edge_index, data.num_nodes, weight)
    expected = neighbours_of_sorted(edges, data.num_nodes, weight)
    assert torch.equal(found.start, expected.start)
    assert torch.equal(found.neighbour, expected.neighbour)
    assert (found.weight is None) == (expected.weight is None)
    if weight is not None:
        torch.testing.assert_close(found.weight, expected.weight.double())


@pytest.mark.parametrize(
    ("edges", "weight"),
    [
        ([[0, 0, 1], [0, 1, 0]], None),  # a loop
        ([[0, 0, 1, 1], [1, 1, 0, 0]], None),  # parallel edges
        ([[0, 1], [1, 2]], None),  # one way only
        ([[0, 1], [1, 0]], [1.0, 2.0]),
        ([[0, 7], [7, 0]], None),
    ],
)
def test_odd_graphs_are_left_to_the_rules(edges, weight):
    weight = None if weight is None else torch.tensor(weight)
    assert list_neighbours(torch.tensor(edges), 3, weight) is None


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([[0, 9], [9, 0]], "joins graph 0 and graph 1"),
        ([[0, 99], [99, 0]], "names a node outside 0..18"),
    ],
)
def test_edges_must_stay_in_their_graph(edges, message):
    """With stored spectra, too: the core would read beyond."""
    graphs = [AddSpectrum()(HARD[name].clone()) for name in ("path", "star")]
    batch = Batch.from_data_list(graphs)
    batch.edge_index = torch.tensor(edges)
    with pytest.raises(ValueError, match=message):
        OGEAug(4, hidden_channels=8, kernel="compiled")(batch)
