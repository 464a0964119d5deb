"""The block layers against dense tensors, chunked against whole, and memory before allocation."""

import pytest
import torch
from torch_geometric.data import Batch

import ogeaug.tensors.blocks.layout as blocks
from ogeaug import OGEAug, compute_spectrum
from ogeaug.measure.invariance import basis_error
from ogeaug.tensors.memory import block_bytes, check_memory
from tests.graphs import HARD
from tests.oracle3 import dense_oge_aug3

SMALL = [name for name, data in HARD.items() if data.num_nodes <= 16]


@pytest.fixture(params=[2, 3], ids=["order 2 with transposes", "order 3"])
def order(request):
    return request.param


@pytest.mark.parametrize("graph", SMALL)
@pytest.mark.parametrize("delta", [0.05, 0.7])
def test_equals_dense_tensors(graph, delta, order, dtype, tolerance):
    data = HARD[graph]
    model = OGEAug(5, hidden_channels=4, num_layers=2, order=order, transposes=True, delta=delta)
    model = perturbed(model).to(dtype).eval()
    spectrum = compute_spectrum(data.edge_index, data.num_nodes, data.get("edge_weight"))
    expected = dense_oge_aug3(model, data, spectrum.eigvals, spectrum.eigvecs)
    torch.testing.assert_close(model(data), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("graph", ["star", "cycle"])
@pytest.mark.parametrize("delta", [0.05, 0.7])
def test_order_4_equals_dense_tensors(graph, delta):
    data = HARD[graph]
    model = OGEAug(5, hidden_channels=4, num_layers=2, order=4, delta=delta)
    model = perturbed(model).double().eval()
    spectrum = compute_spectrum(data.edge_index, data.num_nodes, data.get("edge_weight"))
    with torch.no_grad():
        expected = dense_oge_aug3(model, data, spectrum.eigvals, spectrum.eigvecs)
        torch.testing.assert_close(model(data), expected, rtol=1e-9, atol=1e-9)
    assert basis_error(model, data) < 1e-9


def test_order_4_is_refused_with_its_size_before_allocation(monkeypatch):
    model = OGEAug(4, hidden_channels=64, order=4)
    spectra = model.read_spectra(HARD["complete"])
    needed = block_bytes(spectra, model.smoothing, 4, 64, torch.float32)
    assert needed == (4 * 8 * (7**4 + 1) + 24 * 7**4) * 64 * 4
    monkeypatch.setattr("os.sysconf", lambda name: 1)
    with pytest.raises(MemoryError, match=rf"order 4 .*\({needed:,} bytes\)"):
        model(HARD["complete"])


def test_truncation_equals_dense_tensors(order):
    data = HARD["path"]
    model = OGEAug(5, hidden_channels=4, num_layers=2, order=order, transposes=True, delta=0.7, k=6)
    model = perturbed(model).double().eval()
    spectrum = compute_spectrum(data.edge_index, data.num_nodes, k=6)
    expected = dense_oge_aug3(model, data, spectrum.eigvals, spectrum.eigvecs, spectrum.cutoff)
    torch.testing.assert_close(model(data), expected, rtol=1e-9, atol=1e-9)


def test_chunks_change_nothing(order, monkeypatch):
    batch = Batch.from_data_list([HARD[name] for name in ("rook", "star", "cycle")])
    model = OGEAug(5, hidden_channels=4, num_layers=2, order=order, transposes=True).double()
    whole = model(batch)
    gradient = torch.autograd.grad(whole.square().sum(), list(model.parameters()))
    monkeypatch.setattr(blocks, "CHUNK", 100)
    parts = model(batch)
    again = torch.autograd.grad(parts.square().sum(), list(model.parameters()))
    torch.testing.assert_close(parts, whole, rtol=1e-10, atol=1e-10)
    torch.testing.assert_close(again, gradient, rtol=1e-8, atol=1e-8)


def test_dense_adjacency_is_used_for_one_dense_graph_only():
    def layout(data):
        model = OGEAug(4, hidden_channels=4, order=3)
        spectra = model.read_spectra(data)
        return blocks.lay_out_blocks(spectra, data.edge_index, None, model.smoothing, torch.float32)

    assert layout(HARD["complete"]).adjacency is not None
    assert layout(HARD["200 nodes"]).adjacency is None
    assert layout(Batch.from_data_list([HARD["complete"]] * 2)).adjacency is None


def test_too_large_a_graph_is_refused_before_allocation(monkeypatch):
    model = OGEAug(4, hidden_channels=64, order=3)
    spectra = model.read_spectra(HARD["complete"])
    needed = block_bytes(spectra, model.smoothing, 3, 64, torch.float32)
    assert needed == 4 * 8 * (7**3 + 1) * 64 * 4
    monkeypatch.setattr("os.sysconf", lambda name: 1)
    with pytest.raises(MemoryError, match=r"order 3 .* 7 eigenvalues.*Choose a lower order"):
        check_memory(spectra, model.smoothing, 3, 64, torch.float32)
    with pytest.raises(MemoryError, match="smaller delta"):
        model(HARD["complete"])


def test_order_1_has_no_transposes():
    with pytest.raises(ValueError, match="no transposes"):
        OGEAug(4, order=1, transposes=True)


def perturbed(model):
    """Factors that are all 1 would hide a mix-up."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model
