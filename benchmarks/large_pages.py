"""A training step on dense graphs with pages of 2 MiB for large tensors, against pages of 4 KiB.

python -m benchmarks.large_pages [--rounds 3]

Linux alone. PyTorch reads THP_MEM_ALLOC_ENABLE once, so each measurement is a process of its own.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time

import torch

from benchmarks.history import record
from ogeaug.model.graph_model import GraphModel
from ogeaug.reproduce.table import read_paper_table
from ogeaug.tasks import make_task
from ogeaug.training.add_spectra import add_spectra
from ogeaug.training.batches import GraphBatches
from ogeaug.training.prepare import prepare

ROWS = ("GCN", "GatedGCN", "GraphGPS, with OGE-Aug")
"""Of the paper's table of PATTERN."""

STEPS = 3


def measure(label: str) -> dict[str, float]:
    """Processor seconds of a step, those of them in the kernel, peak memory in GiB."""
    torch.set_num_threads(1)
    table = read_paper_table("pattern")
    (row,) = [row for row in table.rows if row.label == label]
    config = table.config_of(row, table.groups[0], {"data.limit": 140})
    prepared = prepare(config, progress=False)
    config, t = prepared.config, prepared.config.training
    torch.manual_seed(0)
    model = GraphModel.from_config(config.model_part())
    task = make_task(config.task, t.loss)
    task.fit_head(model.head, prepared.parts.train)
    parts, transform = add_spectra(prepared.parts, model, t, progress=False)
    loader = GraphBatches(parts.train, parts.val, batch_size=t.batch_size, transform=transform,
                          bucket=False, seed=0).train_dataloader()  # fmt: skip
    optimizer = torch.optim.AdamW(model.parameters())
    whole, kernel = [], []
    for batch in loader:
        start, start_kernel = time.process_time(), os.times().system
        optimizer.zero_grad()
        task.loss(task.predictions(model(batch), batch), task.labels(batch)).backward()
        optimizer.step()
        whole.append(time.process_time() - start)
        kernel.append(os.times().system - start_kernel)
        if len(whole) > STEPS:  # the first does not count
            break
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return {
        "seconds": statistics.median(whole[1:]),
        "kernel": statistics.median(kernel[1:]),
        "peak": peak,
    }


def apart(label: str, large: bool) -> dict[str, float]:
    """The same in a process of its own."""
    environment = {**os.environ, "THP_MEM_ALLOC_ENABLE": str(int(large))}
    command = [sys.executable, "-m", "benchmarks.large_pages", "--measure", label]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", choices=ROWS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        print(json.dumps(measure(args.measure)))
        return
    print("| row of PATTERN | s per step: 4 KiB, 2 MiB | as fast | in the kernel | peak, GiB |")
    print("|---|---|---|---|---|")
    for label in ROWS:
        found: dict[bool, list[dict[str, float]]] = {False: [], True: []}
        for _ in range(args.rounds):
            for large, values in found.items():
                values.append(apart(label, large))
        small, large = (
            {key: statistics.median(one[key] for one in values) for key in values[0]}
            for values in found.values()
        )
        ratio = small["seconds"] / large["seconds"]
        record("large_pages", label, ratio, "x as fast")
        cells = [f"{small[key]:.2f}, {large[key]:.2f}" for key in ("seconds", "kernel", "peak")]
        print(f"| {label} | {cells[0]} | {ratio:.2f} x | {cells[1]} | {cells[2]} |", flush=True)


if __name__ == "__main__":
    main()
