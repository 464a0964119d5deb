"""SPE against plain dense formulas."""

import pytest
import torch

from ogeaug import compute_spectrum
from ogeaug.encodings.dense import dense_eigvals
from ogeaug.encodings.spe import SPE
from tests.graphs import HARD


@pytest.mark.parametrize("k", [None, 5])
@pytest.mark.parametrize("graph", ["weighted", "grid", "one node"])
def test_equals_dense(k, graph):
    model = SPE(5, hidden_channels=8, num_layers=2, eigval_channels=3, k=k).double().eval()
    data = HARD[graph]
    weight, n = data.get("edge_weight"), data.num_nodes
    A = torch.zeros(n, n, dtype=torch.float64)
    A[data.edge_index[0], data.edge_index[1]] = 1.0 if weight is None else weight.double()
    spectrum = compute_spectrum(data.edge_index, n, weight, k=k)
    phi = dense_eigvals(model.phi, spectrum.eigvals, torch.ones_like(spectrum.eigvals), n)
    x = torch.einsum("ik,kl,jk->ijl", spectrum.eigvecs, phi, spectrum.eigvecs)  # [n, n, m]
    for mlp, eps in zip(model.gin.mlps, model.gin.eps, strict=True):
        x = mlp((1 + eps) * x + torch.einsum("ij,jcl->icl", A, x))
    torch.testing.assert_close(model(data), model.out(x.sum(1)))


def test_a_stored_whole_spectrum_is_cut_to_k():
    from ogeaug import AddSpectrum

    model = SPE(5, hidden_channels=8, k=5).eval()
    data = HARD["grid"]
    torch.testing.assert_close(model(AddSpectrum()(data.clone())), model(data))


def test_errors_tell_what_is_wrong():
    with pytest.raises(ValueError, match="eigval_channels must be at least 1"):
        SPE(5, eigval_channels=0)
