"""The networks at the roots: the core, PyTorch and the formulas give the same."""

import copy
import re

import networkx as nx
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch_geometric.data import Batch
from torch_geometric.utils import from_networkx

from ogeaug import AddSpectrum, OGEAug, compute_spectrum
from ogeaug.errors import UserError
from ogeaug.native import build
from ogeaug.tensors.roots import network
from ogeaug.walks.node_walk import node_walks
from tests.conftest import TOLERANCE
from tests.encodings.test_oge_aug import dense
from tests.graphs import HARD, graphs, weighted
from tests.tensors.compiled.test_layers import assert_same

LAYERS = {
    "alone": {"num_layers": 0},
    "one layer": {"num_layers": 1},
    "of order 1": {"num_layers": 2, "order": 1},
    "every layer": {"num_layers": 2, "readout": "every", "message_norm": "sym"},
    "truncated": {"num_layers": 0, "k": 6},
    "features": {"num_layers": 1, "in_channels": 3},
    "transposes": {"num_layers": 1, "transposes": True},
    "odd channels": {"num_layers": 0, "hidden_channels": 21},
    "many layers": {"num_layers": 0, "roots": 4},
}


def make(dtype=torch.float64, **options):
    """An encoding whose biases are no zeros and whose norms have seen something."""
    model = OGEAug(5, **({"hidden_channels": 8, "roots": 2} | options)).to(dtype)
    torch.nn.init.normal_(model.roots.bias)
    data = HARD["grid"].clone()
    if model.in_channels:
        data.x = torch.randn(data.num_nodes, model.in_channels, dtype=dtype)
    model(data)
    return model.eval()


@pytest.mark.skipif(not build.available(), reason="no C++ compiler here")
@pytest.mark.parametrize("layers", LAYERS)
def test_the_core_gives_what_pytorch_gives(layers, dtype, tolerance):
    plain = make(dtype, **LAYERS[layers], kernel="torch")
    compiled = copy.deepcopy(plain)
    compiled.kernel = "auto"
    names = [name for name in HARD if name not in ("200 nodes", "weighted")]
    assert_same(plain, compiled, Batch.from_data_list([HARD[name] for name in names]), tolerance)
    assert_same(plain, compiled, weighted(), tolerance)


@pytest.mark.parametrize(
    "layers", [name for name in LAYERS if name not in ("transposes", "features")]
)
@pytest.mark.parametrize("graph", ["one node", "no edges", "complete", "weighted", "rook"])
def test_both_give_what_the_formulas_give(layers, graph):
    model = make(**LAYERS[layers])
    expected = dense(model, HARD[graph])
    torch.testing.assert_close(model(HARD[graph]), expected, rtol=1e-9, atol=1e-9)


@given(graphs(), st.sampled_from([None, 3]))
def test_any_graph_as_the_formulas_have_it(data, k):
    model = make(num_layers=1, in_channels=2, k=k)
    data.x = torch.randn(data.num_nodes, 2)
    tolerance = TOLERANCE[torch.float64]
    torch.testing.assert_close(model(data), dense(model, data), rtol=tolerance, atol=tolerance)


@pytest.mark.skipif(not build.available(), reason="no C++ compiler here")
def test_two_threads_give_the_same(monkeypatch):
    model = make(num_layers=0)
    batch = Batch.from_data_list([HARD["grid"], HARD["rook"], HARD["one node"]])
    found = []
    for threads in (1, 2):
        monkeypatch.setattr(torch, "get_num_threads", lambda threads=threads: threads)
        model.zero_grad()
        out = model(batch)
        out.square().sum().backward()
        found.append([out.detach(), *(p.grad.clone() for p in model.parameters())])
    for one, two in zip(*found, strict=True):
        torch.testing.assert_close(two, one, rtol=1e-12, atol=1e-12)


def test_gradients_reach_learned_edge_weights():
    """By PyTorch, since the core gives none for edges."""
    model = make(num_layers=0)
    data = weighted()
    data.edge_weight = data.edge_weight.double().requires_grad_()
    spectrum = compute_spectrum(data.edge_index, data.num_nodes, data.edge_weight.detach())
    data.eigvals, data.eigvecs = spectrum.eigvals, spectrum.eigvecs
    model(data).sum().backward()
    assert data.edge_weight.grad.abs().max() > 0


def test_roots_tell_apart_what_closed_walks_do_not():
    """Two circulants of the same eigenvalues: all nodes of both see the same walks come back."""
    pair = [from_networkx(nx.circulant_graph(20, jumps)) for jumps in ([1, 3, 4, 6], [1, 4, 6, 7])]
    left, right = (node_walks(data.edge_index, torch.tensor([20]), steps=20) for data in pair)
    torch.testing.assert_close(left, right)
    encode = make(num_layers=0)
    left, right = (encode(data) for data in pair)
    assert (left - right).abs().max() > 1e-3


@pytest.mark.parametrize("kernel", ["torch", "auto"])
def test_another_default_device_changes_nothing(kernel):
    encode, batch = make(num_layers=0, kernel=kernel), Batch.from_data_list([HARD["grid"]])
    AddSpectrum().add_to_batch(batch)
    expected = encode(batch)
    with torch.device("meta"):
        assert torch.equal(encode(batch), expected)


@pytest.mark.parametrize("half", [torch.float16, torch.bfloat16])
def test_half_precision(half):
    encode = make(torch.float32, num_layers=0)
    expected = encode(HARD["grid"])
    found = copy.deepcopy(encode).to(half)(HARD["grid"])
    assert found.dtype == half
    torch.testing.assert_close(found.float(), expected, rtol=0.1, atol=0.1)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"num_layers": 0, "roots": 0}, "num_layers must be at least 1"),
        ({"roots": -1}, "roots must be at least 1"),
        ({"roots": 1.5}, "whole number"),
        ({"reading": "printed", "hidden_channels": 5}, "leave roots out"),
        ({"reading": {"eigvals": False}}, "leave roots out"),
        ({"num_layers": 0, "in_channels": 3}, "in_channels=3 would change nothing"),
        ({"num_layers": 0, "readout": "every", "order": 3}, "order=3, readout='every' would"),
        ({"num_layers": 0, "kernel": "compiled_bf16"}, "kernel='compiled_bf16' would"),
        ({"num_layers": 0, "kernel": "nonsense"}, "unknown kernel 'nonsense'"),
        ({"num_layers": 0, "norm": "torch"}, "norm='torch' would"),
        ({"num_layers": 0, "reading": {"smooth": False}}, "reading=Reading("),
        ({"num_layers": False}, "num_layers must be a whole number"),
        ({"num_layers": 0.0}, "num_layers must be a whole number"),
        ({"roots": 0.0}, "roots must be a whole number"),
    ],
)
def test_what_does_not_fit_together_is_refused(options, says):
    with pytest.raises((ValueError, TypeError), match=re.escape(says)):
        OGEAug(5, **({"hidden_channels": 8, "roots": 2} | options))


def test_graphs_with_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setattr(network, "MOST_PAIRS", 100)
    with pytest.raises(UserError, match="all pairs of nodes"):
        make(num_layers=0)
