"""PEG: plain dense formulas, and invariance to every orthogonal map of the eigenvectors."""

import pytest
import torch
from torch.nn.functional import silu

from ogeaug import AddSpectrum, compute_spectrum
from ogeaug.encodings.peg import PEG, edge_distances
from ogeaug.spectrum.spectra import Spectrum, SpectrumBatch
from ogeaug.spectrum.spectral_data import attach_spectrum
from tests.graphs import HARD


@pytest.mark.parametrize("graph", ["weighted", "path", "one node"])
def test_equals_dense(graph):
    model = PEG(5, in_channels=3, hidden_channels=8, num_layers=2, k=4).double().eval()
    data = HARD[graph].clone()
    weight, n = data.get("edge_weight"), data.num_nodes
    data.x = torch.randn(n, 3, dtype=torch.float64)
    A = torch.zeros(n, n, dtype=torch.float64)
    A[data.edge_index[0], data.edge_index[1]] = 1.0 if weight is None else weight.double()
    A = A + torch.eye(n, dtype=torch.float64)
    scale = A.sum(1).rsqrt()
    A = A * scale[:, None] * scale
    z = compute_spectrum(data.edge_index, n, weight, k=4).eigvecs
    distance = (z[:, None] - z[None]).square().sum(-1, keepdim=True)  # [n, n, 1]
    x = model.linear(data.x)
    for xi, mix, norm in zip(model.xi, model.mix, model.norms, strict=True):
        x = x + norm(silu(mix((A * xi(distance)[..., 0].sigmoid()) @ x)))
    torch.testing.assert_close(model(data), model.out(x))


def test_any_orthogonal_map_of_the_eigenvectors():
    model = PEG(5, hidden_channels=8, k=4).double().eval()
    data = HARD["weighted"]
    spectrum = compute_spectrum(data.edge_index, data.num_nodes, data.edge_weight, k=4)
    Q = torch.linalg.qr(torch.randn(4, 4, dtype=torch.float64)).Q  # across eigenspaces
    turned = Spectrum(spectrum.eigvals, spectrum.eigvecs @ Q, spectrum.cutoff)
    torch.testing.assert_close(model(attach_spectrum(data.clone(), turned)), model(data))


def test_distances_of_a_batch_are_those_of_its_graphs():
    """For any pairs of nodes of one graph: loops, one direction only, no edges at all."""
    graphs, start = [HARD["path"], HARD["weighted"]], HARD["path"].num_nodes
    spectra = [compute_spectrum(d.edge_index, d.num_nodes, d.get("edge_weight")) for d in graphs]
    pairs = torch.tensor([[0, 2, 1], [3, 2, 0]])
    found = edge_distances(SpectrumBatch.stack(spectra), torch.cat([pairs, pairs + start], 1))
    each = [(s.eigvecs[pairs[0]] - s.eigvecs[pairs[1]]).square().sum(1) for s in spectra]
    torch.testing.assert_close(found, torch.cat(each))
    assert found[1] == 0
    assert edge_distances(SpectrumBatch.stack(spectra), pairs[:, :0]).shape == (0,)


def test_positions_matter():
    model = PEG(5, hidden_channels=8, k=4).double().eval()
    out = model(HARD["cycle"].clone())
    assert (out - out[0]).abs().max() < 1e-9  # a cycle looks alike from all its nodes
    out = model(HARD["path"].clone())
    assert (out[3] - out[4]).abs().max() > 1e-3  # the inside of a path does not


def test_a_stored_whole_spectrum_is_cut_to_k():
    model = PEG(5, hidden_channels=8, k=5).eval()
    data = HARD["grid"]
    torch.testing.assert_close(model(AddSpectrum()(data.clone())), model(data))


def test_errors_tell_what_is_wrong():
    with pytest.raises(ValueError, match="the data has no x"):
        PEG(5, in_channels=2)(HARD["grid"])
    with pytest.raises(ValueError, match="num_layers must be at least 1"):
        PEG(5, num_layers=0)
