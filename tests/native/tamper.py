"""Batches tampered with at random, for the core: run as a process of its own, which may crash.

python -m tests.native.tamper FIRST COUNT

prints each seed before it is tried, so that a crash names its own, and ``done`` at the end.
"""

import copy
import random
import sys
import warnings
from collections.abc import Callable

import torch
from torch import Tensor
from torch_geometric.data import Batch

from ogeaug import AddSpectrum, OGEAug
from tests.graphs import HARD

KINDS = (
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex64,
)
WILD = (-1, -(2**31), -(2**63), 0, 1, 7, 1000, 2**31, 2**33, 2**62)
KEYS = ("ptr", "batch", "edge_index", "eigvals", "eigvecs", "eigval_cutoff", "edge_weight")


def retype(t: Tensor, choose: random.Random) -> Tensor:
    return t.to(choose.choice(KINDS))


def poke(t: Tensor, choose: random.Random) -> Tensor:
    """A wild number somewhere."""
    if t.numel() == 0:
        return t
    number = choose.choice(WILD)
    if t.is_floating_point():
        number = choose.choice([float(number), float("nan"), float("inf"), -0.0, 1e308])
    at = choose.randrange(t.numel())
    return torch.cat([t.flatten()[:at], t.new_tensor([number]), t.flatten()[at + 1 :]]).view_as(t)


def shorten(t: Tensor, choose: random.Random) -> Tensor:
    return t[..., : choose.randint(0, t.size(-1))]


def lengthen(t: Tensor, choose: random.Random) -> Tensor:
    return torch.cat([t, t[..., : choose.randint(0, 3)]], -1)


def stride(t: Tensor, choose: random.Random) -> Tensor:
    """The same numbers, not next to each other."""
    return torch.stack([t, t], -1)[..., 0]


def step(t: Tensor, choose: random.Random) -> Tensor:
    return t[..., :: choose.randint(2, 3)]


def shuffle(t: Tensor, choose: random.Random) -> Tensor:
    return t[..., torch.tensor(choose.sample(range(t.size(-1)), t.size(-1)), dtype=torch.long)]


def reshape(t: Tensor, choose: random.Random) -> Tensor:
    return choose.choice([t.flatten(), t.unsqueeze(0), t.unsqueeze(-1), t.expand(2, *t.shape)])


def move(t: Tensor, choose: random.Random) -> Tensor:
    return t.to("meta")


def learn(t: Tensor, choose: random.Random) -> Tensor:
    return t.clone().requires_grad_() if t.is_floating_point() else t


def sparse(t: Tensor, choose: random.Random) -> Tensor:
    return t.to_sparse()


TRICKS: tuple[Callable[[Tensor, random.Random], Tensor], ...] = (
    *(retype, retype, poke, poke, poke, shorten, lengthen, stride),
    *(step, shuffle, reshape, move, learn, sparse),
)


def make(choose: random.Random) -> Batch:
    names = choose.choices([name for name in HARD if name not in ("200 nodes", "weighted")], k=3)
    graphs = [HARD[name].clone() for name in names]
    if choose.random() < 0.8:
        graphs = [AddSpectrum(choose.choice([None, None, 4]))(graph) for graph in graphs]
    batch = Batch.from_data_list(graphs)
    if choose.random() < 0.3:
        batch.edge_weight = torch.ones(batch.num_edges)
    return batch


def tamper(batch: Batch, choose: random.Random) -> None:
    """Once or twice, somewhere."""
    for _ in range(choose.randint(1, 2)):
        if choose.random() < 0.1:
            batch.num_nodes = choose.choice([*WILD, batch.num_nodes + 1])
        elif choose.random() < 0.15 and "eigvals" in batch:
            batch._slice_dict["eigvals"] = choose.choice(TRICKS)(
                batch._slice_dict["eigvals"], choose
            )
        else:
            key = choose.choice([key for key in KEYS if key in batch])
            if choose.random() < 0.1:
                del batch[key]
            else:
                batch[key] = choose.choice(TRICKS)(batch[key], choose)


def encode(kernel: str, batch: Batch) -> Tensor | Exception:
    torch.manual_seed(0)
    model = OGEAug(4, hidden_channels=8, num_layers=2, delta=0.3, kernel=kernel).eval()
    try:
        out = model(copy.deepcopy(batch))
        out.sum().backward()
    except Exception as error:
        return error
    return out.detach()


def attempt(seed: int) -> None:
    """Both paths refuse, or both give the same; only the core may need other tensors."""
    choose = random.Random(seed)
    batch = make(choose)
    try:
        tamper(batch, choose)
    except (RuntimeError, NotImplementedError, IndexError, OverflowError, TypeError, ValueError):
        return  # PyTorch does not do this trick
    found, expected = encode("compiled", batch), encode("torch", batch)
    if isinstance(found, Exception):
        fine = isinstance(expected, Exception) or "no gradients" in str(found)
        assert fine, f"seed {seed}: the core alone refuses: {found!r}"
        return
    assert not isinstance(expected, Exception), f"seed {seed}: PyTorch alone refuses: {expected!r}"
    torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-3, equal_nan=True)


def main() -> None:
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    first, count = int(sys.argv[1]), int(sys.argv[2])
    for seed in range(first, first + count):
        print(seed, flush=True)
        attempt(seed)
    print("done")


if __name__ == "__main__":
    main()
