"""Layers that are computed again instead of kept: same results, fewer tensors."""

import pytest
import torch

from ogeaug import OGEAug
from ogeaug.native import build
from ogeaug.tensors.compiled import path
from ogeaug.tensors.recompute import run_steps
from tests.graphs import HARD

needs_core = pytest.mark.skipif(not build.available(), reason="no C++ compiler here")


class Count:
    """Squares a number and counts how often."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return (x * x,)


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_steps_give_the_same(count):
    x = torch.tensor(1.1, dtype=torch.float64, requires_grad=True)
    found = []
    for recompute in (False, True):
        steps = [Count() for _ in range(count)]
        (y,) = run_steps(steps, x, recompute=recompute)
        (gradient,) = torch.autograd.grad(y, x)
        found.append((y.item(), gradient.item()))
        worst = max(step.calls for step in steps)
        assert worst == 1 if not recompute else 1 < worst <= 2 + count.bit_length()
    assert found[0] == found[1]


def test_fewer_tensors_are_kept():
    kept = []

    def pack(tensor):
        kept.append(tensor)
        return tensor

    x = torch.ones(3, requires_grad=True)
    counts = []
    for recompute in (False, True):
        kept.clear()
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            run_steps([lambda x: (x.sin().cos().exp(),)] * 8, x, recompute=recompute)
        counts.append(len(kept))
    assert counts[0] == 24
    assert counts[1] <= 5  # the inputs of steps 1, 5, 7 and 8


@needs_core
@pytest.mark.parametrize("num_layers", [1, 2, 4])
def test_encoding_is_the_same_to_the_bit(monkeypatch, num_layers):
    torch.manual_seed(0)
    encode = OGEAug(4, hidden_channels=8, num_layers=num_layers, kernel="compiled")
    found = []
    for limit in (path.KEEP_LAYERS, 0):
        monkeypatch.setattr(path, "KEEP_LAYERS", limit)
        encode.zero_grad()
        out = encode(HARD["cycle"])
        out.square().sum().backward()
        found.append([out, *(p.grad for p in encode.parameters())])
    assert all(torch.equal(a, b) for a, b in zip(*found, strict=True))


@needs_core
def test_batch_norm_counts_a_batch_once(monkeypatch):
    monkeypatch.setattr(path, "KEEP_LAYERS", 0)
    encode = OGEAug(4, hidden_channels=8, norm="batch", kernel="compiled")
    encode(HARD["cycle"]).sum().backward()
    assert encode.products[0].mix.norm0.num_batches_tracked == 1
