"""What is checked and written while training: the data, the best model, a line per epoch."""

import csv
from pathlib import Path
from typing import Any

from lightning.pytorch import Callback, LightningModule, Trainer

from ogeaug.errors import TrainingStopped
from ogeaug.files.output import writing_text
from ogeaug.model.file import save_model
from ogeaug.tasks import Choice


class BestModel(Callback):
    """Writes the model folder whenever the validation part went better than ever.

    Args:
        folder: The run's folder.
        choice: The metric that decides.

    Attributes:
        best: Its best value; None before there is one.
        epoch: When it was, as Lightning counts: from 0.
    """

    def __init__(self, folder: Path, choice: Choice) -> None:
        self.folder, self.choice = folder, choice
        self.best: float | None = None
        self.epoch = -1

    def on_validation_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        value = float(trainer.callback_metrics[f"val_{self.choice.metric}"])
        if self._better(value) and not trainer.sanity_checking:
            self.best, self.epoch = value, trainer.current_epoch
            if trainer.is_global_zero:
                save_model(pl_module.model, self.folder)  # type: ignore[arg-type]

    def state_dict(self) -> dict[str, Any]:
        return {"best": self.best, "epoch": self.epoch, "metric": self.choice.metric}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.epoch = state_dict["epoch"]
        # Earlier versions went by the loss. What was the best of another metric is none of this.
        if state_dict.get("metric", "loss") == self.choice.metric:
            self.best = state_dict["best"]

    def _better(self, value: float) -> bool:
        if self.best is None:
            return True
        return value < self.best if self.choice.lower else value > self.best


class SameData(Callback):
    """Refuses to train in processes that have read different data.

    Args:
        checksum: Of what this process has read.
    """

    def __init__(self, checksum: str) -> None:
        self.checksum = checksum

    def on_fit_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        if trainer.strategy.broadcast(self.checksum) != self.checksum:
            raise TrainingStopped(
                f"process {trainer.global_rank} has read other data than process 0; give all "
                "machines the same file"
            )


class History(Callback):
    """Writes metrics.csv: losses, metrics, learning rate and seconds of each epoch.

    Args:
        file: Where to.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.records: list[dict[str, float]] = []

    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self.records.append(pl_module.epoch_record())  # type: ignore[operator]
        if not trainer.is_global_zero:
            return
        with writing_text(self.file) as file:
            keys = list(dict.fromkeys(key for record in self.records for key in record))
            writer = csv.DictWriter(file, keys)
            writer.writeheader()
            writer.writerows(self.records)

    def state_dict(self) -> dict[str, Any]:
        return {"records": self.records}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.records = count_from_one(list(state_dict["records"]))


def count_from_one(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records of epochs, in order; those of version 0.1.0, which begin with epoch 0, are shifted.

    Example:
        >>> count_from_one([{"epoch": 0}, {"epoch": 1}])
        [{'epoch': 1}, {'epoch': 2}]
        >>> count_from_one([{"epoch": "1"}])
        [{'epoch': 1}]
    """
    shift = 1 if records and int(records[0]["epoch"]) == 0 else 0
    return [record | {"epoch": int(record["epoch"]) + shift} for record in records]
