"""The default configuration on six small sets, beside a random forest and chemprop.

    python -m benchmarks.small_sets --data-dir FOLDER [--seeds 0 1 2] [--sets esol freesolv ...]
        [--models default forest chemprop] [--set training.epochs=60 ...]

FOLDER holds esol.csv.gz, freesolv.csv.gz, lipophilicity.csv.gz, bbbp.csv.gz, bace.csv.gz (columns
smiles, y) and tox21.csv.gz (smiles and 12 targets; empty: not measured). Each seed is a split of
80/10/10 by `numpy.random.RandomState(seed).permutation`, the same for all models. The network and
chemprop use the validation part to choose their epoch; the forest (500 trees, Morgan fingerprints
of 2,048 bits and radius 2) learns from it, too. chemprop is run with its defaults where its command
is found. Seconds are those from the table to the test figure, chemprop's with the start of its
command. Figures are kept in --output-dir/figures.json: what is there is not run again.
"""

import argparse
import csv
import json
import math
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rdkit.Chem import rdFingerprintGenerator
from rich.console import Console
from rich.table import Table
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import roc_auc_score

from ogeaug.data.molecule import parse_smiles
from ogeaug.data.table import TableReader
from ogeaug.training import fit, load_config

NUMBERS, CLASSES = ("esol", "freesolv", "lipophilicity"), ("bbbp", "bace", "tox21")
Score = tuple[float, float]  # test figure, seconds


class Set:
    """A data set and one split of it, written out as a table that all models read.

    Args:
        name: One of ``NUMBERS`` (test RMSE) or ``CLASSES`` (test AUROC, mean over targets).
        data_dir: Where its file is.
        seed: Of the split and of the models.
        folder: Where the table and the runs go.
    """

    def __init__(self, name: str, data_dir: Path, seed: int, folder: Path) -> None:
        self.name, self.seed, self.folder = name, seed, folder
        self.task = "regression" if name in NUMBERS else "classification"
        table = TableReader(data_dir / f"{name}.csv.gz").read()
        self.smiles = table.column("smiles")
        several = [column for column in table.columns if column != "smiles"]
        self.targets = several if name == "tox21" else ["y"]
        cells = [table.column(target) for target in self.targets]
        self.y = np.array([[float(c) if c else math.nan for c in row] for row in cells]).T
        count = len(self.smiles)
        order = np.random.RandomState(seed).permutation(count)
        self.parts = np.full(count, "test", dtype=object)
        self.parts[order[: int(0.8 * count)]] = "train"
        self.parts[order[int(0.8 * count) : int(0.9 * count)]] = "val"
        self.file = folder / f"{name}_{seed}.csv"
        with self.file.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["smiles", *self.targets, "split"])
            writer.writerows(zip(self.smiles, *cells, self.parts, strict=True))

    def score(self, predicted: np.ndarray) -> float:
        """The test figure of predictions ``[test rows, targets]``."""
        y = self.y[self.parts == "test"]
        if self.task == "regression":
            return float(np.sqrt(np.mean((predicted - y) ** 2)))
        known = ~np.isnan(y)
        return statistics.fmean(
            roc_auc_score(y[known[:, t], t], predicted[known[:, t], t])
            for t in range(y.shape[1])
            if len(np.unique(y[known[:, t], t])) > 1
        )


def default(data: Set, changes: list[str], progress: bool) -> Score:
    """What ``ogeaug train`` gives, with changes if there are any."""
    values = {
        "data.path": str(data.file),
        "task.type": data.task,
        "task.targets": data.targets,
        "split.type": "column",
        "split.column": "split",
        "training.seed": data.seed,
    }
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as place:
        config = load_config("default", changes, values)
        result = fit(config, Path(place) / "run", progress=progress)
    metric = "rmse" if data.task == "regression" else "auroc"
    return result.metrics["test"][metric], time.perf_counter() - begun


def forest(data: Set, changes: list[str], progress: bool) -> Score:
    """A forest for each target, on the rows where it was measured."""
    begun = time.perf_counter()
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    x = np.stack([generator.GetFingerprintAsNumPy(parse_smiles(s)) for s in data.smiles])
    test, columns = data.parts == "test", []
    for y in data.y.T:
        rows = ~test & ~np.isnan(y)
        if data.task == "regression":
            trees = RandomForestRegressor(n_estimators=500, random_state=data.seed)
            columns.append(trees.fit(x[rows], y[rows]).predict(x[test]))
        else:
            trees = RandomForestClassifier(n_estimators=500, random_state=data.seed)
            columns.append(trees.fit(x[rows], y[rows]).predict_proba(x[test])[:, 1])
    return data.score(np.stack(columns, 1)), time.perf_counter() - begun


def chemprop(data: Set, changes: list[str], progress: bool) -> Score:
    """chemprop's command with its defaults."""
    command = ["chemprop", "train", "--data-path", str(data.file)]
    command += ["--task-type", data.task, "--smiles-columns", "smiles", "--target-columns"]
    command += [*data.targets, "--splits-column", "split", "--accelerator", "cpu"]
    command += ["--pytorch-seed", str(data.seed), "--data-seed", str(data.seed)]
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as place:
        command += ["--output-dir", place]
        subprocess.run(command, check=True, capture_output=not progress)
        seconds = time.perf_counter() - begun
        with (Path(place) / "model_0" / "test_predictions.csv").open() as file:
            rows = list(csv.DictReader(file))
    found = {row["smiles"]: [float(row[t]) for t in data.targets] for row in rows}
    tested = [s for s, part in zip(data.smiles, data.parts, strict=True) if part == "test"]
    return data.score(np.array([found[s] for s in tested])), seconds


MODELS: dict[str, Callable[[Set, list[str], bool], Score]] = {
    "default": default,
    "forest": forest,
    "chemprop": chemprop,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--output-dir", type=Path, default=Path("out/small_sets"))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--sets", nargs="+", choices=NUMBERS + CLASSES, default=NUMBERS + CLASSES)
    parser.add_argument("--models", nargs="+", choices=MODELS)
    parser.add_argument("--set", action="append", default=[], help="as of ogeaug train")
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    there = [name for name in MODELS if name != "chemprop" or shutil.which("chemprop")]
    models, console = options.models or there, Console()
    options.output_dir.mkdir(parents=True, exist_ok=True)
    shown = Table("data", "figure", *[c for m in models for c in (m, "seconds")])
    figures = Figures(options.output_dir / "figures.json")
    for name in options.sets:
        found: dict[str, list[Score]] = {model: [] for model in models}
        for seed in options.seeds:
            data = Set(name, options.data_dir, seed, options.output_dir)
            for model in models:
                changes = options.set if model == "default" else []
                key = {"set": name, "seed": seed, "model": model, "changes": changes}
                measure = partial(MODELS[model], data, changes, not options.quiet)
                found[model].append(figures.get(key, measure))
                console.print(key, found[model][-1])
        cells = [_mean(values) for model in models for values in zip(*found[model], strict=True)]
        shown.add_row(name, "RMSE" if name in NUMBERS else "AUROC", *cells)
    console.print(shown)


class Figures:
    """What has been measured, in a file.

    Args:
        file: Its path.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.records = json.loads(file.read_text()) if file.exists() else []

    def get(self, key: dict[str, Any], measure: Callable[[], Score]) -> Score:
        """A figure and its seconds, measured if they are not there."""
        for record in self.records:
            if all(record.get(k) == value for k, value in key.items()):
                return record["figure"], record["seconds"]
        figure, seconds = measure()
        self.records.append(key | {"figure": round(figure, 4), "seconds": round(seconds, 1)})
        self.file.write_text(json.dumps(self.records, indent=2))
        return self.records[-1]["figure"], self.records[-1]["seconds"]


def _mean(values: Sequence[float]) -> str:
    spread = f" ± {statistics.stdev(values):.3f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.3f}{spread}"


if __name__ == "__main__":
    main()
