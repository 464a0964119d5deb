"""Generated data sets are trained like any other: ogeaug train --config cluster."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from ogeaug.cli.main import app
from ogeaug.errors import UserError
from ogeaug.model.file import load_model
from ogeaug.training import resume
from tests.inference.rows import read

SMALL = [
    *("data.limit=4", "training.epochs=2", "training.batch_size=4", "training.tensorboard=false"),
    *("backbone.layers=1", "backbone.channels=24"),
    *("encodings.0.hidden_channels=4", "encodings.0.num_layers=1", "encodings.0.k=4"),
]


NAMES = ["model_0", "model_1", "."]


def train(*arguments):
    return CliRunner().invoke(app, ["train", *map(str, arguments), "--quiet"])


def results(folder):
    return json.loads((folder / "results.json").read_text())["result"]


@pytest.mark.parametrize("name", ["pattern", "cluster"])
def test_trains_and_resumes(tmp_path, name):
    sets = [f"--set={override}" for override in SMALL]
    done = train("--config", name, *sets, "-o", tmp_path / "a")
    assert done.exit_code == 0, done.output
    found = results(tmp_path / "a")
    assert found["rows"] == {"train": 4, "val": 1, "test": 1, "skipped": 0}
    assert "accuracy" in found["metrics"]["test"]
    assert found["stand_in"] in done.output.replace("\n", " ")
    assert "generated" in found["stand_in"]
    assert load_model(tmp_path / "a").config.features.kind == "own"
    # Again from the first epoch, in a folder that was interrupted, to the same end.
    (tmp_path / "a" / "results.json").unlink()
    (tmp_path / "a" / "checkpoints" / "last.safetensors").unlink()
    done = train("--resume", tmp_path / "a")
    assert done.exit_code == 0, done.output
    assert results(tmp_path / "a")["metrics"] == found["metrics"]
    # And from the configuration that it wrote.
    done = train("--config", tmp_path / "a" / "config.yaml", "-o", tmp_path / "b")
    assert done.exit_code == 0, done.output
    assert results(tmp_path / "b")["metrics"] == found["metrics"]
    # Other graphs are noticed.
    (tmp_path / "a" / "results.json").unlink()
    started = json.loads((tmp_path / "a" / "started.json").read_text())
    started["checksum"] = started["checksum"].replace("seed 0", "seed 1")
    (tmp_path / "a" / "started.json").write_text(json.dumps(started))
    with pytest.raises(UserError, match="has changed since it was started"):
        resume(tmp_path / "a", progress=False)


def test_an_ensemble(tmp_path):
    sets = [f"--set={override}" for override in SMALL]
    done = train("--config=cluster", *sets, "--ensemble-size=2", "-o", tmp_path / "a")
    assert done.exit_code == 0, done.output
    one, two = (tmp_path / "a" / f"model_{i}" / "started.json" for i in range(2))
    assert json.loads(one.read_text())["checksum"] == json.loads(two.read_text())["checksum"]
    # A line per node: the members' probabilities, and their mean beside the models.
    tables = [read(tmp_path / "a" / place / "test_predictions.csv") for place in NAMES]
    heads = [table[0] for table in tables]
    classes = [f"pred_class={c}" for c in range(6)]
    assert heads[0] == heads[1] == ["graph", "node", "class", *classes]
    assert [name for name in heads[2] if "spread" not in name] == heads[0]
    first, second, mean = (np.array(table[1:], dtype=float) for table in tables)
    assert np.allclose(first[:, 3:].sum(1), 1)
    assert np.allclose((first[:, 3:] + second[:, 3:]) / 2, mean[:, 3::2])
    found = json.loads((tmp_path / "a" / "results.json").read_text())
    assert found["rows"] == {"test": 1}
    right = mean[:, 3::2].argmax(1) == mean[:, 2]
    assert found["metrics"]["ensemble"]["test"]["plain_accuracy"] == pytest.approx(right.mean())
