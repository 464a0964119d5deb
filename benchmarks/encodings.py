"""Time and memory of every encoding, forward and backward, beside OGE-Aug.

python -m benchmarks.encodings [--zinc | --pattern] [--batch 32] [--rounds 9] [--only oge_aug spe]

Time and memory are those of the encoding alone, spectra and walks being on the data; what it takes
to compute these is the column "before". Memory is taken in a process of its own. Encodings that
take graphs one by one are measured on few graphs. OGE-Aug is there twice: with its compiled core,
and in plain PyTorch, as all others are.
"""

import argparse
import os
import subprocess
import sys
from functools import partial

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from rich.console import Console
from rich.progress import track
from torch_geometric.data import Batch, Data
from torch_geometric.transforms import Compose

from benchmarks.history import record
from benchmarks.memory import peak_bytes
from benchmarks.molecules import molecules
from benchmarks.timing import interleaved
from ogeaug.data import generate_pattern
from ogeaug.encodings import ENCODINGS, encoding_options, make_encoding, needs_features
from ogeaug.encodings.base import Encoding

ONE_BY_ONE = {"general": 8}
"""Graphs to measure encodings on that take them one by one: more would change nothing."""
PLAIN = "oge_aug, plain PyTorch"
HEADER = (
    "encoding",
    "parameters",
    "before, ms per graph",
    "forward + backward, ms per graph",
    "of OGE-Aug",
    "peak memory, MiB per graph",
    "of OGE-Aug",
)


def make(name: str) -> Encoding:
    """An encoding at its defaults, 64 hidden channels, 28 out."""
    torch.manual_seed(0)
    if name == PLAIN:
        return make_encoding("oge_aug", 28, hidden_channels=64, kernel="torch").train()
    options = {"hidden_channels": 64} if "hidden_channels" in encoding_options(name) else {}
    return make_encoding(name, 28, **options).train()


def all_names() -> list[str]:
    """What can be measured: the molecules have no node features."""
    names = [name for name in ENCODINGS if not needs_features(name)]
    return [*names[:1], PLAIN, *names[1:]]


def prepare(encoding: Encoding, graphs: list[Data]) -> list[Data]:
    """The graphs with all that the encoding needs on them."""
    return [Compose(encoding.transforms())(data) for data in graphs]


def step(encoding: Encoding, batch: Batch) -> None:
    """One forward and backward pass."""
    encoding.zero_grad()
    out = encoding(batch).square().mean()
    if out.requires_grad:
        out.backward()


def memory_of(name: str, graphs: list[Data]) -> float:
    """MiB per graph that one step adds to the peak of this process."""
    encoding = make(name)
    small, batch = (Batch.from_data_list(prepare(encoding, part)) for part in (graphs[:1], graphs))
    step(encoding, small)  # libraries, buffers
    return peak_bytes(partial(step, encoding, batch)) / 2**20 / len(graphs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--zinc", action="store_true", help="molecules of ZINC, not NCI")
    source.add_argument("--pattern", action="store_true", help="dense graphs, those of PATTERN")
    parser.add_argument("--batch", type=int, default=32, help="graphs per batch")
    parser.add_argument("--rounds", type=int, default=9, help="timings of each encoding")
    parser.add_argument("--only", nargs="+", choices=all_names(), help="these beside oge_aug")
    parser.add_argument("--memory", choices=all_names(), help="print the memory of one")
    args = parser.parse_args()
    torch.set_num_threads(1)
    batch = generate_pattern(args.batch) if args.pattern else molecules(args.batch, zinc=args.zinc)
    wanted = {"oge_aug", *(args.only or all_names())}
    names = [name for name in all_names() if name in wanted or name == args.memory]
    graphs = {name: batch[: ONE_BY_ONE.get(name, args.batch)] for name in names}
    if args.memory:
        print(memory_of(args.memory, graphs[args.memory]))
        return
    made = {name: make(name) for name in graphs}
    console = Console(stderr=True)
    steps = {
        name: partial(step, encoding, Batch.from_data_list(prepare(encoding, graphs[name])))
        for name, encoding in made.items()
    }
    with console.status("timing"):
        before = interleaved({n: partial(prepare, made[n], graphs[n]) for n in made}, args.rounds)
        seconds = interleaved(steps, args.rounds)
    memory = {}
    for name in track(list(made), "memory", console=console, transient=True):
        command = [sys.executable, "-m", "benchmarks.encodings", "--memory", name]
        command += ["--batch", str(args.batch), *(["--zinc"] if args.zinc else [])]
        command += ["--pattern"] if args.pattern else []
        found = subprocess.run(command, capture_output=True, text=True, check=True)
        memory[name] = float(found.stdout)
    ms = {name: 1e3 * seconds[name] / len(graphs[name]) for name in made}
    print("| " + " | ".join(HEADER) + " |")
    print("|---" * len(HEADER) + "|")
    for name, encoding in made.items():
        size = sum(p.numel() for p in encoding.parameters())
        print(
            f"| `{name}` | {size:,} | {1e3 * before[name] / len(graphs[name]):.2f} | "
            f"{ms[name]:.2f} | {ms[name] / ms['oge_aug']:.3f} | {memory[name]:.2f} | "
            f"{memory[name] / memory['oge_aug']:.3f} |"
        )
        record("encodings", name, ms[name], "ms a graph")
        record("encodings", name, memory[name], "MiB a graph")


if __name__ == "__main__":
    main()
