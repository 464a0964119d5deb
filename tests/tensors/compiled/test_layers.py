"""The compiled core gives what the plain PyTorch path gives: features and all gradients."""

import copy
from functools import partial

import pytest
import torch
from torch_geometric.data import Batch

from ogeaug import AddSpectrum, OGEAug
from ogeaug.native import build
from ogeaug.tensors.compiled import functions
from ogeaug.tensors.compiled.functions import Message, Product, Start
from ogeaug.tensors.compiled.layout import lay_out_core
from ogeaug.tensors.compiled.neighbours import list_neighbours
from tests.conftest import TOLERANCE
from tests.graphs import HARD, weighted
from tests.oracle import dense_oge_aug

pytestmark = pytest.mark.skipif(not build.available(), reason="no C++ compiler here")

OPTIONS = {
    "default": {},
    "wide bands": {"delta": 0.5},
    "truncated": {"k": 6},
    # With features: the norm of a constant over all nodes amplifies rounding a hundredfold.
    "batch norm": {"norm": "batch", "in_channels": 3},
    "hat": {"smoothing": "hat", "delta": 0.3},
    "one layer": {"num_layers": 1},
    "64 channels": {"hidden_channels": 64, "num_layers": 2},
    "odd channels": {"hidden_channels": 37, "num_layers": 2},
    "features": {"in_channels": 3},
    "in order": {"reading": {"in_order": True}},
    "every layer": {"readout": "every", "message_norm": "sym"},
}
# The plain path takes minutes for 200 nodes with wide bands or many channels.
SMALL = [name for name in HARD if name != "200 nodes"]


def pair(options, dtype):
    """The same encoding by both paths."""
    options = {"hidden_channels": 8, "num_layers": 3} | options
    plain = OGEAug(5, **options, kernel="torch").to(dtype)
    compiled = copy.deepcopy(plain)
    compiled.kernel = "compiled"
    return plain, compiled


def assert_same(plain, compiled, data, tolerance):
    """Features and gradients, each relative to the largest entry of its own tensor's family."""
    weight = None
    results = []
    for model in (plain, compiled):
        model.zero_grad()
        data = copy.copy(data)
        if model.in_channels:
            torch.manual_seed(1)
            data.x = torch.randn(data.num_nodes, model.in_channels).to(model.weight)
            data.x.requires_grad_()
        out = model(data)
        weight = torch.randn_like(out) if weight is None else weight
        (out * weight).sum().backward()
        gradients = {name: p.grad for name, p in model.named_parameters()}
        if model.in_channels:
            gradients["x"] = data.x.grad
        results.append((out.detach(), gradients))
    (out, gradients), (found, found_gradients) = results
    torch.testing.assert_close(found, out, rtol=0, atol=tolerance * float(out.abs().max()))
    scale = max(float(g.abs().max()) for g in gradients.values() if g is not None)
    for name, gradient in gradients.items():
        assert (gradient is None) == (found_gradients[name] is None), name
        if gradient is not None:
            error = float((found_gradients[name] - gradient).abs().max())
            assert error < tolerance * scale, (name, error, scale)


@pytest.mark.parametrize("options", OPTIONS)
def test_equals_plain_path_on_a_mixed_batch(options, dtype, tolerance):
    batch = Batch.from_data_list([HARD[name] for name in SMALL if name != "weighted"])
    assert_same(*pair(OPTIONS[options], dtype), batch, tolerance)


def test_equals_plain_path_with_batch_norm_of_a_constant():
    """Ill-conditioned, so in float64 only: without features the first norm divides by its eps."""
    batch = Batch.from_data_list([HARD[name] for name in SMALL if name != "weighted"])
    assert_same(*pair({"norm": "batch"}, torch.float64), batch, TOLERANCE[torch.float64])


@pytest.mark.parametrize("graph", SMALL)
@pytest.mark.parametrize("options", ["default", "wide bands", "truncated", "64 channels"])
def test_equals_plain_path_on_hard_graphs(options, graph, dtype, tolerance):
    assert_same(*pair(OPTIONS[options], dtype), HARD[graph], tolerance)


def test_equals_plain_path_on_a_large_graph(dtype, tolerance):
    assert_same(*pair({}, dtype), HARD["200 nodes"], tolerance)


def test_equals_plain_path_on_weighted_batches(dtype, tolerance):
    other = weighted()
    other.edge_weight = other.edge_weight * 2
    assert_same(*pair({}, dtype), Batch.from_data_list([weighted(), other]), tolerance)


@pytest.mark.parametrize("graph", ["one node", "complete", "path", "weighted", "rook"])
def test_equals_the_paper(graph):
    _, model = pair({"delta": 0.3}, torch.float64)
    data = AddSpectrum()(HARD[graph].clone())
    expected = dense_oge_aug(model, data, data.eigvals, data.eigvecs)
    torch.testing.assert_close(model(data), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("options", ["default", "wide bands"])
def test_large_tilde_copies_are_computed_again(options, dtype, tolerance, monkeypatch):
    monkeypatch.setattr(functions, "KEEP_TILDES", 0)
    assert_same(*pair(OPTIONS[options], dtype), HARD["grid"], tolerance)


def test_without_gradients_nothing_is_kept_and_the_same_comes_out(monkeypatch):
    passed = []
    call = functions._call
    spy = lambda *args, **tensors: (passed.append(tensors), call(*args, **tensors))  # noqa: E731
    monkeypatch.setattr(functions, "_call", spy)
    _, model = pair({}, torch.float64)
    expected = model(HARD["grid"])
    assert any("t1" in tensors for tensors in passed)
    passed.clear()
    with torch.no_grad():
        found = model(HARD["grid"])
    assert passed
    assert not any("t1" in tensors for tensors in passed)
    torch.testing.assert_close(found, expected, rtol=0, atol=0)


def test_two_threads_give_the_same(dtype, tolerance):
    batch = Batch.from_data_list([HARD["grid"], HARD["random regular"], HARD["star"]])
    _, model = pair({}, dtype)
    out, gradients = [], []
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            model.zero_grad()
            out.append(model(batch))
            out[-1].square().sum().backward()
            gradients.append(torch.cat([p.grad.flatten() for p in model.parameters()]))
    finally:
        torch.set_num_threads(1)
    torch.testing.assert_close(out[0], out[1], rtol=tolerance, atol=tolerance)
    scale = float(gradients[0].abs().max())
    torch.testing.assert_close(gradients[0], gradients[1], rtol=0, atol=tolerance * scale)


def test_gradcheck():
    batch = Batch.from_data_list([HARD["star"], HARD["path"], HARD["one node"]])
    model = OGEAug(2, hidden_channels=4, delta=0.6).double()
    spectra = model.read_spectra(batch)
    neighbours = list_neighbours(batch.edge_index, batch.num_nodes, None)
    plan = lay_out_core(spectra, model.smoothing, neighbours, torch.float64)
    rows0, rows1, rows2 = plan.num_rows

    def random(*shape):
        return torch.randn(*shape, dtype=torch.float64, requires_grad=True)

    def scalar(function, weight):  # one number, so that the check takes one backward pass
        return lambda *inputs: sum(
            (out * w[: out.numel()].view_as(out)).sum()
            for out, w in zip(function(*inputs), weight, strict=False)
        )

    weight = torch.randn(3, 4 * max(rows1, rows2), dtype=torch.float64)
    square = [random(4, 4) for _ in range(4)]
    w1, w2, t0 = random(rows1, 4), random(rows2, 4), random(rows0, 4)
    check = {"fast_mode": True, "raise_exception": True}
    start = scalar(
        lambda e, q: Start.apply(plan, spectra.eigvecs, weight[0, : len(e)], e, q), weight
    )
    assert torch.autograd.gradcheck(start, (random(len(spectra.eigvals), 4), random(4)), **check)
    for in_order in (False, True):
        product = scalar(partial(Product.apply, plan, 1e-5, in_order, True), weight)
        assert torch.autograd.gradcheck(product, (w1, w2, t0, random(7), *square), **check)
    final = scalar(partial(Product.apply, plan, 1e-5, False, True), weight)
    assert torch.autograd.gradcheck(final, (w1, w2, t0, random(7), *square[:2]), **check)
    message = scalar(lambda *inputs: Message.apply(plan, 1e-5, *inputs), weight)
    assert torch.autograd.gradcheck(message, (w1, w2, *square[:2]), **check)


def test_refuses_second_derivatives():
    _, model = pair({}, torch.float64)
    out = model(HARD["path"])
    (gradient,) = torch.autograd.grad(out.square().sum(), model.q2, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        gradient.sum().backward()


needs_bf16 = pytest.mark.skipif(
    build.available() and build.load_core().bf16_channels() == 0, reason="no AVX512-BF16 here"
)


@needs_bf16
@pytest.mark.parametrize("graph", ["grid", "random regular", "star", "path", "weighted"])
@pytest.mark.parametrize(
    "options", [{}, {"delta": 0.5}, {"k": 9}, {"hidden_channels": 128}, {"num_layers": 1}]
)
@pytest.mark.parametrize("keep", [True, False])
def test_bf16_is_close(graph, options, keep, monkeypatch):
    if not keep:
        monkeypatch.setattr(functions, "KEEP_TILDES", 0)
    plain, half = pair({"hidden_channels": 64} | options, torch.float32)
    half.kernel = "compiled_bf16"
    rounded = copy.deepcopy(plain)  # only its weights: as close as 16 bits can be
    with torch.no_grad():
        for parameter in rounded.parameters():
            parameter.copy_(parameter.bfloat16())
    models = (plain, half, rounded)
    expected, found, _ = outs = [model(HARD[graph]) for model in models]
    error = (found - expected).norm() / expected.norm()
    assert 1e-5 < error < 0.03  # it does round, but not by much
    weight = torch.randn_like(expected)
    for model, out in zip(models, outs, strict=True):
        (out * weight).sum().backward()
        model.gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
    difference, least = ((m.gradient - plain.gradient).norm() for m in (half, rounded))
    assert difference < 3 * least + 0.01 * plain.gradient.norm()


@needs_bf16
def test_bf16_says_what_it_needs():
    for options, dtype in (({"hidden_channels": 32}, torch.float32), ({}, torch.float64)):
        model = OGEAug(4, **options, kernel="compiled_bf16").to(dtype)
        with pytest.raises(ValueError, match=r"needs a processor with AVX512-BF16 \(this is one\)"):
            model(HARD["path"])
