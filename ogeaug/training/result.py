"""What a run gave: the record at its end, without which it is not finished."""

import math
import statistics
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from ogeaug.files.json_text import check_record, parse_json, read_text
from ogeaug.training.run_folder import FORMAT, RESULTS

Figure = Annotated[float, BeforeValidator(lambda value: math.nan if value is None else value)]
"""JSON has no NaN: a file has null in its place."""


@dataclass(frozen=True)
class FitResult:
    """What a training run gave.

    Attributes:
        folder: Where its files are.
        parameters: Trainable parameters.
        best_epoch: The epoch (from 1) of the model that was kept.
        epochs: Epochs run.
        metrics: By part (train is not evaluated), of the kept model: ``metrics["test"]["rmse"]``.
        rows: Graphs in each part; ``skipped`` those left out.
        seconds: Wall time of the training.
        units: Of the targets, as the configuration gives them.
        main: The main metric of the task; empty in records of earlier versions.
        chosen_by: What the best epoch was chosen by on the validation part: the main metric, or the
            loss, if that is not defined there, or an earlier version began the run.
        stand_in: What the data are instead of the benchmark's own; empty if they are its own, or of
            no benchmark.
    """

    folder: str
    parameters: int
    best_epoch: int
    epochs: int
    metrics: dict[str, dict[str, Figure]]
    rows: dict[str, int]
    seconds: float
    units: dict[str, str]
    main: str = ""
    chosen_by: str = "loss"
    stand_in: str = ""


class Record(BaseModel):
    """results.json of a run.

    Attributes:
        format: See :data:`ogeaug.training.run_folder.FORMAT`.
        result: What it gave.
    """

    format: Annotated[int, Field(ge=1, le=FORMAT)] = 1
    result: FitResult


class Summary(BaseModel):
    """results.json beside several runs.

    Attributes:
        format: See :data:`ogeaug.training.run_folder.FORMAT`.
        models: How many there are.
        metrics: Of the ``ensemble``, or ``mean`` and ``std`` over folds; by part and name.
        rows: Graphs in each part.
    """

    format: Annotated[int, Field(ge=2, le=FORMAT)] = FORMAT
    models: int
    metrics: dict[str, dict[str, dict[str, Figure]]]
    rows: dict[str, int]


def read_result(folder: Path) -> FitResult | None:
    """The record of a finished run; None if it is not finished.

    Raises:
        UserError: The record is damaged.
    """
    found = read_results(folder)
    if not isinstance(found, Record):
        return None
    result = replace(found.result, folder=str(folder))  # which may have moved
    if found.format == 1:  # version 0.1.0 counted epochs from 0
        return replace(result, best_epoch=result.best_epoch + 1)
    return result


def read_results(folder: Path) -> Record | Summary | None:
    """What is in results.json; None if there is none.

    Raises:
        UserError: It is damaged.
    """
    file = folder / RESULTS
    if not file.is_file():
        return None
    fix = f"delete it, then  ogeaug train --resume {folder}  writes it anew"
    found = parse_json(read_text(file, fix), str(file), fix)
    several = isinstance(found, dict) and "models" in found
    kind: type[Record] | type[Summary] = Summary if several else Record
    return check_record(found, kind, str(file), fix)


def mean_and_std(values: list[float]) -> tuple[float, float]:
    """Mean and standard deviation of what is defined; NaN if that is too little.

    Example:
        >>> mean_and_std([1.0, 3.0, float("nan")])
        (2.0, 1.4142135623730951)
        >>> mean_and_std([1.0])
        (1.0, nan)
    """
    defined = [value for value in values if not math.isnan(value)]
    mean = statistics.fmean(defined) if defined else math.nan
    return mean, statistics.stdev(defined) if len(defined) > 1 else math.nan
