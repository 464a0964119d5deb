"""The history of results: one line for each figure, with commit and machine."""

import csv
import datetime
import platform
import subprocess
from pathlib import Path

import torch

FILE = Path(__file__).parent / "history.csv"
COLUMNS = ("date", "commit", "machine", "torch", "benchmark", "case", "value", "unit")


def record(benchmark: str, case: str, value: float, unit: str) -> None:
    """Adds a figure to ``benchmarks/history.csv``, so that a slow-down shows."""
    fresh = not FILE.exists()
    with FILE.open("a", newline="") as file:
        writer = csv.writer(file)
        if fresh:
            writer.writerow(COLUMNS)
        date = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        writer.writerow(
            [date, _commit(), _machine(), torch.__version__, benchmark, case, f"{value:.4g}", unit]
        )


def _commit() -> str:
    """The commit, marked dirty if a file other than the history itself has changed."""
    name = _git("describe", "--always")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":/", f":!{FILE.name}")
    return (name + ("-dirty" if changed else "")) or "unknown"


def _git(*words: str) -> str:
    done = subprocess.run(
        ["git", *words], capture_output=True, text=True, cwd=FILE.parent, check=False
    )
    return done.stdout.strip()


def _machine() -> str:
    """The processor's name, without anything that identifies this very machine."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
