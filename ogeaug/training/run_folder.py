"""The folder of a run: what its files are called, and how they are written."""

import csv
import json
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from ogeaug.files.output import write_text, writing_text
from ogeaug.model.folder import MODEL, WEIGHTS

RUN_CONFIG, RESULTS, METRICS = "config.yaml", "results.json", "metrics.csv"
STARTED = "started.json"
SPLIT, SKIPPED, PREDICTIONS = "split.csv", "skipped.csv", "test_predictions.csv"
CURVES, PARITY = "curves.png", "parity.png"
CHECKPOINT, LOGS = "checkpoints/last.safetensors", "logs"
FORMAT = 3
"""Of results.json and what lies beside it. Without a number (version 0.1.0): epochs are counted
from 0, and classes in test_predictions.csv are logits. 2: from 1, and probabilities. 3: the best
epoch is that of the task's main metric (until then, of the loss), and metrics of nodes and links
are those of the benchmarks."""
PLAN, PLAN_CONFIG = "plan.json", "plan.yaml"
"""Of several runs: an ensemble, folds or a comparison, each run in a folder of its own."""
OWN = {
    (name,)
    for name in (
        *(
            MODEL,
            WEIGHTS,
            RUN_CONFIG,
            RESULTS,
            METRICS,
            STARTED,
            SPLIT,
            SKIPPED,
            PREDICTIONS,
            CURVES,
            PARITY,
        ),
        *(PLAN, PLAN_CONFIG, LOGS, "checkpoints"),
    )
}
"""First steps from a run's folder to the files that it writes."""
GIVEN = "given"
"""In started.json, before the checksum of graphs that were given and are of no table. Version
0.1.0 has it alone."""


def is_own(folder: Path, path: Path) -> bool:
    """Whether a path is one that a run, or the plan above it, writes.

    Example:
        >>> run = Path("run")
        >>> is_own(run, run / "config.json"), is_own(run, run / "preds.csv")
        (True, False)
    """
    path, place = path.resolve(), folder.resolve()
    above = [place.parent, place.parent.parent]  # of an ensemble, of folds
    plans = [plan for plan in above if (plan / PLAN).is_file()]
    return any(
        path.is_relative_to(p) and path.relative_to(p).parts[:1] in OWN for p in (place, *plans)
    )


def write_json(path: Path, record: dict[str, Any]) -> None:
    """Writes a record atomically; NaN becomes null."""
    text = json.dumps(_plain(record), indent=2, allow_nan=False)
    write_text(path, text + "\n")


def write_table(path: Path, columns: list[str], rows: list[list[Any]]) -> None:
    """Writes a CSV table atomically."""
    with writing_text(path) as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)


def versions() -> dict[str, str]:
    """What a result was computed with."""
    packages = ("ogeaug", "torch", "torch_geometric", "lightning", "rdkit", "numpy")
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed as a package"
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value != value:
        return None
    return value
