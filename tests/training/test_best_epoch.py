"""The best epoch is that of the task's main metric; by the loss where that is not defined."""

import csv
import json

import pytest
import torch
from torch_geometric.data import Data

from ogeaug.cli.result_table import print_results
from ogeaug.tasks import Choice
from ogeaug.training.callbacks import BestModel
from ogeaug.training.config import Config
from ogeaug.training.fitting import fit, resume
from ogeaug.training.module import GraphModule
from ogeaug.training.prepare import Parts

EDGES = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
CLASSES = {"type": "classification", "targets": ["y"]}
FIGURES = {
    "loss": [0.3, 0.2, 0.1, 0.4, 0.5, 0.6],
    "auroc": [0.5, 0.9, 0.7, 0.9, 0.8, 0.8],
    "accuracy": [0.5, 0.6, 0.9, 0.1, 0.1, 0.1],
}


def config(task=CLASSES, **training) -> Config:
    return Config.model_validate(
        {
            "features": {"kind": "own"},
            "task": task,
            "backbone": {"name": "gin", "layers": 1, "channels": 4},
            "training": {"epochs": 6, "batch_size": 4, "tensorboard": False} | training,
        }
    )


def parts(*val: float) -> Parts:
    graphs = [Data(edge_index=EDGES, num_nodes=3, y=torch.tensor([y])) for y in (0.0, 1.0, *val)]
    return Parts(graphs[:2], graphs[2:])


@pytest.fixture(autouse=True)
def told(monkeypatch):
    """Validation finds what FIGURES says, epoch by epoch."""

    def found(self):
        self.outputs.clear()
        for key, values in FIGURES.items():
            self.log(f"val_{key}", values[self.current_epoch], batch_size=1)

    monkeypatch.setattr(GraphModule, "on_validation_epoch_end", found)


def test_the_main_metric_decides(tmp_path, capsys):
    result = fit(config(), tmp_path, parts=parts(0, 1), progress=False)
    assert (result.best_epoch, result.epochs) == (2, 6)  # the first of the best
    assert (result.main, result.chosen_by) == ("auroc", "auroc")
    assert json.loads((tmp_path / "results.json").read_text())["format"] == 3
    print_results([result], tmp_path)
    out = capsys.readouterr().out
    assert "best epoch: by auroc on the validation part\n" in out
    assert out.index("auroc") < out.index("loss")  # the main metric first


def test_the_loss_decides_where_it_is_not_defined(tmp_path, capsys):
    result = fit(config(), tmp_path, parts=parts(1, 1), progress=False)
    assert (result.best_epoch, result.chosen_by, result.main) == (3, "loss", "auroc")
    print_results([result], tmp_path)
    out = " ".join(capsys.readouterr().out.split())
    assert "best epoch: by loss on the validation part, since auroc is not defined there" in out


@pytest.mark.parametrize(("val", "last"), [((0, 1), 4), ((1, 1), 5)])
def test_patience_waits_for_the_same(tmp_path, val, last):
    """By auroc epoch 2 is the best and 3, 4 are not better; by the loss 3, and 4, 5 are not."""
    result = fit(config(patience=2), tmp_path, parts=parts(*val), progress=False)
    assert result.epochs == last


def interrupted(folder, monkeypatch, task=CLASSES, **training) -> None:
    """A run of four epochs that an earlier version began, and could not end."""
    step = GraphModule.training_step

    def dies(self, batch, index):
        if self.current_epoch == 4:
            raise RuntimeError("pulled the plug")
        return step(self, batch, index)

    with monkeypatch.context() as old:
        old.setattr(GraphModule, "training_step", dies)
        old.setattr("ogeaug.training.started.FORMAT", 2)
        old.setattr("ogeaug.tasks.base.Task.choice", lambda self, graphs: self.earlier_choice())
        old.setattr(
            "ogeaug.training.callbacks.BestModel.state_dict",
            lambda self: {"best": self.best, "epoch": self.epoch},
        )
        with pytest.raises(RuntimeError, match="pulled the plug"):
            fit(config(task, **training), folder, parts=parts(0, 1), progress=False)
    started = json.loads((folder / "started.json").read_text())
    assert started.pop("format") == 2
    (folder / "started.json").write_text(json.dumps(started))


@pytest.mark.parametrize("training", [{}, {"patience": 2}])
def test_a_run_that_went_by_the_loss_goes_on_by_it(tmp_path, monkeypatch, training, capsys):
    interrupted(tmp_path, monkeypatch, **training)
    result = resume(tmp_path, parts=parts(0, 1), progress=False)
    assert (result.best_epoch, result.chosen_by) == (3, "loss")
    assert result.epochs == (5 if training else 6)
    with (tmp_path / "metrics.csv").open() as file:
        assert len(list(csv.DictReader(file))) == result.epochs
    print_results([result], tmp_path)
    assert "as in the version that began the run" in " ".join(capsys.readouterr().out.split())


def test_the_best_of_another_metric_is_none_of_this(tmp_path):
    """Node classification had another loss: its runs go on by accuracy, from where they are."""
    old = {"best": 0.1, "epoch": 2}
    by_loss, by_metric = (BestModel(tmp_path, Choice(m, m == "loss")) for m in ("loss", "accuracy"))
    for best in (by_loss, by_metric):
        best.load_state_dict(old)
    assert (by_loss.best, by_loss.epoch) == (0.1, 2)
    assert (by_metric.best, by_metric.epoch) == (None, 2)
    by_metric.load_state_dict({"best": 0.7, "epoch": 4, "metric": "accuracy"})
    assert (by_metric.best, by_metric.epoch) == (0.7, 4)
