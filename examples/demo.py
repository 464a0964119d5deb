"""Trains on RDKit's NCI molecules (penalised logP) with OGE-Aug and without, and compares.

    python examples/demo.py [--molecules 4500] [--epochs 15] [--output-dir out/demo]

Ends with a table of test errors and two pictures: predicted against true values, and the
learning curves. The figures show how the tools work together; they are no benchmark.
"""

import argparse
import csv
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ogeaug.pictures import GREY, looks, new_figure, plain_numbers, styled
from ogeaug.training import FitResult, fit, load_config

VARIANTS = {"OGE-Aug": [], "no encoding": ["encodings=[]"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--molecules", type=int, default=4500)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--output-dir", type=Path, default=Path("out/demo"))
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    console, begun = Console(), time.perf_counter()
    results: dict[str, FitResult] = {}
    base = options.output_dir / time.strftime("%Y%m%d-%H%M%S")
    for name, changes in VARIANTS.items():
        console.print(f"Training with {name} on {options.molecules:,} NCI molecules ...")
        config = load_config(
            "demo",
            changes,
            {"data.limit": options.molecules, "training.epochs": options.epochs},
        )
        folder = base / name.replace(" ", "_")
        results[name] = fit(config, folder, progress=not options.quiet)
    table = Table("model", "test MAE", "test RMSE", "R2", "parameters", "seconds")
    for name, result in results.items():
        test = result.metrics["test"]
        cells = [f"{test[key]:.3f}" for key in ("mae", "rmse", "r2")]
        table.add_row(name, *cells, f"{result.parameters:,}", f"{result.seconds:.0f}")
    console.print(table)
    picture = draw(results, base / "demo.png")
    console.print(f"Errors in units of penalised logP, one seed. Picture: {picture}")
    console.print(f"Models and records: {base}  ({time.perf_counter() - begun:.0f} s)")


@styled()
def draw(results: dict[str, FitResult], path: Path) -> Path:
    """Predicted against true values (left), learning curves (right)."""
    figure = new_figure(10, 4.5)
    left, right = figure.subplots(1, 2)
    look, true = looks(results), [0.0]
    for name, result in results.items():
        with (Path(result.folder) / "test_predictions.csv").open() as file:
            rows = list(csv.DictReader(file))
        true = [float(row["penalised_logp"]) for row in rows]
        found = [float(row["pred_penalised_logp"]) for row in rows]
        left.scatter(true, found, s=9, alpha=0.6, label=name, color=look[name].colour)
        with (Path(result.folder) / "metrics.csv").open() as file:
            curve = [float(row["val_mae"]) for row in csv.DictReader(file)]
        right.plot(range(1, len(curve) + 1), curve, label=name, **look[name].line())
    left.plot([min(true), max(true)], [min(true), max(true)], color=GREY, linewidth=0.8)
    left.set(xlabel="true penalised logP", ylabel="predicted", title="Test molecules")
    right.set(xlabel="epoch", ylabel="validation MAE", title="Learning curves", yscale="log")
    plain_numbers(right)
    for axis in (left, right):
        axis.legend()
    figure.savefig(path)
    return path


if __name__ == "__main__":
    main()
