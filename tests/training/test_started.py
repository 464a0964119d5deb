"""A run goes on as it was started: an edited configuration is refused."""

import json
import shutil

import pytest

from ogeaug.errors import UserError
from ogeaug.training.ensemble import fit_all, resume_all
from ogeaug.training.fitting import fit, resume
from tests.training.tiny import tiny_config


def edit(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.fixture
def started(table, tmp_path):
    """A run that was interrupted."""
    fit(tiny_config(table, "training.epochs=1"), tmp_path / "r", progress=False)
    (tmp_path / "r" / "results.json").unlink()
    return tmp_path / "r"


def test_an_edited_configuration_is_refused(started):
    edit(started / "config.yaml", "epochs: 1", "epochs: 3")
    edit(started / "config.yaml", "out_channels: 4", "out_channels: 5")
    with pytest.raises(UserError) as refused:
        resume(started, progress=False)
    message = str(refused.value)
    assert "encodings.0.out_channels was 4, now 5; training.epochs was 1, now 3." in message
    assert f"ogeaug train --config {started / 'config.yaml'} --output-dir NEW" in message
    edit(started / "config.yaml", "epochs: 3", "epochs: 1")
    edit(started / "config.yaml", "out_channels: 5", "out_channels: 4")
    assert resume(started, progress=False).epochs == 1


def test_of_a_finished_run_too(table, tmp_path):
    fit(tiny_config(table, "training.epochs=1"), tmp_path / "r", progress=False)
    edit(tmp_path / "r" / "config.yaml", "epochs: 1", "epochs: 3")
    with pytest.raises(UserError, match=r"training.epochs was 1, now 3"):
        resume(tmp_path / "r", progress=False)


def test_comments_and_a_table_that_moved_are_no_change(started, table):
    shutil.move(table, started.parent / "moved.csv")
    edit(started / "config.yaml", "my.csv", "moved.csv  # there now")
    assert resume(started, progress=False).epochs == 1


def test_runs_of_before_resume_as_they_did(started):
    record = json.loads((started / "started.json").read_text())
    del record["config"]
    (started / "started.json").write_text(json.dumps(record))
    edit(started / "config.yaml", "epochs: 1", "epochs: 2")
    assert resume(started, progress=False).epochs == 2


def test_an_edited_plan_is_refused(table, tmp_path):
    members = fit_all(
        tiny_config(table, "training.epochs=1"), tmp_path / "r", ensemble_size=2, progress=False
    )
    next(members)
    members.close()  # interrupted
    edit(tmp_path / "r" / "plan.yaml", "lr: 0.001", "lr: 0.002")
    message = r"training.lr was 0.001, now 0.002.*--config .*plan.yaml --ensemble-size 2"
    with pytest.raises(UserError, match=message):
        list(resume_all(tmp_path / "r", progress=False))
    edit(tmp_path / "r" / "plan.yaml", "lr: 0.002", "lr: 0.001")
    assert len(list(resume_all(tmp_path / "r", progress=False))) == 2


@pytest.mark.parametrize("file", ["model.safetensors", "config.json"])
def test_a_finished_run_without_its_model_is_not_well(table, tmp_path, file):
    fit(tiny_config(table, "training.epochs=1"), tmp_path / "r", progress=False)
    (tmp_path / "r" / file).unlink()
    with pytest.raises(UserError, match=f"{file}: the model is not whole; copy it again"):
        resume(tmp_path / "r", progress=False)
