"""The preparation of this tree against that of another checkout, in turns on one core.

    git archive COMMIT | tar x -C FOLDER
    python -m benchmarks.against FOLDER [--zinc] [--rounds 41]

Each tree runs its own ``benchmarks/preparation.py`` in a process of its own. Both take turns at
every task, so that a busy machine hits both; the figure is the median of the ratios of neighbours.
"""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

from rich.progress import track

from benchmarks.history import record

TASKS = ("bare eigh", "batch: spectra and plan", "loader: AddSpectrum and collation")
WORKER = """
import statistics, sys, time
import torch
from torch_geometric.data import Data
from benchmarks.molecules import molecules
from benchmarks.preparation import make_tasks
from ogeaug.native.build import load_core
torch.set_num_threads(1)
load_core()
found = molecules(32, zinc=sys.argv[1] == "True")
tasks = make_tasks([Data(edge_index=d.edge_index, num_nodes=d.num_nodes) for d in found])
for line in sys.stdin:
    seconds = []
    for _ in range(15):
        start = time.process_time()
        tasks[line.strip()]()
        seconds.append(time.process_time() - start)
    print(statistics.median(seconds) / 32 * 1e6, flush=True)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the other checkout")
    parser.add_argument("--zinc", action="store_true", help="molecules of ZINC, not NCI")
    parser.add_argument("--rounds", type=int, default=41)
    args = parser.parse_args()
    trees = {"other": args.folder, "this": Path(__file__).parents[1]}
    workers = {name: _start(tree, args.zinc) for name, tree in trees.items()}
    found: dict[str, list[tuple[float, float]]] = {task: [] for task in TASKS}
    for turn in track(range(args.rounds + 1), "both in turns"):
        for task in TASKS:
            order = ("other", "this") if turn % 2 else ("this", "other")
            micro = {name: _ask(workers[name], task) for name in order}
            if turn:  # the first one warms up
                found[task].append((micro["other"], micro["this"]))
    for task, pairs in found.items():
        other, this = (statistics.median(times) for times in zip(*pairs, strict=True))
        ratio = statistics.median(b / a for a, b in pairs)
        print(f"{task:36s} {other:7.1f} -> {this:7.1f} us per graph, {ratio:.3f} x")
        record("against", f"{task}, {args.folder.name}", ratio, "x the other's time")


def _start(tree: Path, zinc: bool) -> "subprocess.Popen[str]":
    """A process whose ``benchmarks`` and ``ogeaug`` are those of the tree."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", WORKER, str(zinc)]
    environment = {**os.environ, "PYTHONPATH": str(tree.resolve())}
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=tree, env=environment)


def _ask(worker: "subprocess.Popen[str]", task: str) -> float:
    assert worker.stdin is not None  # both are pipes
    assert worker.stdout is not None
    worker.stdin.write(task + "\n")
    worker.stdin.flush()
    return float(worker.stdout.readline())


if __name__ == "__main__":
    main()
