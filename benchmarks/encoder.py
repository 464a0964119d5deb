"""Forward and backward of OGE-Aug against its bare matrix products, and its peak memory.

python -m benchmarks.encoder [--zinc] [--rounds 15]
"""

import argparse
import subprocess
import sys
from collections.abc import Callable

import torch
from torch import Tensor
from torch_geometric.data import Batch

from benchmarks.history import record
from benchmarks.memory import peak_bytes
from benchmarks.molecules import molecules
from benchmarks.timing import interleaved
from ogeaug import AddSpectrum, OGEAug
from ogeaug.spectrum.bands import find_bands

KERNELS = ("torch", "compiled")


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
    h, dtype = model.hidden_channels, model.weight.dtype
    shapes = [
        rows[int(name[-1])]  # linear0 has the rows of W0, and so on
        for name, _ in model.named_modules()
        if name.startswith(("products", "messages")) and name.split(".")[-1].startswith("linear")
    ]
    x, y, g = ({r: torch.randn(r, h, dtype=dtype) for r in set(shapes)} for _ in range(3))
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
    nodes, pairs = spectra.num_nodes, find_bands(spectra, model.smoothing).num_pairs
    return int(nodes.sum()), int((nodes * spectra.num_eigvals).sum()), int((nodes * pairs).sum())


def make_batch(size: int, zinc: bool) -> Batch:
    return Batch.from_data_list([AddSpectrum()(data) for data in molecules(size, zinc=zinc)])


def make_model(kernel: str, delta: float) -> OGEAug:
    torch.manual_seed(0)
    return OGEAug(28, delta=delta, kernel=kernel)


def time_paths(delta: float, size: int, rounds: int, zinc: bool) -> dict[str, float]:
    """Seconds per graph of each path and of the bare products."""
    batch = make_batch(size, zinc)
    models = {kernel: make_model(kernel, delta) for kernel in KERNELS}
    tasks: dict[str, Callable[[], object]] = {"products": bare_products(models["torch"], batch)}
    for kernel, model in models.items():
        tasks[kernel] = lambda model=model: train_once(model, batch)
    return {k: s / size for k, s in interleaved(tasks, rounds).items()}


def memory_of_path(kernel: str, delta: float, size: int, zinc: bool) -> float:
    """Peak bytes per graph, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.encoder", "--memory", kernel]
    command += ["--delta", str(delta), "--batch", str(size), *(["--zinc"] if zinc else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zinc", action="store_true", help="molecules of ZINC, not NCI")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--delta", type=float)
    parser.add_argument("--memory", choices=KERNELS, help="print the peak bytes per graph, no more")
    args = parser.parse_args()
    torch.set_num_threads(1)
    if args.memory:
        model, batch = make_model(args.memory, args.delta), make_batch(args.batch, args.zinc)
        train_once(model, make_batch(1, args.zinc))
        print(peak_bytes(lambda: train_once(model, batch)) / args.batch)
        return
    for delta in (0.05, 0.5) if args.delta is None else (args.delta,):
        found = time_paths(delta, args.batch, args.rounds, args.zinc)
        for name, seconds in found.items():
            ratio = seconds / found["products"]
            line = f"delta {delta}, batch {args.batch}, {name}"
            print(f"{line:40s} {seconds * 1e3:7.2f} ms per graph, {ratio:5.2f} x bare products")
            record("encoder", line, seconds * 1e3, "ms a graph")
            record("encoder", line, ratio, "x bare products")
        for size in (32, 128):
            # Wide bands at batch 128 take the plain path more memory than many machines have.
            for kernel in KERNELS if size * delta < 20 else ("compiled",):
                mib = memory_of_path(kernel, delta, size, args.zinc) / 2**20
                line = f"delta {delta}, batch {size}, {kernel}"
                print(f"{line:40s} {mib:7.2f} MiB per graph")
                record("encoder", line, mib, "MiB a graph")


if __name__ == "__main__":
    main()
