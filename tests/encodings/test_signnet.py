"""SignNet against plain dense formulas."""

import pytest
import torch
from torch_geometric.data import Batch

from ogeaug import compute_spectrum
from ogeaug.encodings.signnet import SignNet, cut_columns
from ogeaug.spectrum.spectra import SpectrumBatch
from tests.graphs import HARD


def dense_phi(model, v, eigval, A):
    x = torch.stack([v, torch.log1p(eigval.clamp(min=-0.5)).expand_as(v)], 1)  # [n, 2]
    if model.phi_name == "deepsets":
        for mlp in model.phi.mlps:
            x = mlp(torch.cat([x, x.mean(0).expand_as(x)], 1))
        return x
    for mlp, eps in zip(model.phi.mlps, model.phi.eps, strict=True):
        x = mlp((1 + eps) * x + A @ x)
    return x


@pytest.mark.parametrize("phi", ["gin", "deepsets"])
@pytest.mark.parametrize("k", [None, 4])
@pytest.mark.parametrize("graph", ["weighted", "path", "one node"])
def test_equals_dense(phi, k, graph):
    model = SignNet(5, hidden_channels=8, num_layers=2, phi=phi, k=k).double().eval()
    data = HARD[graph]
    weight = data.get("edge_weight")
    n = data.num_nodes
    A = torch.zeros(n, n, dtype=torch.float64)
    A[data.edge_index[0], data.edge_index[1]] = 1.0 if weight is None else weight.double()
    spectrum = compute_spectrum(data.edge_index, n, weight)
    V = spectrum.eigvecs * n**0.5
    summed = 0
    for eigval, v in list(zip(spectrum.eigvals, V.T, strict=True))[:k]:
        summed = summed + dense_phi(model, v, eigval, A) + dense_phi(model, -v, eigval, A)
    torch.testing.assert_close(model(data), model.rho(summed))


def test_equivariant_to_permutations_where_no_eigenvalue_is_repeated():
    from ogeaug.measure.invariance import permutation_error

    model = SignNet(5, hidden_channels=8).double().eval()
    for graph in ("path", "weighted"):
        assert permutation_error(model, HARD[graph]) < 1e-9


def test_cut_columns():
    graphs = [HARD["path"], HARD["one node"], HARD["star"]]
    spectra = [compute_spectrum(g.edge_index, g.num_nodes) for g in graphs]
    cut = list(cut_columns(SpectrumBatch.stack(spectra), 4))
    for short, full in zip(cut, spectra, strict=True):
        assert torch.equal(short.eigvecs, full.eigvecs[:, :4])
        assert torch.equal(short.eigvals, full.eigvals[:4])
        assert short.cutoff == (full.eigvals[4] if full.num_eigvals > 4 else float("inf"))


def test_one_node_in_training_with_batch_norm():
    model = SignNet(5, hidden_channels=8, norm="batch").train()
    assert model(Batch.from_data_list([HARD["one node"].clone()])).isfinite().all()


def test_errors_tell_what_is_wrong():
    with pytest.raises(ValueError, match="phi must be one of 'gin', 'deepsets', got 'mlp'"):
        SignNet(5, phi="mlp")
    with pytest.raises(ValueError, match="unknown norm 'graph'; choose from layer, batch"):
        SignNet(5, norm="graph")
    with pytest.raises(ValueError, match="k must be at least 1"):
        SignNet(5, k=0)
    with pytest.raises(ValueError, match="hidden_channels=2 is too few"):
        SignNet(5, hidden_channels=2)
    for phi in ("gin", "deepsets"):
        with pytest.raises(ValueError, match="num_layers must be at least 1"):
            SignNet(5, num_layers=0, phi=phi)
