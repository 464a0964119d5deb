"""The default configuration against a random forest on Morgan fingerprints.

    python benchmarks/forest.py --data-dir FOLDER [--seeds 0 1 2] [--sets esol freesolv ...]

Random 80/10/10 splits, one per seed. The forest (500 trees, 2,048 bits of radius 2) learns from the
training and validation parts together; the network uses validation only to choose its epoch.
Finished runs are kept in --output-dir, interrupted ones continued.
"""

import argparse
import csv
import json
import statistics
import time
from pathlib import Path

import numpy as np
from rdkit.Chem import rdFingerprintGenerator
from rich.console import Console
from rich.table import Table
from sklearn.ensemble import RandomForestRegressor

from ogeaug.data.molecule import parse_smiles
from ogeaug.data.table import TableReader
from ogeaug.training.config import load_config
from ogeaug.training.fitting import fit, resume

SETS = ("esol", "freesolv", "lipophilicity")


def network(name: str, data: Path, seed: int, folder: Path, progress: bool) -> tuple[float, float]:
    """Test RMSE and training seconds of the default configuration."""
    values = {"data.path": str(data), "task.targets": ["y"]}
    seeds = {"training.seed": seed, "split.seed": seed}
    run = folder / f"{name}_{seed}"
    if (run / "config.yaml").exists():
        result = resume(run, progress=progress)
    else:
        result = fit(load_config("default", [], values | seeds), run, progress=progress)
    return result.metrics["test"]["rmse"], result.seconds


def forest(data: Path, split: Path, seed: int) -> tuple[float, float]:
    """Test RMSE and training seconds of the forest, on the network's own split."""
    table = TableReader(data).read()
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    x = np.stack([generator.GetFingerprintAsNumPy(parse_smiles(s)) for s in table.column("smiles")])
    y = np.array([float(cell) for cell in table.column("y")])
    with split.open() as file:
        parts = {int(row["row"]): row["part"] for row in csv.DictReader(file)}
    test = [row for row, part in parts.items() if part == "test"]
    rest = [row for row, part in parts.items() if part != "test"]
    begun = time.perf_counter()
    model = RandomForestRegressor(n_estimators=500, random_state=seed).fit(x[rest], y[rest])
    seconds = time.perf_counter() - begun
    return float(np.sqrt(np.mean((model.predict(x[test]) - y[test]) ** 2))), seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=Path("../shared/data"))
    parser.add_argument("--output-dir", type=Path, default=Path("out/forest"))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    options.output_dir.mkdir(parents=True, exist_ok=True)
    table = Table("data", "seeds", "default (RMSE)", "forest (RMSE)", "seconds", "forest seconds")
    records = []
    for name in options.sets:
        data = options.data_dir / f"{name}.csv.gz"
        for seed in options.seeds:
            ours = network(name, data, seed, options.output_dir, not options.quiet)
            theirs = forest(data, options.output_dir / f"{name}_{seed}" / "split.csv", seed)
            records.append({"set": name, "seed": seed, "default": ours, "forest": theirs})
            Console().print(records[-1])
            (options.output_dir / "forest.json").write_text(json.dumps(records, indent=2))
        chosen = [r for r in records if r["set"] == name]
        cells = [_mean([r[key][i] for r in chosen]) for key, i in (("default", 0), ("forest", 0))]
        times = [_mean([r[key][1] for r in chosen]) for key in ("default", "forest")]
        table.add_row(name, str(len(chosen)), *cells, *times)
    Console().print(table)


def _mean(values: list[float]) -> str:
    spread = f" ± {statistics.stdev(values):.3f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.3f}{spread}"


if __name__ == "__main__":
    main()
