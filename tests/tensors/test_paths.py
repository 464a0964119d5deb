"""Which path OGEAug takes, and that it says so when it cannot."""

import functools

import pytest
import torch

from ogeaug import AddSpectrum, OGEAug
from ogeaug.native import build
from ogeaug.tensors import paths
from ogeaug.tensors.compiled.path import CompiledPath
from tests.graphs import HARD

PATH = HARD["path"]


@pytest.fixture
def calls(monkeypatch):
    """Counts the batches that the compiled core does."""
    found = []
    original = CompiledPath.prepare

    def prepare(*arguments):
        run = original(*arguments)
        found.extend([1] * (run is not None))
        return run

    monkeypatch.setattr(CompiledPath, "prepare", prepare)
    return found


def make(**options):
    return OGEAug(4, hidden_channels=8, num_layers=2, **options)


needs_core = pytest.mark.skipif(not build.available(), reason="no C++ compiler here")


@needs_core
def test_auto_takes_the_core(calls):
    make()(PATH)
    make(kernel="compiled")(PATH)
    assert len(calls) == 2


def test_torch_and_other_orders_take_the_plain_path(calls):
    make(kernel="torch")(PATH)
    make(order=1)(PATH)
    assert not calls


def test_gradients_for_the_spectrum_take_the_plain_path(calls):
    data = AddSpectrum()(PATH.clone())
    eigvecs = data.eigvecs.clone().requires_grad_()
    data.eigvecs = eigvecs
    make()(data).sum().backward()
    assert eigvecs.grad.abs().max() > 0
    assert not calls
    with pytest.raises(ValueError, match="no gradients for eigenvalues"):
        make(kernel="compiled")(data)


@pytest.mark.parametrize("kernel", ["auto", "torch"])
def test_works_under_autocast(kernel):
    model = make(kernel=kernel)
    expected = model(PATH)
    with torch.autocast("cpu", torch.bfloat16):
        torch.testing.assert_close(model(PATH), expected)


def test_windows_with_holes_take_the_plain_path(calls):
    # A smoothing function that vanishes in between: some eigenpair does not see all up to delta.
    def holed(x):
        return torch.where((x - 1.0).abs() < 0.2, 0.0, (1 - x / 2).clamp(min=0))

    model = make(smoothing=holed, delta=2.0)
    out = model(PATH)
    assert not calls
    model.kernel = "torch"
    torch.testing.assert_close(model(PATH), out)


def test_without_compiler_auto_works_and_compiled_explains(calls, monkeypatch):
    monkeypatch.setattr(build, "_try_load", functools.cache(lambda: "no C++ compiler found"))
    assert make()(PATH).shape == (9, 4)
    assert not calls
    with pytest.raises(build.BuildError, match="no C\\+\\+ compiler found"):
        make(kernel="compiled")(PATH)


def test_refuses_what_it_does_not_know():
    with pytest.raises(ValueError, match="choose from auto, torch, compiled, compiled_bf16"):
        make(kernel="cuda")
    with pytest.raises(ValueError, match="is for order 2 as it is"):
        make(kernel="compiled", order=1)
    assert paths.KERNELS[0] == "auto"


def test_a_path_is_one_more_line(monkeypatch):
    """The first that can does it; what it leaves goes to the next."""

    class Ones:
        def prepare(self, network, graphs):
            if graphs.num_nodes != PATH.num_nodes:
                return None
            return lambda first: [torch.ones_like(first.w0)] * len(network.products)

    model = make()
    expected = model(HARD["star"])
    monkeypatch.setattr(paths, "PATHS", (Ones(), *paths.PATHS))
    assert torch.equal(model(HARD["star"]), expected)
    assert torch.equal(model(PATH), model.out([torch.ones(9, 8)]))
    monkeypatch.setattr(paths, "PATHS", ())
    with pytest.raises(RuntimeError, match="no path does order 2"):
        model(PATH)
