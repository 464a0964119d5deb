"""Epochs are counted from 1 wherever a person reads them, in folders of version 0.1.0 too."""

import csv
import json
from types import SimpleNamespace

import pytest

from ogeaug.compare.curves import Run, read_curves
from ogeaug.training.fitting import FitResult, fit, resume
from ogeaug.training.module import GraphModule
from ogeaug.training.trainer import _ProgressBar
from tests.training.tiny import tiny_config


def epochs(folder) -> list[str]:
    with (folder / "metrics.csv").open() as file:
        return [row["epoch"] for row in csv.DictReader(file)]


def test_progress_bar():
    bar = _ProgressBar(leave=False)
    bar._trainer = SimpleNamespace(max_epochs=3)
    assert [bar._get_train_description(i).strip() for i in range(3)] == [
        "Epoch 1/3",
        "Epoch 2/3",
        "Epoch 3/3",
    ]


def test_files_and_tensorboard(table, tmp_path, monkeypatch):
    logged = []
    monkeypatch.setattr(
        "lightning.pytorch.loggers.TensorBoardLogger.log_metrics",
        lambda self, metrics, step=None: logged.append(metrics.get("epoch")),
    )
    config = tiny_config(table, "training.epochs=3", "training.tensorboard=true")
    result = fit(config, tmp_path / "r", progress=False)
    assert epochs(tmp_path / "r") == ["1", "2", "3"]
    assert logged == [1, 2, 3]
    with (tmp_path / "r" / "metrics.csv").open() as file:
        losses = [float(row["val_loss"]) for row in csv.DictReader(file)]
    assert result.best_epoch == losses.index(min(losses)) + 1


def test_an_old_checkpoint_goes_on_counting_from_one(table, tmp_path, monkeypatch):
    step, record = GraphModule.training_step, GraphModule.epoch_record

    def interrupted(self, batch, index):
        if self.current_epoch == 2:
            raise RuntimeError("pulled the plug")
        return step(self, batch, index)

    with monkeypatch.context() as old:
        old.setattr(GraphModule, "training_step", interrupted)
        old.setattr(
            GraphModule, "epoch_record", lambda self: record(self) | {"epoch": self.current_epoch}
        )
        with pytest.raises(RuntimeError, match="pulled the plug"):
            fit(tiny_config(table), tmp_path / "r", progress=False)
    assert epochs(tmp_path / "r") == ["0", "1"]
    resume(tmp_path / "r", progress=False)
    assert epochs(tmp_path / "r") == ["1", "2", "3", "4"]


def test_an_old_finished_run_is_read_as_counted_from_one(table, tmp_path):
    new = fit(tiny_config(table), tmp_path / "r", progress=False)
    file = tmp_path / "r" / "results.json"
    record = json.loads(file.read_text())
    assert record.pop("format") == 3
    record["result"]["best_epoch"] -= 1
    file.write_text(json.dumps(record))
    assert resume(tmp_path / "r", progress=False) == new


@pytest.mark.parametrize("first", [0, 1])
def test_curves_of_old_and_new_runs(tmp_path, first):
    lines = [f"{first + i},0.5,{1 - i / 10}" for i in range(3)]
    (tmp_path / "metrics.csv").write_text("\n".join(["epoch,seconds,val_mae", *lines]))
    result = FitResult(str(tmp_path), 1, 1, 3, {}, {}, 1.5, {})
    curve = read_curves([Run("rwse", 0, result)], "mae")["rwse", 0]
    assert [point[0] for point in curve] == [1, 2, 3]
