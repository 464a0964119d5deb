"""Time and memory of every encoding, forward and backward, beside OGE-Aug.

    python benchmarks/encodings.py [--batch 32] [--rounds 9]

One thread; CPU time, as other work on the machine hardly changes it. The encodings take turns, so
that what does hits all alike; medians.
Time and memory are those of the encoding alone, spectra and walks being on the data; what it takes
to compute these is the column "before". Memory is the growth of the peak of the resident memory
over one forward and backward pass, in a process of its own (Linux).
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from rdkit import Chem, RDConfig, rdBase
from rich.console import Console
from rich.progress import track
from torch_geometric.data import Batch, Data

from ogeaug import AddSpectrum
from ogeaug.encodings import ENCODINGS, encoding_options, make_encoding
from ogeaug.encodings.base import Encoding


def molecules(count: int) -> list[Data]:
    """The first molecules of RDKit's NCI file with 15 to 35 heavy atoms, as plain graphs."""
    lines = Path(RDConfig.RDDataDir, "NCI", "first_5K.smi").read_text().splitlines()
    out: list[Data] = []
    with rdBase.BlockLogs():
        for line in lines:
            mol = Chem.MolFromSmiles(line.split()[0]) if line.strip() else None
            if mol is None or not 15 <= mol.GetNumAtoms() <= 35:
                continue
            pairs = [(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in mol.GetBonds()]
            one_way = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2).T
            edges = torch.cat([one_way, one_way.flip(0)], 1)
            out.append(Data(edge_index=edges, num_nodes=mol.GetNumAtoms()))
            if len(out) == count:
                return out
    raise ValueError(f"only {len(out)} of {count} molecules found")


def make(name: str) -> Encoding:
    """An encoding at its defaults, 64 hidden channels, 28 out."""
    torch.manual_seed(0)
    options = {"hidden_channels": 64} if "hidden_channels" in encoding_options(name) else {}
    return make_encoding(name, 28, **options)


def prepare(encoding: Encoding, graphs: list[Data]) -> Batch:
    """The batch with all that the encoding needs on it."""
    found = []
    for data in graphs:
        data = encoding.precompute(data.clone())
        if encoding.uses_spectrum:
            options = encoding.spectrum
            data = AddSpectrum(options.k, options.normalization)(data)
        found.append(data)
    return Batch.from_data_list(found)


def step(encoding: Encoding, batch: Batch) -> None:
    """One forward and backward pass."""
    encoding.zero_grad()
    out = encoding(batch).square().mean()
    if out.requires_grad:
        out.backward()


def peak_memory(name: str, batch_size: int) -> float:
    """MiB that one step adds to the peak of this process."""
    encoding = make(name)
    batch = prepare(encoding, molecules(batch_size))
    step(encoding, prepare(encoding, molecules(1)))  # libraries, buffers
    Path("/proc/self/clear_refs").write_text("5")  # Linux: forget the peak so far
    before = _status("VmRSS")
    step(encoding, batch)
    return (_status("VmHWM") - before) / 1024


def _status(key: str) -> int:
    """A line of this process's status, in KiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{key}:"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--batch", type=int, default=32, help="graphs a batch")
    parser.add_argument("--rounds", type=int, default=9, help="timings of each encoding")
    parser.add_argument("--memory", choices=list(ENCODINGS), help="print the memory of one")
    args = parser.parse_args()
    torch.set_num_threads(1)
    if args.memory:
        print(peak_memory(args.memory, args.batch))
        return
    graphs = molecules(args.batch)
    made = {name: make(name).train() for name in ENCODINGS}
    before: dict[str, float] = {}
    batches: dict[str, Batch] = {}
    for name, encoding in made.items():
        start = time.process_time()
        batches[name] = prepare(encoding, graphs)
        before[name] = (time.process_time() - start) / args.batch
        step(encoding, batches[name])
    seconds: dict[str, list[float]] = {name: [] for name in made}
    console = Console(stderr=True)
    for _ in track(range(args.rounds), "timing", console=console, transient=True):
        for name, encoding in made.items():
            start = time.process_time()
            step(encoding, batches[name])
            seconds[name].append((time.process_time() - start) / args.batch)
    memory = {}
    for name in track(list(made), "memory", console=console, transient=True):
        command = [sys.executable, __file__, "--memory", name, "--batch", str(args.batch)]
        found = subprocess.run(command, capture_output=True, text=True, check=True)
        memory[name] = float(found.stdout) / args.batch
    print(
        "| encoding | parameters | before, CPU ms a graph | forward + backward, CPU ms a graph | "
        "of OGE-Aug | peak memory, MiB a graph | of OGE-Aug |"
    )
    print("|---" * 7 + "|")
    reference = statistics.median(seconds["oge_aug"])
    for name, encoding in made.items():
        median = statistics.median(seconds[name])
        size = sum(p.numel() for p in encoding.parameters())
        print(
            f"| `{name}` | {size:,} | {before[name] * 1e3:.2f} | {median * 1e3:.2f} | "
            f"{median / reference:.3f} | {memory[name]:.2f} | "
            f"{memory[name] / memory['oge_aug']:.3f} |"
        )


if __name__ == "__main__":
    main()
