"""Training with a network that stays as it is: it is the same before and after an interruption."""

import shutil

import pytest
import torch

from ogeaug import OGEAug, load_model
from ogeaug.encodings.network_file import save_network
from ogeaug.training.config import load_config
from ogeaug.training.fitting import fit, resume
from tests.training.tiny import SMALL, fit_interrupted, write_csv

DESCRIPTION = {"hidden_channels": 4, "num_layers": 1, "k": 6}
OVERRIDES = [override for override in SMALL if not override.startswith("encodings")]


def write_network(path, seed):
    torch.manual_seed(seed)
    save_network(OGEAug(5, **DESCRIPTION), DESCRIPTION, path)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return write_csv(tmp_path_factory.mktemp("data") / "table.csv")


def same_weights(one, other):
    mine, theirs = (load_model(folder).state_dict() for folder in (one, other))
    return mine.keys() == theirs.keys() and all(torch.equal(mine[n], theirs[n]) for n in mine)


def test_a_file_that_changed_meanwhile_is_not_taken(table, tmp_path):
    source = tmp_path / "own.safetensors"
    write_network(source, 0)
    encoding = f"encodings=[{{name: oge_pretrained, out_channels: 4, source: '{source}'}}]"
    config = load_config("default", [*OVERRIDES, encoding], {"data.path": str(table)})
    fit(config, tmp_path / "whole", progress=False)
    fit_interrupted(config, tmp_path / "parts", epoch=3)
    write_network(source, 1)
    resume(tmp_path / "parts", progress=False)
    assert same_weights(tmp_path / "whole", tmp_path / "parts")


def test_started_from_a_model_and_resumed(table, tmp_path):
    description = DESCRIPTION | {"out_channels": 5}
    encoding = f"encodings=[{{name: oge_pretrained, out_channels: 4, source: {description}}}]"
    config = load_config("default", [*OVERRIDES, encoding], {"data.path": str(table)})
    fit(config, tmp_path / "first", progress=False)
    again = {"data.path": str(table), "training.start_from": str(tmp_path / "first")}
    config = load_config("default", [o for o in OVERRIDES if o.startswith("training")], again)
    fit(config, tmp_path / "whole", progress=False)
    fit_interrupted(config, tmp_path / "parts", epoch=3)
    shutil.rmtree(tmp_path / "first")
    resume(tmp_path / "parts", progress=False)
    assert same_weights(tmp_path / "whole", tmp_path / "parts")
