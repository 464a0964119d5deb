"""Training from the weights of another model."""

import pytest
import torch

from ogeaug import load_model
from ogeaug.compare.early import check_comparison
from ogeaug.compare.rules import make_rules
from ogeaug.errors import UserError
from ogeaug.model.graph_model import GraphModel
from ogeaug.training.config import Config, dump_config, load_config
from ogeaug.training.fitting import fit, resume
from ogeaug.training.starting import take_weights
from tests.training.tiny import fit_interrupted, tiny_config, write_csv


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    folder = tmp_path_factory.mktemp("first")
    config = tiny_config(write_csv(folder / "table.csv"), "training.epochs=1")
    fit(config, folder / "run", progress=False)
    return folder / "run"


def started(config: Config, source: object) -> tuple[dict, dict, dict]:
    """The source's weights, the random ones, and those that were started with."""
    model = GraphModel.from_config(config.model_part())
    random = {name: value.clone() for name, value in model.state_dict().items()}
    take_weights(model, config.model_part(), str(source))
    return load_model(source).state_dict(), random, model.state_dict()


def again(first, *overrides: str) -> Config:
    file = first.parent / "table.csv"
    values = {"data.path": str(file), "training.start_from": str(first), "task.targets": ["y"]}
    return load_config("default", list(overrides), values)


def test_model_of_the_source_and_its_weights(first):
    config = again(first, "backbone.dropout=0.2")
    assert config.backbone.channels == 16  # as in the source, not as in the default
    assert config.backbone.dropout == 0.2
    theirs, random, ours = started(config, first)
    for name, value in ours.items():
        expected = random if name.startswith("head.scale.") else theirs
        assert torch.equal(value, expected[name]), name
    assert any(not torch.equal(theirs[name], random[name]) for name in theirs)


def test_other_targets_have_a_fresh_head(first):
    theirs, random, ours = started(again(first, "task.targets=[y, z]"), first)
    for name, value in ours.items():
        expected = random if name.startswith("head.") else theirs
        assert torch.equal(value, expected[name]), name


def test_a_run_that_starts_from_a_model(first, tmp_path):
    """At a learning rate of nearly nothing it is still that model, scale of targets included."""
    config = again(first, "training.epochs=1", "training.lr=1e-12", "training.tensorboard=false")
    fit(config, tmp_path / "run", progress=False)
    theirs, ours = (load_model(folder).state_dict() for folder in (first, tmp_path / "run"))
    weights = [name for name in theirs if "running" not in name and "num_batches" not in name]
    assert all(torch.allclose(ours[name], theirs[name], atol=1e-9) for name in weights)


def test_goes_on_without_the_source(first, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    for name in ("config.json", "model.safetensors"):
        (source / name).write_bytes((first / name).read_bytes())
    config = again(first, f"training.start_from={source}", "training.tensorboard=false")
    config = config.model_copy(update={"training": config.training.with_epochs(2)})
    fit_interrupted(config, tmp_path / "run", epoch=2)
    (source / "model.safetensors").unlink()
    assert resume(tmp_path / "run", progress=False).epochs == 2


def test_refused(first, tmp_path):
    with pytest.raises(UserError, match="there is no folder"):
        load_config("default", ["training.start_from=nowhere"])
    with pytest.raises(UserError, match="other backbone than this"):
        fit(again(first, "backbone.layers=3"), tmp_path / "run", progress=False)
    assert not (tmp_path / "run").exists()


def test_refused_at_once(first, tmp_path):
    with pytest.raises(UserError, match="start_from: String should have at least 1 character"):
        load_config("default", ["training.start_from=''"])
    for member in ("model_0", "model_1"):
        (tmp_path / "both" / member).mkdir(parents=True)
        (tmp_path / "both" / member / "config.json").write_bytes(
            (first / "config.json").read_bytes()
        )
    with pytest.raises(UserError, match=r"holds several models; .* like .*both.model_0"):
        again(first, f"training.start_from={tmp_path / 'both'}")
    rules = make_rules()
    asked = {"seeds": [0], "minutes": None, "options": {}, "rules": rules}
    with pytest.raises(UserError, match="each from random weights; leave it out"):
        check_comparison(again(first), ["oge_aug", "none"], tmp_path / "compared", **asked)


def test_dropout_of_a_file(first, tmp_path):
    """A run's own configuration, given again, is that run's; also for its dropout."""
    config = again(first, "backbone.dropout=0.3")
    file = tmp_path / "config.yaml"
    file.write_text(dump_config(config), encoding="utf-8")
    assert load_config(file).model_dump() == config.model_dump()
    file.write_text(
        f"backbone: {{name: gps, conv: gine, dropout: 0.4, attention_dropout: 0.2, heads: 2}}\n"
        f"training: {{start_from: '{first.as_posix()}'}}\n",
        encoding="utf-8",
    )
    backbone = load_config(file).backbone
    assert (backbone.name, backbone.dropout, backbone.channels) == ("gine", 0.4, 16)


def test_a_shipped_model():
    config = load_config("default", ["training.start_from=zinc"])
    assert config.features.kind == "zinc"
    assert config.backbone.name == "gps"
