"""The moving average of the weights: what is validated is what is kept."""

import csv

import pytest
import torch
from torch import nn

from ogeaug.errors import UserError
from ogeaug.model.file import load_model
from ogeaug.training.averaging import AverageWeights
from ogeaug.training.checkpoint import SafeCheckpointIO
from ogeaug.training.fitting import fit, resume
from ogeaug.training.module import GraphModule
from tests.training.tiny import tiny_config


def test_average_and_swap():
    module = nn.Sequential(nn.Linear(1, 1, bias=False), nn.BatchNorm1d(1))
    average = AverageWeights(steps=4)
    for value in (8.0, 0.0):
        with torch.no_grad():
            module[0].weight.fill_(value)
            module[1].running_mean.fill_(value)
            module[1].num_batches_tracked.fill_(int(value))
        average.update(module, 0.25)
    average.swap(module)
    assert module[0].weight.item() == module[1].running_mean.item() == 6.0
    assert module[1].num_batches_tracked.item() == 0  # a count has no mean
    average.swap(module)
    assert module[0].weight.item() == 0.0


def test_the_first_steps_do_not_hold_on_to_the_start():
    module, average = nn.Linear(1, 1, bias=False), AverageWeights(steps=1e6)
    for value in (100.0, *[1.0] * 60):
        with torch.no_grad():
            module.weight.fill_(value)
        average.on_train_batch_end(None, module, None, None, 0)
    assert average.average["weight"].item() == pytest.approx(1, abs=1e-2)


def test_what_is_validated_is_kept(table, tmp_path):
    config = tiny_config(table, "training.ema=1", "training.epochs=1")
    result = fit(config, tmp_path / "r", progress=False)
    with (tmp_path / "r" / "metrics.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert result.metrics["val"]["rmse"] == pytest.approx(float(row["val_rmse"]), rel=1e-5)
    checkpoint = SafeCheckpointIO().load_checkpoint(tmp_path / "r/checkpoints/last.safetensors")
    trained = checkpoint["state_dict"]["model.backbone.convs.0.conv.nn.0.weight"]
    kept = load_model(tmp_path / "r").state_dict()["backbone.convs.0.conv.nn.0.weight"]
    assert not torch.allclose(trained, kept, atol=1e-5)  # training goes on without the average


def test_a_resumed_run_ends_alike(table, tmp_path, monkeypatch):
    config = tiny_config(table, "training.ema=0.5")
    whole = fit(config, tmp_path / "whole", progress=False)
    step = GraphModule.training_step

    def interrupted(self, batch, index):
        if self.current_epoch == 2:
            raise RuntimeError("pulled the plug")
        return step(self, batch, index)

    with monkeypatch.context() as patch:
        patch.setattr(GraphModule, "training_step", interrupted)
        with pytest.raises(RuntimeError, match="pulled the plug"):
            fit(config, tmp_path / "r", progress=False)
    assert resume(tmp_path / "r", progress=False).metrics == whole.metrics


@pytest.mark.parametrize("value", ["0", "-1", "nan", "long"])
def test_bad_values_are_refused(table, value):
    with pytest.raises(UserError, match="ema"):
        tiny_config(table, f"training.ema={value}")
