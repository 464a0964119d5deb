"""Batch norms that keep the statistics of the model to start from."""

import pytest
import torch

from ogeaug import load_model
from ogeaug.errors import UserError
from ogeaug.training.config import load_config
from ogeaug.training.early import check_training
from ogeaug.training.fitting import fit
from ogeaug.training.module import GraphModule
from tests.training.tiny import tiny_config, write_csv


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    folder = tmp_path_factory.mktemp("first")
    config = tiny_config(write_csv(folder / "table.csv"), "training.epochs=1")
    fit(config, folder / "run", progress=False)
    return folder / "run"


def kept(first, table=None):
    values = {"data.path": str(table or first.parent / "table.csv"), "task.targets": ["y"]}
    values |= {"training.start_from": str(first), "training.keep_statistics": True}
    small = ["training.epochs=2", "training.batch_size=8", "training.tensorboard=false"]
    return load_config("default", small, values)


def test_statistics_stay_and_all_else_learns_and_drops_out(first, tmp_path, monkeypatch):
    modes = set()
    step = GraphModule.training_step

    def watched(self, batch, index):
        modes.add((self.model.backbone.norms[0].training, self.model.backbone.dropout.training))
        return step(self, batch, index)

    monkeypatch.setattr(GraphModule, "training_step", watched)
    fit(kept(first), tmp_path / "run", progress=False)
    assert modes == {(False, True)}  # in the second epoch, too, after a validation
    before, after = (load_model(folder).state_dict() for folder in (first, tmp_path / "run"))
    norms = [name for name in before if "running" in name]
    assert norms
    for name in before:
        if name.startswith("backbone.") and not name.endswith(("tracked", ".eps")):
            assert torch.equal(before[name], after[name]) == (name in norms), name


def test_refused(first, tmp_path):
    config = kept(first)
    random = config.training.model_copy(update={"start_from": None})
    with pytest.raises(UserError, match="would have seen nothing yet: name one by --start-from"):
        check_training(config.model_copy(update={"training": random}), tmp_path / "new")
    plain = tiny_config(first.parent / "table.csv", "training.epochs=1", "backbone.norm=none")
    fit(plain, tmp_path / "plain", progress=False)
    with pytest.raises(UserError, match="has no batch norms; leave it out"):
        fit(kept(tmp_path / "plain", first.parent / "table.csv"), tmp_path / "new", progress=False)
