"""Training whose encodings stay those of the model that it starts from."""

import pytest
import torch
from torch_geometric.data import Batch

from ogeaug import load_model
from ogeaug.compare.early import check_comparison
from ogeaug.compare.rules import make_rules
from ogeaug.errors import UserError
from ogeaug.model.graph_model import STORED
from ogeaug.training.config import load_config
from ogeaug.training.early import check_training
from ogeaug.training.fitting import fit, resume
from ogeaug.training.freezing import freeze_encodings, restore_encodings
from ogeaug.training.module import GraphModule
from ogeaug.training.prepare import prepare
from ogeaug.training.run_folder import CHECKPOINT
from tests.training.tiny import fit_interrupted, tiny_config, write_csv

NODES_AND_EDGES = "encodings=[{name: oge_aug, out_channels: 4, hidden_channels: 4, num_layers: 1}, \
{name: edge_rwse, out_channels: 4}]"


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    folder = tmp_path_factory.mktemp("first")
    small = tiny_config(folder / "table.csv", "training.epochs=1")
    config = load_config("default", [NODES_AND_EDGES], {"data.path": str(folder / "table.csv")})
    small = small.model_copy(update={"encodings": config.encodings})
    write_csv(folder / "table.csv")
    fit(small, folder / "run", progress=False)
    return folder / "run"


def frozen(first, *overrides):
    values = {
        "data.path": str(first.parent / "table.csv"),
        "task.targets": ["y"],
        "training.start_from": str(first),
        "training.freeze": True,
    }
    small = ["training.epochs=2", "training.batch_size=8", "training.tensorboard=false"]
    return load_config("default", [*small, *overrides], values)


def test_encodings_stay_and_the_rest_learns(first, tmp_path, monkeypatch):
    in_training = []
    step = GraphModule.training_step

    def watched(self, batch, index):
        in_training.append((self.model.backbone.training, self.model.encodings.training))
        return step(self, batch, index)

    monkeypatch.setattr(GraphModule, "training_step", watched)
    fit(frozen(first), tmp_path / "run", progress=False)
    assert {backbone for backbone, _ in in_training} == {True}
    before, after = (load_model(folder).state_dict() for folder in (first, tmp_path / "run"))
    for name, value in before.items():
        if name.startswith("encodings."):
            assert torch.equal(after[name], value), name
    learns = ("weight", "running_mean", "running_var")  # batch norms see the batches, too
    backbone = [n for n in before if n.startswith("backbone.") and n.endswith(learns)]
    assert all(not torch.equal(after[name], before[name]) for name in backbone)


def test_what_is_stored_is_what_would_be_computed(first):
    config = frozen(first)
    parts, model = prepare(config, progress=False).parts, load_model(first)
    graphs = freeze_encodings(parts, model, config.training, False).train
    assert not any(p.requires_grad for p in model.encodings.parameters())  # for DDP
    assert all(p.requires_grad for p in model.backbone.parameters())
    assert len(graphs) == len(parts.train)
    assert not any("stored" in key for data in parts.train for key in data.keys())  # noqa: SIM118
    batch = Batch.from_data_list(graphs)
    found = model.eval()(batch)
    batch[STORED.format(1)] = batch[STORED.format(1)] + 1
    assert not torch.allclose(model(batch), found)  # it is read
    torch.testing.assert_close(load_model(first).eval()(batch), found)  # a saved model computes


def test_goes_on_bit_for_bit_without_the_source(first, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    for name in ("config.json", "model.safetensors"):
        (source / name).write_bytes((first / name).read_bytes())
    config = frozen(first, f"training.start_from={source}")
    fit(config, tmp_path / "whole", progress=False)
    fit_interrupted(config, tmp_path / "parts", epoch=2)
    (source / "model.safetensors").unlink()
    resume(tmp_path / "parts", progress=False)
    whole, parts = (load_model(tmp_path / name).state_dict() for name in ("whole", "parts"))
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


def test_noise_of_a_shipped_configuration_goes_and_noise_that_was_asked_for_is_refused(first):
    values = {"training.start_from": "zinc", "training.freeze": True}
    assert load_config("zinc_gine_oge").training.noise > 0
    assert load_config("zinc_gine_oge", [], values).training.noise == 0
    with pytest.raises(UserError, match="frozen encodings are computed once"):
        check_training(frozen(first, "training.noise=1e-5"), first.parent / "new")


def test_refused(first, tmp_path):
    def refuses(config, words):
        with pytest.raises(UserError, match=words):
            check_training(config, tmp_path / "new")

    alone = frozen(first)
    random = alone.training.model_copy(update={"start_from": None})
    refuses(alone.model_copy(update={"training": random}), "would be random: name one")
    refuses(alone.model_copy(update={"encodings": []}), "there are no encodings to freeze")
    sees = alone.encodings[0].model_copy(update={"features": True})
    refuses(alone.model_copy(update={"encodings": [sees]}), "sees the embedded node features")
    signs = alone.encodings[0].model_copy(update={"name": "lap_pe"})
    refuses(alone.model_copy(update={"encodings": [signs]}), "'lap_pe' draws signs anew")
    with pytest.raises(UserError, match="would be random"):
        fit(alone.model_copy(update={"training": random}), tmp_path / "new", progress=False)


@pytest.mark.parametrize("key", ["freeze", "keep_statistics"])
def test_refused_in_comparisons(key, tmp_path):
    config = load_config("zinc", [f"training.{key}=true"])
    asked = {"seeds": [0], "minutes": None, "options": {}, "rules": make_rules()}
    with pytest.raises(UserError, match="each from random weights; leave it out"):
        check_comparison(config, ["oge_aug", "none"], tmp_path / "compared", **asked)


def test_a_checkpoint_of_another_model(first, tmp_path):
    config = frozen(first)
    fit(config, tmp_path / "run", progress=False)
    other = load_model("zinc")
    with pytest.raises(UserError, match="is of another model: its encodings do not fit"):
        restore_encodings(other, tmp_path / "run" / CHECKPOINT, None)


def test_noise_of_a_file_that_freezes(first, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(
        f"training: {{noise: 1e-5, freeze: true, start_from: '{first.as_posix()}'}}\n", "utf-8"
    )
    with pytest.raises(UserError, match="frozen encodings are computed once"):
        check_training(load_config(file, [], {"data.name": "nci"}), tmp_path / "new")
    assert load_config("zinc_gine_oge", ["training.freeze=false"]).training.noise > 0
