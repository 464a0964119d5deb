"""All layers in one call: what it keeps, and that it uses memory again without harm."""

import gc

import pytest
import torch
from torch_geometric.data import Batch

from ogeaug import OGEAug
from ogeaug.native import build
from ogeaug.native.gate import call
from ogeaug.tensors.compiled import memory, whole
from ogeaug.tensors.compiled.memory import Loan
from tests.graphs import HARD

pytestmark = pytest.mark.skipif(not build.available(), reason="no C++ compiler here")


@pytest.fixture
def model():
    return OGEAug(5, hidden_channels=8, num_layers=3, kernel="compiled").double()


@pytest.fixture
def nothing_aside(monkeypatch):
    monkeypatch.setattr(memory, "_ASIDE", [])


def gradient(model, out):
    """Of a sum over the features, which stays the same if it is asked for again."""
    found = torch.autograd.grad(out.square().sum(), list(model.parameters()), retain_graph=True)
    return torch.cat([g.flatten() for g in found])


def test_it_is_used(model, monkeypatch):
    names = []
    spy = lambda name, *structs: (names.append(name), call(name, *structs))[1]  # noqa: E731
    monkeypatch.setattr("ogeaug.tensors.compiled.functions.call", spy)
    model(HARD["path"]).sum().backward()
    assert names == ["network_forward_f64", "network_backward_f64"]


def test_without_gradients_the_same(model):
    batch = Batch.from_data_list([HARD["grid"], HARD["star"], HARD["one node"]])
    with torch.no_grad():
        found = model(batch)
    torch.testing.assert_close(found, model(batch), rtol=0, atol=0)


def test_a_graph_that_is_kept_is_not_written_over(model, nothing_aside):
    """Backward passes in any order, and twice, with other steps between."""
    first, second = HARD["grid"], HARD["path"]
    expected = [gradient(model, model(data)) for data in (first, second)]
    one = model(first)
    two = model(second)
    assert torch.equal(gradient(model, one), expected[0])
    gradient(model, model(second))  # a step that comes and goes
    assert torch.equal(gradient(model, two), expected[1])
    assert torch.equal(gradient(model, one), expected[0])


def test_a_second_backward_pass_is_refused_as_everywhere(model):
    loss = model(HARD["path"]).sum()
    loss.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        loss.backward()


def test_memory_is_used_again(nothing_aside):
    loan = Loan(1000, torch.float32)
    place = loan.numbers.data_ptr()
    other = Loan(1000, torch.float32)
    assert other.numbers.data_ptr() != place
    del loan
    gc.collect()
    smaller = Loan(300, torch.float64)
    assert smaller.numbers.data_ptr() == place
    assert smaller.numbers.shape == (300,)


def test_little_is_put_aside(nothing_aside, monkeypatch):
    loans = [Loan(100, torch.float32) for _ in range(5)]
    del loans
    assert len(memory._ASIDE) == memory.MOST_PIECES
    monkeypatch.setattr(memory, "MOST_BYTES", 1000)
    memory._ASIDE.clear()
    Loan(1000, torch.float32)
    assert not memory._ASIDE


def test_what_is_too_small_is_let_go(nothing_aside):
    Loan(10, torch.float32)
    assert len(memory._ASIDE) == 1
    large = Loan(1000, torch.float32)
    assert not memory._ASIDE
    assert large.numbers.shape == (1000,)


def test_the_core_refuses_memory_of_another_size(model, monkeypatch):
    """C++ follows the sizes that Python gives it, so that both must count alike."""
    right = whole._size
    monkeypatch.setattr(whole, "_size", lambda *a, **k: right(*a, **k) - 1)
    with pytest.raises(RuntimeError, match="failed in network_forward"):
        model(HARD["path"])
