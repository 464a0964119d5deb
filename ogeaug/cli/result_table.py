"""What ``ogeaug train`` prints in the end: a line per model and part, a column per metric."""

import math
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from ogeaug.training.result import FitResult, Summary, read_results
from ogeaug.training.run_folder import RESULTS

Line = dict[str, str]
RUN = ("best epoch", "seconds")
"""Columns that only a model has, not several together."""


def print_results(results: list[FitResult], folder: Path) -> None:
    """Prints the metrics of each model, then those of them all together, then what to know."""
    lines = [line for result in results for line in _model_lines(result, folder)]
    if len(results) > 1:
        lines += _summary_lines(results, folder)
    console = Console(highlight=False)
    columns = list(dict.fromkeys(key for line in lines for key in line if key not in RUN))
    columns = [*columns, *RUN]
    if len(results) == 1:
        columns.remove("model")
    table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False)
    for name in columns:
        words = name in ("model", "part")
        heading = name.replace(" ", "\n")
        table.add_column(heading, justify="left" if words else "right", no_wrap=True)
    for line in lines:
        table.add_row(*(line.get(name, "") for name in columns))
    anything = console.options.update_width(10_000)
    if console.measure(table, options=anything).maximum <= console.width:
        console.print(table)
    else:  # too narrow: numbers are never cut off
        for line in lines:
            cells = [f"{name}\u00a0{line[name]}" for name in columns[1:] if line.get(name)]
            console.print(f"{line[columns[0]]}: {', '.join(cells)}")
    for note in _notes(results, lines):
        console.print(note)


def _model_lines(result: FitResult, folder: Path) -> list[Line]:
    about = f"{result.best_epoch}/{result.epochs}", f"{result.seconds:.0f}"
    name = Path(result.folder).relative_to(folder).as_posix()
    return [
        _line(name, part, result.rows[part], metrics, result.main)
        | dict(zip(RUN, about, strict=True))
        for part, metrics in result.metrics.items()
    ]


def _summary_lines(results: list[FitResult], folder: Path) -> list[Line]:
    """Of ensembles (in a fold, or alone) and over folds, as far as there are such."""
    places = dict.fromkeys(Path(result.folder).parent for result in results)
    lines = []
    for place in [*(p for p in places if p != folder), folder]:
        record = read_results(place)
        if not isinstance(record, Summary):  # without a test part there is none
            continue
        for kind, parts in record.metrics.items():
            name = (place / kind).relative_to(folder).as_posix()
            lines += [
                _line(name, part, record.rows[part], metrics, results[0].main)
                for part, metrics in parts.items()
            ]
    return lines


def _line(name: str, part: str, rows: int, metrics: dict[str, float], main: str) -> Line:
    """The main metric first."""
    keys = sorted(metrics, key=lambda key: key != main)
    shown = {key: f"{metrics[key]:.4g}" for key in keys if "." not in key}
    return {"model": name, "part": part, "graphs": f"{rows:,}"} | shown


def _notes(results: list[FitResult], lines: list[Line]) -> list[str]:
    first, names = results[0], [line["model"].split("/")[-1] for line in lines]
    notes = [f"{first.parameters:,} parameters{' each' if len(results) > 1 else ''}"]
    chosen = dict.fromkeys(result.chosen_by for result in results)
    notes.append(f"best epoch: by {' or '.join(chosen)} on the validation part{_why(first)}")
    if "ensemble" in names:
        notes.append("ensemble: of the mean prediction of its models")
    if "std" in names:
        notes.append("mean, std: over folds")
    if any("nan" in line.values() for line in lines):
        notes.append("nan: not defined on that part (it has one class only, or equal values only)")
    if any("." in key for metrics in first.metrics.values() for key in metrics):
        notes.append(f"metrics are means over targets; of each target: see {RESULTS}")
    if first.stand_in:
        notes.append(f"stand-in data: {first.stand_in}")
    if first.units:
        notes.append("units: " + ", ".join(f"{k}: {v}" for k, v in first.units.items()))
    if first.rows["skipped"]:
        notes.append(
            f"{first.rows['skipped']:,} rows were left out: see skipped.csv in the run's folder"
        )
    return notes


def _why(result: FitResult) -> str:
    """Why the best epoch is not that of the main metric, if it is not."""
    if result.main in ("", result.chosen_by):  # records of earlier versions have none
        return ""
    if math.isnan(result.metrics["val"].get(result.main, math.nan)):
        return f", since {result.main} is not defined there"
    return ", as in the version that began the run"
