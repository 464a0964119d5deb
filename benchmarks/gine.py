"""What GINE sums up at each node, in one pass of the core, beside PyTorch and PyG.

    python -m benchmarks.gine [--zinc] [--rounds 60]

Forward and backward of x_i + sum_j ReLU(x_j + e_ji) at 64 channels, a batch of 32 molecules; and a
training step of GINE with 10 layers of 64 without encoding, with and without the core. The floor is
a copy of x and e, forward and backward: memory that has to be read and written in any case.
"""

import argparse
from collections.abc import Callable
from unittest.mock import patch

import torch
from torch import Tensor, nn
from torch_geometric.data import Batch
from torch_geometric.nn import GINEConv

from benchmarks.history import record
from benchmarks.molecules import molecules
from benchmarks.timing import interleaved
from ogeaug.backbones import edge_sum as module
from ogeaug.backbones.edge_sum import edge_sum, plain_edge_sum
from ogeaug.backbones.message_passing import MessagePassing

CHANNELS = 64


class Same(nn.Module):
    """In place of the perceptron of PyG's convolution: its sum alone is measured."""

    in_features = CHANNELS

    def forward(self, x: Tensor) -> Tensor:
        return x


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zinc", action="store_true", help="molecules of ZINC, not NCI")
    parser.add_argument("--rounds", type=int, default=60)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    batch = Batch.from_data_list(molecules(32, zinc=args.zinc))
    edges = batch.edge_index
    x = torch.randn(batch.num_nodes, CHANNELS, requires_grad=True)
    e = torch.randn(edges.size(1), CHANNELS, requires_grad=True)
    g = torch.randn_like(x)
    pyg, network = GINEConv(Same()), MessagePassing(CHANNELS, conv="gine", layers=10)
    optimizer = torch.optim.AdamW(network.parameters(), fused=True)

    def both_ways(out: Callable[[], Tensor]) -> Callable[[], object]:
        return lambda: torch.autograd.grad(out(), (x, e), g, allow_unused=True)

    def floor() -> None:
        for _ in "forward", "backward":
            x.detach().clone()
            e.detach().clone()

    def step() -> None:
        optimizer.zero_grad()
        network(x.detach(), edges, e.detach(), batch.batch).sum().backward()
        optimizer.step()

    def step_without() -> None:
        with patch.object(module, "at_hand", lambda *_: False):
            step()

    tasks = {
        "floor": floor,
        "core": both_ways(lambda: edge_sum(x, edges, e)),
        "plain PyTorch": both_ways(lambda: plain_edge_sum(x, edges, e)),
        "PyG": both_ways(lambda: pyg(x, edges, e)),
        "step, core": step,
        "step, plain PyTorch": step_without,
    }
    found = interleaved(tasks, args.rounds)
    for name, seconds in found.items():
        base = "step, core" if name.startswith("step") else "floor"
        ratio = seconds / found[base]
        print(f"{name:20s} {seconds * 1e6:8.0f} us, {ratio:5.2f} x {base}")
        record("gine", name, ratio, f"x {base}")


if __name__ == "__main__":
    main()
