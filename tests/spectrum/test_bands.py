import torch
from hypothesis import given
from hypothesis import strategies as st

from ogeaug.spectrum.bands import find_bands
from ogeaug.spectrum.smoothing import Cosine, make_smoothing
from ogeaug.spectrum.spectra import SpectrumBatch


def batch_of(*eigvals):
    counts = torch.tensor([len(v) for v in eigvals])
    flat = torch.tensor([x for v in eigvals for x in v], dtype=torch.float64)
    vecs = torch.zeros(int((counts**2).sum()), dtype=torch.float64)
    return SpectrumBatch(flat, vecs, torch.full((len(counts),), torch.inf), counts, counts)


def brute_force(spectra, smoothing):
    graph = torch.repeat_interleave(spectra.num_eigvals)
    rho = smoothing((spectra.eigvals[:, None] - spectra.eigvals[None, :]).abs())
    return rho * (graph[:, None] == graph[None, :])


SPECTRA = st.lists(
    st.lists(st.sampled_from([0.0, 0.0, 1.0, 1.05, 1.1, 1.3, 2.0, 9.0]), max_size=7).map(sorted),
    min_size=1,
    max_size=4,
)


@given(SPECTRA, st.sampled_from([0.01, 0.06, 0.2, 3.0]))
def test_equals_brute_force(eigvals, delta):
    spectra, smoothing = batch_of(*eigvals), Cosine(delta)
    bands = find_bands(spectra, smoothing)
    expected = brute_force(spectra, smoothing)
    found = torch.zeros_like(expected)
    found[bands.left, bands.right] = bands.rho
    assert torch.equal(found, expected)
    assert len(bands.left) == int((expected > 0).sum())
    per_graph = [int((brute_force(batch_of(v), smoothing) > 0).sum()) for v in eigvals]
    assert bands.num_pairs.tolist() == per_graph
    key = bands.left * 1000 + bands.right
    assert (key.diff() > 0).all()


@given(SPECTRA, st.sampled_from([0.01, 0.06, 0.2, 3.0]))
def test_clusters_are_closed_and_connected(eigvals, delta):
    spectra, smoothing = batch_of(*eigvals), Cosine(delta)
    bands = find_bands(spectra, smoothing)
    assert torch.equal(bands.cluster[bands.left], bands.cluster[bands.right])
    neighbours = brute_force(spectra, smoothing).diagonal(1) > 0
    assert torch.equal(bands.cluster.diff() == 0, neighbours)


def test_rounding_may_disorder_repeated_eigenvalues():
    bands = find_bands(batch_of([1.0 + 1e-15, 1.0, 1.0 + 5e-16]), Cosine(0.05))
    assert len(bands.left) == 9


def test_a_smoothing_with_smaller_support_than_delta():
    narrow = make_smoothing(lambda x: (1 - 10 * x).clamp(min=0), 0.2)
    assert len(find_bands(batch_of([0.0, 0.15]), narrow).left) == 2
