"""What a run gave: the record at its end, without which it is not finished."""

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from ogeaug.json_file import read_json
from ogeaug.training.run_folder import FORMAT, RESULTS

Figure = Annotated[float, BeforeValidator(lambda value: math.nan if value is None else value)]
"""JSON has no NaN: a file has null in its place."""


@dataclass(frozen=True)
class FitResult:
    """What a training run gave.

    Attributes:
        folder: Where its files are.
        parameters: Trainable parameters.
        best_epoch: The epoch (from 1) of the model that was kept: lowest validation loss.
        epochs: Epochs run.
        metrics: By part (train is not evaluated), of the kept model: ``metrics["test"]["rmse"]``.
        rows: Graphs in each part; ``skipped`` those left out.
        seconds: Wall time of the training.
        units: Of the targets, as the configuration gives them.
    """

    folder: str
    parameters: int
    best_epoch: int
    epochs: int
    metrics: dict[str, dict[str, Figure]]
    rows: dict[str, int]
    seconds: float
    units: dict[str, str]


class _File(BaseModel):
    """results.json."""

    format: Annotated[int, Field(ge=1, le=FORMAT)] = 1
    result: FitResult


def read_result(folder: Path) -> FitResult | None:
    """The record of a finished run; None if it is not finished.

    Raises:
        UserError: The record is damaged.
    """
    file = folder / RESULTS
    if not file.is_file():
        return None
    found = read_json(
        file, _File, f"delete it, then  ogeaug train --resume {folder}  writes it anew"
    )
    if found.format == 1:  # version 0.1.0 counted epochs from 0
        return replace(found.result, best_epoch=found.result.best_epoch + 1)
    return found.result
