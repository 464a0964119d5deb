"""Killed at any moment, an ensemble predicts nothing, or what it would have predicted anyway."""

import json
import multiprocessing
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ogeaug.errors import UserError
from ogeaug.inference.predict import predict_table
from ogeaug.training.ensemble import fit_all, resume_all
from tests.torture import tries
from tests.training.tiny import tiny_config, write_csv

# Processes that have everything imported, so that no kill falls into the imports.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["ogeaug.training.ensemble", "tests.training.tiny"])
MOMENTS = (
    ".lock",
    "plan.json",
    "model_0/started.json",
    "model_0/config.yaml",
    "model_0/model.safetensors",
    "model_0/config.json",
    "model_0/checkpoints/last.safetensors",
    "model_0/results.json",
    "model_1/config.yaml",
    "model_1/config.json",
    "model_1/checkpoints/last.safetensors",
)


def train(table: Path, folder: Path) -> None:
    """Starts or goes on, as a user would."""
    if (folder / "plan.json").exists():
        list(resume_all(folder, progress=False))
    else:
        list(fit_all(tiny_config(table), folder, ensemble_size=2, progress=False))


def train_until(reached: Callable[[], bool], table: Path, folder: Path) -> None:
    process = PROCESSES.Process(target=train, args=(table, folder))
    process.start()
    while process.is_alive() and not reached():
        time.sleep(0.001)
    process.kill()  # -9
    process.join()
    process.close()


def predictions(table: Path, folder: Path) -> bytes:
    out = folder.parent / "p.csv"
    predict_table(table, [folder], out, progress=False)
    return out.read_bytes()


@pytest.mark.torture
def test_killed_at_random_moments(tmp_path):
    table, whole = write_csv(tmp_path / "my.csv"), tmp_path / "whole"
    train(table, whole)
    wanted = predictions(table, whole)
    refused = 0
    for i in range(tries(2, 30)):
        folder, draw = tmp_path / f"cut{i}", random.Random(i)
        for _ in range(draw.randint(1, 2)):
            file, more = folder / draw.choice(MOMENTS), 0.2 * draw.random() ** 2

            def reached(file: Path = file, more: float = more) -> bool:
                return file.exists() and not time.sleep(more)

            train_until(reached, table, folder)
            try:
                assert predictions(table, folder) == wanted
            except UserError:
                refused += 1
        train(table, folder)
        assert predictions(table, folder) == wanted
        records = [json.loads((f / "results.json").read_text()) for f in (folder, whole)]
        assert records[0]["metrics"] == records[1]["metrics"]
    assert refused  # else no kill came in time
