"""A training step on molecules at the paper's width: GINE with 10 layers of 64, and OGE-Aug to 28.

    python -m benchmarks.training_step [--zinc] [--rounds 9]

Forward, backward and Adam, on batches whose spectra a loader has added.
"""

import argparse

import torch
from torch import Tensor, nn
from torch_geometric.data import Batch
from torch_geometric.nn import GINEConv, global_add_pool

from benchmarks.history import record
from benchmarks.molecules import molecules
from benchmarks.timing import interleaved
from ogeaug import AddSpectrum, OGEAug

CHANNELS = 64


class Model(nn.Module):
    """Atoms, an encoding if there is one, GINE, a sum over the graph."""

    def __init__(self, encoding: nn.Module | None) -> None:
        super().__init__()
        self.encoding = encoding
        self.atom = nn.Embedding(28, CHANNELS - (0 if encoding is None else 28))
        self.bond = nn.Embedding(4, CHANNELS)
        self.convs = nn.ModuleList(
            GINEConv(
                nn.Sequential(
                    nn.Linear(CHANNELS, CHANNELS),
                    nn.BatchNorm1d(CHANNELS),
                    nn.ReLU(),
                    nn.Linear(CHANNELS, CHANNELS),
                    nn.BatchNorm1d(CHANNELS),
                    nn.ReLU(),
                )
            )
            for _ in range(10)
        )
        self.head = nn.Sequential(nn.Linear(CHANNELS, CHANNELS), nn.ReLU(), nn.Linear(CHANNELS, 1))

    def forward(self, data: Batch) -> Tensor:
        x, bond = self.atom(data.atom), self.bond(data.bond)
        if self.encoding is not None:
            x = torch.cat([x, self.encoding(data)], -1)
        for conv in self.convs:
            x = x + conv(x, data.edge_index, bond)
        return self.head(global_add_pool(x, data.batch)).flatten()


def step(model: Model, optimizer: torch.optim.Optimizer, batch: Batch) -> None:
    optimizer.zero_grad()
    model(batch).abs().mean().backward()
    optimizer.step()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zinc", action="store_true", help="molecules of ZINC, not NCI")
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    torch.set_num_threads(1)
    add = AddSpectrum(noise=1e-5, permute=True)
    batch = Batch.from_data_list([add(data) for data in molecules(32, zinc=args.zinc)])
    encodings = {
        "no encoding": None,
        "compiled": OGEAug(28, kernel="compiled"),
        "torch": OGEAug(28, kernel="torch"),
    }
    tasks = {}
    for name, encoding in encodings.items():
        model = Model(encoding)
        optimizer = torch.optim.Adam(model.parameters(), 1e-3)
        tasks[name] = lambda model=model, optimizer=optimizer: step(model, optimizer, batch)
    found = interleaved(tasks, args.rounds)
    for name, seconds in found.items():
        speedup = found["torch"] / seconds
        print(f"{name:12s} {seconds * 1e3:8.1f} ms per step of 32 graphs, {speedup:5.2f} x as fast")
        record("training_step", name, seconds * 1e3, "ms a step")
        record("training_step", name, speedup, "x as fast as the plain path")


if __name__ == "__main__":
    main()
