"""What a comparison leaves behind: tables of figures."""

import math
from pathlib import Path
from typing import Any

from ogeaug.compare.curves import Run, plot, read_curves
from ogeaug.encodings import ENCODINGS, about_edges
from ogeaug.files.output import save_figure, write_text
from ogeaug.tasks import make_task
from ogeaug.training import run_folder
from ogeaug.training.config import Config
from ogeaug.training.result import mean_and_std


def write_report(
    folder: Path,
    config: Config,
    runs: list[Run],
    configs: dict[str, Config],
    total: int,
    about: str,
) -> None:
    """Writes compare.csv, curves.csv, table.md and the two plots.

    Args:
        folder: Of the comparison.
        config: The experiment that was asked for.
        runs: Those that are finished.
        configs: The configuration of each encoding.
        total: Number of runs in the end.
        about: By which rules, in words.
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
    write_text(folder / "table.md", summary(config, runs, configs, total) + about)
    for axis, label, file in (
        (0, "epoch", "error_by_epoch.png"),
        (1, "wall time of training, s", "error_by_time.png"),
    ):
        figure = plot(curves, axis, label, f"validation {metric}", task.lower_is_better)
        save_figure(figure, folder / file)


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
    reference = runs[0].encoding
    paired = len(seeds) > 1 and len(lines) > 1
    judged = "test" if "test" in parts else parts[-1]  # further test parts come after it
    if paired:
        head.append(f"{judged}, less that of `{reference}`")
    head += ["parameters", "backbone", "epochs", "s per epoch"]
    out = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for _, name, results, figures in lines:
        epochs = [r.epochs for r in results]
        first, last = min(epochs), max(epochs)  # patience ends seeds at different ones
        cells = [f"`{name}`", *map(_mean_and_std, figures)]
        if paired:
            differences = paired_differences(runs, name, reference, judged, metric)
            cells.append("-" if name == reference else _mean_and_std(differences))
        cells += [f"{results[0].parameters:,}", str(configs[name].backbone.channels)]
        cells += [str(first) if first == last else f"{first} to {last}"]
        cells += [f"{sum(r.seconds for r in results) / max(1, sum(epochs)):.1f}"]
        out.append(f"| {' | '.join(cells)} |")
    what = "lower is better" if task.lower_is_better else "higher is better"
    out.append("")
    out.append(
        f"{_described(metric, config)} of the epoch with the best validation {_chosen(runs)}, "
        f"{what}; seeds {', '.join(map(str, seeds))} (mean ± standard deviation if several, also "
        "of differences seed by seed); "
        f"{', '.join(f'{n:,} {part}' for part, n in runs[0].result.rows.items() if n)} graphs."
    )
    if "test" not in parts:
        out.append(
            "There is no test part: the part that chose the epochs is reported, which flatters all "
            "(--hold-out 0.1 makes one)."
        )
    used = dict.fromkeys(e.name for planned in configs.values() for e in planned.encodings)
    edges = [name for name in used if ENCODINGS.level(name) == "edge"]
    out += [f"{about_edges(name)}; the nodes have none." for name in edges]
    if runs[0].result.stand_in:
        out.append(f"Stand-in data: {runs[0].result.stand_in}.")
    if len(runs) < total:
        out.append(f"So far {len(runs)} of {total} runs.")
    return "\n".join(out) + "\n"


def paired_differences(
    runs: list[Run], name: str, reference: str, part: str, metric: str
) -> list[float]:
    """Of the figures of an entry and another, seed by seed, for the seeds that both have."""
    figures = {
        (run.encoding, run.seed): run.result.metrics[part].get(metric, math.nan) for run in runs
    }
    seeds = [run.seed for run in runs if run.encoding == name]
    pairs = [((name, seed), (reference, seed)) for seed in seeds]
    return [figures[one] - figures[other] for one, other in pairs if other in figures]


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
        "backbone": config.backbone.channels,
        "noise": config.training.noise,
        "standardize": any(e.standardize for e in config.encodings),
        "epochs": result.epochs,
        "best_epoch": result.best_epoch,
        "seconds": result.seconds,
        **figures,
    }


def _chosen(runs: list[Run]) -> str:
    """What the best epochs were chosen by; see :class:`ogeaug.training.result.FitResult`."""
    return " or ".join(dict.fromkeys(run.result.chosen_by for run in runs))


def _described(metric: str, config: Config) -> str:
    if metric == "loss":
        return f"loss ({config.training.loss} of standardised targets, mean over targets)"
    return metric


def _mean_and_std(values: list[float]) -> str:
    mean, std = mean_and_std(values)
    return f"{mean:.4f}" if len(values) == 1 else f"{mean:.4f} ± {std:.4f}"
