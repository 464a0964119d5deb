"""Runs of a comparison, epoch by epoch: as numbers, and drawn."""

import csv
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
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
    """The best value so far against epochs (axis 0) or time (axis 1), a look per encoding.

    Of several seeds: their median, and the range from the lowest to the highest, against the mean
    of their times. A run that stopped early keeps what it had.
    """
    figure = new_figure(7.5, 4.5)
    axes = figure.subplots()
    for name, look in looks(name for name, _ in curves).items():
        of_seeds = [curve for (other, _), curve in curves.items() if other == name]
        epochs = max(map(len, of_seeds))
        best = np.array([_lengthen(best_so_far(curve, lower), epochs) for curve in of_seeds])
        longest = [curve for curve in of_seeds if len(curve) == epochs]
        x = np.mean([[point[axis] for point in curve] for curve in longest], 0)
        line = look.line() | {"markevery": max(1, epochs // 8)}
        middle, lowest, highest = _ignoring_nan(best)
        axes.plot(x, middle, label=name, alpha=0.9, **line)
        axes.fill_between(x, lowest, highest, color=look.colour, alpha=0.2, linewidth=0)
    axes.set(xlabel=xlabel, ylabel=f"{ylabel}, best so far")
    if lower:
        axes.set_yscale("log")
        plain_numbers(axes)
    legend_beside(figure, axes)
    return figure


def best_so_far(curve: LearningCurve, lower: bool) -> list[float]:
    """Of each epoch the best value up to it; NaN while there was none.

    Example:
        >>> best_so_far([(1, 0.5, 3.0), (2, 1.0, 4.0), (3, 1.5, 2.0)], lower=True)
        [3.0, 3.0, 2.0]
    """
    pick = np.fmin if lower else np.fmax  # a value beats NaN
    found: list[float] = pick.accumulate([point[2] for point in curve]).tolist()
    return found


def _lengthen(values: list[float], length: int) -> list[float]:
    return values + values[-1:] * (length - len(values))


def _ignoring_nan(values: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """Median, lowest and highest of each column; NaN where all are."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "All-NaN", RuntimeWarning)
        return np.array([pick(values, 0) for pick in (np.nanmedian, np.nanmin, np.nanmax)])
