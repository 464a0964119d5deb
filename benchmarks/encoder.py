"""Forward and backward of OGE-Aug against its bare matrix products, and its peak memory.

python benchmarks/encoder.py [--zinc] [--rounds 15] [--batch 32]
"""

import argparse
from collections.abc import Callable

import torch
from torch import Tensor
from torch_geometric.data import Batch

from benchmarks.molecules import molecules
from benchmarks.timing import interleaved
from ogeaug import AddSpectrum, OGEAug
from ogeaug.encodings.base import neighbours
from ogeaug.spectrum.bands import find_bands
from ogeaug.tensors.layout import lay_out


def train_once(model: OGEAug, batch: Batch) -> Tensor:
    """One forward and backward pass."""
    model.zero_grad()
    loss = model(batch).square().mean()
    loss.backward()
    return loss


def bare_products(model: OGEAug, batch: Batch) -> Callable[[], None]:
    """The matrix products of one forward and backward pass, without anything around them.

    Each linear map of x [R, h] costs three: the output, the gradient of x and of the matrix. All
    write into memory that is there already, which favours them.
    """
    rows = count_rows(model, batch)
    h = model.hidden_channels
    shapes = [
        rows[2 if "linear2" in name else 1 if "linear1" in name else 0]
        for name, _ in model.named_modules()
        if name.startswith(("products", "messages")) and name.split(".")[-1].startswith("linear")
    ]
    dtype = model.out.weight.dtype
    x = {r: torch.randn(r, h, dtype=dtype) for r in set(shapes)}
    y = {r: torch.randn(r, h, dtype=dtype) for r in set(shapes)}
    g = {r: torch.randn(r, h, dtype=dtype) for r in set(shapes)}
    weight, gradient = torch.randn(h, h, dtype=dtype), torch.empty(h, h, dtype=dtype)

    def run() -> None:
        for r in shapes:
            torch.mm(x[r], weight.t(), out=y[r])
        for r in reversed(shapes):
            torch.mm(g[r], weight, out=y[r])
            torch.mm(g[r].t(), x[r], out=gradient)

    return run


def count_rows(model: OGEAug, batch: Batch) -> tuple[int, int, int]:
    """The rows of W0, W1 and W2 of a batch."""
    spectra = model.read_spectra(batch)
    bands = find_bands(spectra, model.smoothing)
    edges, weight = neighbours(batch.edge_index, batch.num_nodes)
    layout = lay_out(spectra, edges, weight, bands, torch.float32)
    assert layout.pairs is not None
    return layout.num_nodes, len(layout.node), len(layout.pairs.node)


def measure(delta: float, batch_size: int, rounds: int, zinc: bool) -> dict[str, float]:
    """Seconds a graph of each path."""
    graphs = [AddSpectrum()(data) for data in molecules(batch_size, zinc=zinc)]
    batch = Batch.from_data_list(graphs)
    torch.manual_seed(0)
    models = {kernel: OGEAug(28, delta=delta, kernel=kernel) for kernel in ("torch", "compiled")}
    tasks: dict[str, Callable[[], object]] = {"products": bare_products(models["torch"], batch)}
    for kernel, model in models.items():
        tasks[kernel] = lambda model=model: train_once(model, batch)
    return {k: s / batch_size for k, s in interleaved(tasks, rounds).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zinc", action="store_true", help="molecules of ZINC, not NCI")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()
    torch.set_num_threads(1)
    for delta in (0.05, 0.5):
        found = measure(delta, args.batch, args.rounds, args.zinc)
        floor = found["products"]
        for name, seconds in found.items():
            print(
                f"delta {delta}: {name:10s} {seconds * 1e3:7.2f} ms a graph {seconds / floor:5.2f}"
            )


if __name__ == "__main__":
    main()
