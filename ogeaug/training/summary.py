"""Several models as one: the metrics of an ensemble, their mean and deviation over folds."""

import csv
import math
from pathlib import Path

import torch
from torch import Tensor

from ogeaug.errors import UserError
from ogeaug.model.file import load_model
from ogeaug.tasks import Task, make_task
from ogeaug.training.config import Config
from ogeaug.training.outputs import labelled_columns, mean_and_spread
from ogeaug.training.result import FitResult, Summary, mean_and_std, read_results
from ogeaug.training.run_folder import PREDICTIONS, RESULTS, write_json, write_table

Metrics = dict[str, dict[str, float]]
"""By part and name."""


def summarise(config: Config, folder: Path, results: list[FitResult], size: int) -> None:
    """Writes results.json beside the models of a plan that are all finished.

    Args:
        config: What was planned.
        folder: Of the plan.
        results: Of all models, fold by fold.
        size: Models of each fold.
    """
    folds = [results[i : i + size] for i in range(0, len(results), size)]
    found = [(members[0].metrics, members[0].rows) for members in folds]
    if size > 1:
        found = [_ensemble(config, members) for members in folds]
    if len(folds) > 1 and any(metrics for metrics, _ in found):
        mean, std = _over_folds([metrics for metrics, _ in found])
        rows = {part: sum(counts[part] for _, counts in found) for part in mean}
        _write(folder, {"mean": mean, "std": std}, rows, len(results))


def _ensemble(config: Config, members: list[FitResult]) -> tuple[Metrics, dict[str, int]]:
    """Metrics of the mean prediction on the test part, written with that beside the members."""
    folder = Path(members[0].folder).parent
    if not all((Path(m.folder) / PREDICTIONS).is_file() for m in members):
        return {}, {}  # no test part
    model = load_model(members[0].folder)
    assert model.config is not None
    task = make_task(model.config.task, config.training.loss)
    read = [_read(Path(member.folder), task) for member in members]
    rows, y, _ = read[0]
    for member, (others, labels, _) in zip(members, read, strict=True):
        if others != rows:
            raise _damaged(Path(member.folder), f"other rows than in {members[0].folder}")
        if not torch.equal(labels.nan_to_num(math.inf), y.nan_to_num(math.inf)):
            raise _damaged(Path(member.folder), f"other targets than in {members[0].folder}")
    each = torch.stack([shown for _, _, shown in read])  # [M, B, t]
    raw = task.deactivate(each.mean(0))
    metrics = {"test": task.evaluate([(raw, y)], std=task.std(model.head))}
    lines = [
        [*key, *labels, *values]
        for key, labels, values in zip(
            rows, y.tolist(), mean_and_spread(each).tolist(), strict=True
        )
    ]
    write_table(folder / PREDICTIONS, labelled_columns(task, spread=True), lines)
    counts = {"test": len({graph for graph, *_ in rows})}
    _write(folder, {"ensemble": metrics}, counts, len(members))
    return metrics, counts


def _read(folder: Path, task: Task) -> tuple[list[list[int]], Tensor, Tensor]:
    """Keys, labels ``[B, t]`` and predictions ``[B, c]`` of a model on its test part."""
    try:
        with (folder / PREDICTIONS).open(encoding="utf-8", newline="") as file:
            columns, *lines = csv.reader(file)
        if columns != labelled_columns(task):
            raise ValueError(f"columns {columns}, expected {labelled_columns(task)}")
        keys = len(task.keys())
        rows = [list(map(int, line[:keys])) for line in lines]
        numbers = [list(map(float, line[keys:])) for line in lines]
        values = torch.tensor(numbers, dtype=torch.float64).reshape(len(lines), len(columns) - keys)
        y, shown = values.tensor_split([len(task.label_columns())], 1)
    except (IndexError, ValueError, RuntimeError) as error:
        raise _damaged(folder, f"{type(error).__name__} {error}") from error
    record = read_results(folder)
    if record is not None and record.format == 1:  # logits of version 0.1.0
        shown = task.activate(shown)
    return rows, y, shown


def _damaged(folder: Path, why: str) -> UserError:
    return UserError(
        f"{folder / PREDICTIONS} is damaged ({why}); delete {folder / RESULTS} and  ogeaug train "
        "--resume  writes both anew"
    )


def _over_folds(each: list[Metrics]) -> tuple[Metrics, Metrics]:
    """Mean and standard deviation of what is defined; NaN if that is too little."""
    mean: Metrics = {}
    std: Metrics = {}
    for part in dict.fromkeys(part for metrics in each for part in metrics):
        parts = [metrics[part] for metrics in each if part in metrics]
        for key in dict.fromkeys(key for figures in parts for key in figures):
            both = mean_and_std([figures.get(key, math.nan) for figures in parts])
            mean.setdefault(part, {})[key], std.setdefault(part, {})[key] = both
    return mean, std


def _write(folder: Path, metrics: dict[str, Metrics], rows: dict[str, int], models: int) -> None:
    summary = Summary(models=models, metrics=metrics, rows=rows)
    write_json(folder / RESULTS, summary.model_dump())
