"""The pictures of a run: its learning curves, and predicted against true values."""

import csv
import math
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from ogeaug.errors import UserError
from ogeaug.files.json_text import read_text
from ogeaug.files.output import save_figure
from ogeaug.model.config import TaskConfig
from ogeaug.model.folder import parse_model_config, read_record
from ogeaug.pictures import BLUE, GREY, RED, as_written, new_figure, plain_numbers, styled
from ogeaug.tasks import make_task
from ogeaug.training.callbacks import count_from_one
from ogeaug.training.outputs import labelled_columns
from ogeaug.training.result import FitResult
from ogeaug.training.run_folder import CURVES, METRICS, PARITY, PREDICTIONS

MOST_TARGETS = 12
"""Panels of a parity plot: those of further targets would be too small to read."""


@dataclass(frozen=True)
class Points:
    """Test values of one target: true, predicted, and the deviation over models (0 of one)."""

    target: str
    unit: str
    true: list[float]
    predicted: list[float]
    spread: list[float]


def draw_run(results: list[FitResult]) -> list[Path]:
    """Draws ``curves.png`` of each run, and ``parity.png`` beside each table of numbers predicted.

    Args:
        results: Of one run, or of all runs of an ensemble or of folds.

    Returns:
        What was written.
    """
    drawn = [Path(result.folder) / CURVES for result in results]
    for result, file in zip(results, drawn, strict=True):
        save_figure(draw_learning(result), file)
    task = parse_model_config(drawn[0].parent, read_record(drawn[0].parent)).task
    if not task.facts.numbers:
        return drawn
    places = {file.parent for file in drawn}
    if len(results) > 1:
        places |= {place.parent for place in places}  # of ensembles
    for place in sorted(place for place in places if (place / PREDICTIONS).is_file()):
        save_figure(draw_parity(read_points(place / PREDICTIONS, task)), place / PARITY)
        drawn.append(place / PARITY)
    return drawn


@styled()
def draw_learning(result: FitResult) -> Figure:
    """Loss of training and validation part (left), main metric (right), best epoch marked."""
    records = _read_metrics(Path(result.folder) / METRICS)
    epochs = [record["epoch"] for record in records]
    main = result.main or "loss"
    panels = ["loss"] if main == "loss" else ["loss", main]
    figure = new_figure(4 * len(panels), 3.2)
    for axes, metric in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        lines = {"training": (GREY, f"train_{metric}"), "validation": (BLUE, f"val_{metric}")}
        for name, (colour, key) in lines.items():
            if key in records[0]:
                axes.plot(epochs, [r[key] for r in records], color=colour, label=name)
        axes.axvline(result.best_epoch, color=RED, linestyle=":", label="best epoch")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.set(xlabel="epoch", ylabel=metric, title=metric)
        values = [v for line in axes.lines[:-1] for v in line.get_ydata() if math.isfinite(v)]
        if values and min(values) > 0 and max(values) > 5 * min(values):
            axes.set_yscale("log")
            plain_numbers(axes)
        axes.legend()
    return figure


def _read_metrics(file: Path) -> list[dict[str, float]]:
    """Of each epoch, from 1."""
    fix = f"restore it, or delete {file.parent} and train anew"
    lines = read_text(file, fix).splitlines()
    try:
        if len(lines) < 2:
            raise ValueError("it has no epoch")
        found = count_from_one(list(csv.DictReader(lines)))
        return [{key: float(value) for key, value in line.items()} for line in found]
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"{file} is damaged ({error}); {fix}") from error


def read_points(file: Path, task: TaskConfig) -> list[Points]:
    """What test_predictions.csv holds, target by target; rows without a label are left out."""
    with file.open(encoding="utf-8", newline="") as opened:
        columns, *lines = csv.reader(opened)
    made, n = make_task(task), len(task.targets)
    spread = columns == labelled_columns(made, spread=True)
    step = 2 if spread else 1
    found = []
    for i, target in enumerate(task.targets):
        at = 1 + n + step * i
        rows = [
            (float(line[1 + i]), float(line[at]), float(line[at + 1]) if spread else 0.0)
            for line in lines
            if math.isfinite(float(line[1 + i]))
        ]
        true, predicted, deviation = (
            (list(x) for x in zip(*rows, strict=True)) if rows else 3 * [[]]
        )
        found.append(Points(target, task.units.get(target, ""), true, predicted, deviation))
    return found


@styled()
def draw_parity(found: list[Points]) -> Figure:
    """Predicted against true values, a panel per target; bars are two deviations over models."""
    found = found[:MOST_TARGETS]
    columns = min(4, len(found))
    rows = math.ceil(len(found) / columns)
    figure = new_figure(max(4.0, 3.2 * columns), 3.4 * rows)
    panels = figure.subplots(rows, columns, squeeze=False).flat
    for axes, points in zip(panels, found, strict=False):
        unit = f", {as_written(points.unit)}" if points.unit else ""
        bars = [2 * s for s in points.spread] if any(points.spread) else None
        style = {"fmt": "o", "markersize": 3, "alpha": 0.6, "elinewidth": 0.6}
        axes.errorbar(points.true, points.predicted, bars, color=BLUE, ecolor=GREY, **style)
        if points.true:
            ends = [f(*points.true, *points.predicted) for f in (min, max)]
            axes.plot(ends, ends, color=GREY, linewidth=0.8)
        note = " (± 2 deviations over models)" if bars else ""
        axes.set(
            title=as_written(points.target), xlabel=f"true{unit}", ylabel=f"predicted{unit}{note}"
        )
        axes.set_aspect("equal", adjustable="datalim")
    for axes in list(panels)[len(found) :]:
        axes.set_axis_off()
    return figure
