"""Which eigenpairs are kept: the null space always, an eigenspace whole or not, with a word."""

import math

import networkx as nx
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch_geometric.data import Batch, Data

from ogeaug import AddSpectrum, OGEAug, compute_spectrum
from ogeaug.spectrum.solve import SpectrumOptions, compute_spectra
from ogeaug.spectrum.truncate import NEAR, truncate
from tests.graphs import HARD, graphs, to_data
from tests.torture import tries


def spectrum_of(data, k, **options):
    weight = data.get("edge_weight", None)
    return compute_spectrum(data.edge_index, data.num_nodes, weight, k=k, **options)


@pytest.mark.parametrize("k", [1, 2, 3, 6, 8, 100, 1000])
def test_equals_compute_spectra_with_k(k):
    graphs = [data.clone() for name, data in HARD.items() if name != "weighted"]
    batch = Batch.from_data_list(graphs)
    sizes = batch.ptr.diff()
    cut = truncate(compute_spectra(batch.edge_index, sizes), k)
    computed = compute_spectra(batch.edge_index, sizes, options=SpectrumOptions(k))
    assert cut.num_eigvals.tolist() == computed.num_eigvals.tolist()
    torch.testing.assert_close(cut.eigvals, computed.eigvals, rtol=0, atol=0)
    torch.testing.assert_close(cut.eigvecs, computed.eigvecs, rtol=0, atol=0)
    torch.testing.assert_close(cut.cutoff, computed.cutoff, rtol=0, atol=0)
    again = truncate(cut, k)
    assert again.num_eigvals.tolist() == cut.num_eigvals.tolist()
    for data, found in zip(graphs, cut, strict=True):
        alone = spectrum_of(data, k)
        assert torch.equal(found.eigvals, alone.eigvals)
        assert found.cutoff == alone.cutoff


PARTS = [nx.star_graph(6), nx.complete_graph(5), nx.path_graph(4), nx.cycle_graph(6)]


@st.composite
def in_parts(draw) -> Data:
    """Stars, complete graphs, paths and cycles side by side, and nodes on their own."""
    parts = draw(st.lists(st.sampled_from(PARTS), max_size=4))
    lonely = draw(st.integers(0 if parts else 1, 12))
    return to_data(nx.disjoint_union_all([*parts, nx.empty_graph(lonely)]))


@pytest.mark.torture
@settings(max_examples=tries(40, 2000))
@given(st.one_of(in_parts(), graphs()), st.integers(1, 20), st.sampled_from([None, "sym"]))
def test_the_rule(data, k, normalization):
    full = spectrum_of(data, None, normalization=normalization).eigvals
    cut = spectrum_of(data, k, normalization=normalization)
    zeros, kept = int((full < 1e-9).sum()), cut.num_eigvals
    assert zeros <= kept <= max(k, zeros)
    if kept == len(full):
        assert cut.cutoff == math.inf
        return
    assert cut.cutoff == pytest.approx(float(full[kept]), abs=1e-8)  # the first left out,
    assert kept == 0 or full[kept - 1] < cut.cutoff - 1e-9  # in an eigenspace left out whole,
    assert kept >= k or (full[kept : k + 1] - cut.cutoff).abs().max() < 1e-8  # and that alone


def test_more_components_than_k():
    data = to_data(nx.disjoint_union(nx.random_regular_graph(3, 260, seed=1), nx.empty_graph(40)))
    for options in (
        {},
        {"normalization": "sym"},
        {"noise": 1e-5},
        {"noise": 1e-5, "permute": True},
    ):
        cut = spectrum_of(data, 32, **options)
        assert cut.num_eigvals == 41
        assert cut.cutoff > 0.05
    batch = compute_spectra(data.edge_index, torch.tensor([300]), options=SpectrumOptions(32))
    assert batch.num_eigvals.tolist() == [41]
    assert truncate(batch, 32).num_eigvals.tolist() == [41]


def test_a_graph_without_edges_is_all_null_space():
    cut = spectrum_of(HARD["no edges"], 2)
    assert cut.num_eigvals == 5
    assert cut.cutoff == math.inf


def test_a_warning_where_less_than_half_is_left():
    star = to_data(nx.star_graph(40))
    with pytest.warns(UserWarning, match=r"k=16 keeps only 1 eigenpair\(s\)"):
        assert AddSpectrum(k=16)(star).eigvals.numel() == 1
    with pytest.warns(UserWarning, match=r"k=16 keeps only 1 eigenpair\(s\)"):
        compute_spectra(star.edge_index, torch.tensor([41]), options=SpectrumOptions(16))
    assert spectrum_of(star, 40).num_eigvals == 40  # the eigenspace fits
    assert spectrum_of(HARD["cycle"], 6).num_eigvals == 5  # more than half: no word


def joined(weight: float) -> Data:
    """Six triangles in a row, joined by edges of this weight."""
    triangles = nx.disjoint_union_all([nx.complete_graph(3)] * 6)
    links = [(3 * i + 2, 3 * i + 3) for i in range(5)]
    weights = [1.0] * triangles.number_of_edges() + [weight] * 5
    edges = [*triangles.edges, *links]
    low, high = zip(*edges, strict=True)
    return Data(
        edge_index=torch.tensor([low + high, high + low]),
        edge_weight=torch.tensor(weights + weights, dtype=torch.float64),
        num_nodes=18,
    )


@torch.no_grad()
def test_nothing_jumps_where_components_part():
    """A null space that is kept whole must come and go continuously: steep, but no jump."""
    torch.manual_seed(0)
    encode = OGEAug(4, hidden_channels=8, num_layers=2, k=3).double().eval()
    assert spectrum_of(joined(0.0), 3).num_eigvals == 6
    assert spectrum_of(joined(1e-3), 3).num_eigvals == 3

    low, high = 0.0, 3 * NEAR
    whole = float((encode(joined(high)) - encode(joined(low))).norm())
    assert whole > 0.1
    for _ in range(4):  # a jump stays as large as it is, however closely we look
        sweep = torch.linspace(low, high, 21, dtype=torch.float64).tolist()
        outs = torch.stack([encode(joined(weight)) for weight in sweep])
        steps = outs.diff(dim=0).flatten(1).norm(dim=1)
        low, high = sweep[int(steps.argmax())], sweep[int(steps.argmax()) + 1]
    assert float(steps.max()) < 0.01 * whole
