"""Runs of a comparison, epoch by epoch: as numbers, and drawn."""

import csv
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from ogeaug.errors import UserError
from ogeaug.files.json_text import read_text
from ogeaug.pictures import legend_beside, looks, new_figure, plain_numbers, styled
from ogeaug.training import run_folder
from ogeaug.training.callbacks import count_from_one
from ogeaug.training.result import FitResult

LearningCurve = list[tuple[int, float, float]]


@dataclass(frozen=True)
class Run:
    """One encoding with one seed.

    Attributes:
        encoding: Its label.
        seed: Of weights, order, noise and dropout.
        result: What training gave.
    """

    encoding: str
    seed: int
    result: FitResult


def read_curves(runs: list[Run], metric: str) -> dict[tuple[str, int], LearningCurve]:
    """Of each run: epoch (from 1), seconds since its start, validation metric."""
    found = {}
    for run in runs:
        seconds, curve = 0.0, []
        file = Path(run.result.folder) / run_folder.METRICS
        fix = f"restore it, or delete {file.parent}, so that its run is made again"
        lines = read_text(file, fix).splitlines()
        try:
            if len(lines) < 2:
                raise ValueError("it has no epoch")
            for line in count_from_one(list(csv.DictReader(lines))):
                seconds += float(line["seconds"])
                value = float(line[f"val_{metric}"])
                curve.append((line["epoch"], round(seconds, 3), value))
        except (KeyError, TypeError, ValueError) as error:
            raise UserError(f"{file} is damaged ({error}); {fix}") from error
        found[run.encoding, run.seed] = curve
    return found


@styled()
def plot(
    curves: dict[tuple[str, int], LearningCurve],
    axis: int,
    xlabel: str,
    ylabel: str,
    lower: bool,
) -> Figure:
    """Metric against epochs (axis 0) or time (axis 1), a look per encoding, a line per seed."""
    figure = new_figure(7.5, 4.5)
    axes = figure.subplots()
    look = looks(name for name, _ in curves)
    shown: set[str] = set()
    for (name, _), curve in curves.items():
        label = None if name in shown else name
        shown.add(name)
        x, y = [point[axis] for point in curve], [point[2] for point in curve]
        every = max(1, len(curve) // 8)
        axes.plot(x, y, label=label, alpha=0.8, markevery=every, **look[name].line())
    axes.set(xlabel=xlabel, ylabel=ylabel)
    if lower:
        axes.set_yscale("log")
        plain_numbers(axes)
    legend_beside(figure, axes)
    return figure
