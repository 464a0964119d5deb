"""The folder of a run: what it holds, and the checks before anything is written."""

import csv
import json
import os
import platform
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from ogeaug.errors import UserError
from ogeaug.output_file import write_text, writing_text

CONFIG, RESULTS, METRICS = "config.yaml", "results.json", "metrics.csv"
STARTED = "started.json"
SPLIT, SKIPPED, PREDICTIONS = "split.csv", "skipped.csv", "test_predictions.csv"
CHECKPOINT = "checkpoints/last.safetensors"
FORMAT = 2
"""Of results.json and what lies beside it. Without a number (version 0.1.0): epochs are counted
from 0, and classes in test_predictions.csv are logits. 2: from 1, and probabilities."""
PLAN = "plan.json"
"""Of several runs: an ensemble, folds or a comparison, each run in a folder of its own."""
GIVEN = "given"
"""In place of the table's checksum in started.json, where graphs were given and no table."""


def new_folder(path: Path) -> Path:
    """Makes the folder of a new run, and makes sure that it can be written to."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        check_free(path)
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise _cannot_write(path, error.strerror or str(error)) from error
    return path


def check_free(path: Path) -> None:
    """Refuses a place that holds a run, or where no folder can be; makes none."""
    there = next((place for place in (path, *path.parents) if place.exists()), path)
    if there.exists() and not there.is_dir():
        raise _cannot_write(path, f"{there} is a file")
    if _holds_run(path):
        raise UserError(
            f"{path} already holds a run; choose another --output-dir, or continue it by  "
            f"ogeaug train --resume {path}"
        )


def _cannot_write(path: Path, reason: str) -> UserError:
    return UserError(
        f"cannot write to {path}: {reason}; choose another --output-dir or make room there"
    )


def _holds_run(path: Path) -> bool:
    """Whether a run, or several by a plan, were started; a plan of which nothing was, is none."""
    if any((path / name).exists() for name in (CONFIG, RESULTS, "config.json")):
        return True
    started = (*path.glob(f"*/{CONFIG}"), *path.glob(f"*/*/{CONFIG}"))
    return (path / PLAN).exists() and bool(started)


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
