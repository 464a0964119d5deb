"""Whether one loader worker keeps a training step of the ZINC configuration fed.

    python -m benchmarks.loader [--zinc] [--steps 40]

The worker adds the spectrum of each graph at each access, with noise and permutation, and collates
batches of 32; the main process trains GINE + OGE-Aug on them. Times by the clock: how many graphs
a second the worker delivers when nobody trains, how many the steps consume, and how long the steps
wait for a batch when both run.
"""

import argparse
import time
from collections.abc import Iterator

import torch
from rich.progress import track
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader

from benchmarks.history import record
from benchmarks.molecules import molecules
from benchmarks.training_step import Model, step
from ogeaug import AddSpectrum, OGEAug
from ogeaug.native.build import load_core

SIZE = 32


class Graphs(torch.utils.data.Dataset):
    """The same molecules over and over, each time with another disturbance."""

    def __init__(self, graphs: list[Data], count: int) -> None:
        self.graphs, self.count = graphs, count
        self.add = AddSpectrum(noise=1e-5, permute=True)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Data:
        if index >= self.count:
            raise IndexError(index)
        return self.add(self.graphs[index % len(self.graphs)])


def batches(graphs: list[Data], count: int) -> Iterator[Batch]:
    """From one worker, which runs already: the first batch is thrown away."""
    loader = iter(DataLoader(Graphs(graphs, (count + 1) * SIZE), SIZE, num_workers=1))
    next(loader)
    return loader


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zinc", action="store_true", help="molecules of ZINC, not NCI")
    parser.add_argument("--steps", type=int, default=40)
    args = parser.parse_args()
    torch.set_num_threads(1)
    load_core()
    graphs = molecules(512, zinc=args.zinc)
    found: dict[str, float] = {}

    loader, start = batches(graphs, 5 * args.steps), time.perf_counter()
    count = sum(batch.num_graphs for batch in loader)
    found["worker alone"] = count / (time.perf_counter() - start)

    model = Model(OGEAug(28, kernel="compiled"))
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    waited, loader = 0.0, batches(graphs, args.steps)
    begin = time.perf_counter()
    for _ in track(range(args.steps), "training"):
        start = time.perf_counter()
        batch = next(loader)
        waited += time.perf_counter() - start
        step(model, optimizer, batch)
    seconds = time.perf_counter() - begin
    found["training with one worker"] = args.steps * SIZE / seconds
    for name, value in found.items():
        print(f"{name:26s} {value:8.0f} graphs per second")
        record("loader", name, value, "graphs a second")
    print(f"{'waiting for the worker':26s} {100 * waited / seconds:8.2f} % of the training's time")
    record("loader", "waiting for the worker", 100 * waited / seconds, "% of the training")


if __name__ == "__main__":
    main()
