"""What a comparison leaves behind: tables of figures and plots of errors."""

import csv
import math
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from ogeaug.encodings import ENCODINGS, about_edges
from ogeaug.errors import UserError
from ogeaug.files.json_text import read_text
from ogeaug.files.output import save_figure, write_text
from ogeaug.pictures import legend_beside, looks, new_figure, plain_numbers, styled
from ogeaug.tasks import make_task
from ogeaug.training import run_folder
from ogeaug.training.callbacks import count_from_one
from ogeaug.training.config import Config
from ogeaug.training.fitting import FitResult
from ogeaug.training.result import mean_and_std

Curve = list[tuple[int, float, float]]


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


def write_report(
    folder: Path, config: Config, runs: list[Run], configs: dict[str, Config], total: int
) -> None:
    """Writes compare.csv, curves.csv, table.md and the two plots.

    Args:
        folder: Of the comparison.
        config: The experiment that was asked for.
        runs: Those that are finished.
        configs: The configuration of each encoding.
        total: Number of runs in the end.
    """
    task = make_task(config.task, config.training.loss)
    metric = task.main
    rows = [_row(run, configs[run.encoding]) for run in runs]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    values = [[row.get(column, "") for column in columns] for row in rows]
    run_folder.write_table(folder / "compare.csv", columns, values)
    curves = read_curves(runs, metric)
    points = [[*key, *point] for key, curve in curves.items() for point in curve]
    names = ["encoding", "seed", "epoch", "seconds", f"val_{metric}"]
    run_folder.write_table(folder / "curves.csv", names, points)
    write_text(folder / "table.md", summary(config, runs, configs, total))
    for axis, label, file in (
        (0, "epoch", "error_by_epoch.png"),
        (1, "wall time of training, s", "error_by_time.png"),
    ):
        figure = plot(curves, axis, label, f"validation {metric}", task.lower_is_better)
        save_figure(figure, folder / file)


def read_curves(runs: list[Run], metric: str) -> dict[tuple[str, int], Curve]:
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


def summary(config: Config, runs: list[Run], configs: dict[str, Config], total: int) -> str:
    """A Markdown table: mean and standard deviation over seeds, best encoding first."""
    task = make_task(config.task, config.training.loss)
    metric = task.main
    seeds = sorted({run.seed for run in runs})
    parts = [p for p in runs[0].result.metrics if all(p in run.result.metrics for run in runs)]
    lines = []
    for name in dict.fromkeys(run.encoding for run in runs):
        results = [run.result for run in runs if run.encoding == name]
        figures = [[r.metrics[part].get(metric, math.nan) for r in results] for part in parts]
        lines.append((mean_and_std(figures[0])[0], name, results, figures))
    sign = 1 if task.lower_is_better else -1
    lines.sort(key=lambda line: (math.isnan(line[0]), sign * line[0]))  # undefined ones last
    head = ["encoding", *(f"{part} {metric}" for part in parts)]
    head += ["parameters", "width", "epochs", "s per epoch"]
    out = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for _, name, results, figures in lines:
        epochs = max(1, results[0].epochs)
        cells = [f"`{name}`", *map(_spread, figures), f"{results[0].parameters:,}"]
        cells += [_width(configs[name]), str(epochs)]
        cells += [f"{statistics.fmean(r.seconds for r in results) / epochs:.1f}"]
        out.append(f"| {' | '.join(cells)} |")
    what = "lower is better" if task.lower_is_better else "higher is better"
    out.append("")
    out.append(
        f"{_described(metric, config)} of the epoch with the best validation {_chosen(runs)}, "
        f"{what}; seeds {', '.join(map(str, seeds))} (mean ± standard deviation if several); "
        f"{', '.join(f'{n:,} {part}' for part, n in runs[0].result.rows.items() if n)} graphs."
    )
    used = dict.fromkeys(e.name for planned in configs.values() for e in planned.encodings)
    edges = [name for name in used if ENCODINGS.level(name) == "edge"]
    out += [f"{about_edges(name)}; the nodes have none." for name in edges]
    if runs[0].result.stand_in:
        out.append(f"Stand-in data: {runs[0].result.stand_in}.")
    if len(runs) < total:
        out.append(f"So far {len(runs)} of {total} runs.")
    return "\n".join(out) + "\n"


@styled()
def plot(
    curves: dict[tuple[str, int], Curve],
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


def _row(run: Run, config: Config) -> dict[str, Any]:
    result = run.result
    figures = {
        f"{part}_{key}": value
        for part, record in result.metrics.items()
        for key, value in record.items()
    }
    return {
        "encoding": run.encoding,
        "seed": run.seed,
        "parameters": result.parameters,
        "width": _width(config),
        "epochs": result.epochs,
        "best_epoch": result.best_epoch,
        "seconds": result.seconds,
        **figures,
    }


def _width(config: Config) -> str:
    if not config.encodings:
        return f"backbone {config.backbone.channels}"
    return str(config.encodings[0].options.get("hidden_channels", ""))


def _chosen(runs: list[Run]) -> str:
    """What the best epochs were chosen by; see :class:`ogeaug.training.result.FitResult`."""
    return " or ".join(dict.fromkeys(run.result.chosen_by for run in runs))


def _described(metric: str, config: Config) -> str:
    if metric == "loss":
        return f"loss ({config.training.loss} of standardised targets, mean over targets)"
    return metric


def _spread(values: list[float]) -> str:
    mean, std = mean_and_std(values)
    return f"{mean:.4f}" if len(values) == 1 else f"{mean:.4f} ± {std:.4f}"
