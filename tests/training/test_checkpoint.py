import errno
import json
import os
import pickle

import pytest
import torch

from ogeaug.errors import UserError
from ogeaug.files.tensors import write_tensors
from ogeaug.training.checkpoint import SafeCheckpointIO
from ogeaug.training.fitting import fit, resume
from tests.model.test_file import Hostile
from tests.training.tiny import tiny_config

STATE = {
    "state_dict": {"a": torch.arange(3.0), "b": torch.tensor(1, dtype=torch.int64)},
    "optimizer_states": [{"state": {0: {"step": torch.tensor(2.0)}}, "betas": (0.9, 0.99)}],
    "lr_schedulers": [{"last_epoch": 6}],
    "loops": {"fit_loop": {}},
    "callbacks": {},
    "epoch": 3,
    "global_step": 6,
    "best": float("inf"),
    "none": None,
    "empty": [],
}


def test_round_trip(tmp_path):
    io = SafeCheckpointIO()
    io.save_checkpoint(STATE, tmp_path / "a" / "last.safetensors")
    found = io.load_checkpoint(tmp_path / "a" / "last.safetensors")
    assert found["optimizer_states"][0]["betas"] == (0.9, 0.99)
    assert found["optimizer_states"][0]["state"][0]["step"] == 2
    assert torch.equal(found["state_dict"]["a"], STATE["state_dict"]["a"])
    assert found["best"] == float("inf")
    assert list(found) == [*STATE, "ogeaug_run"]


def test_objects_are_refused(tmp_path):
    with pytest.raises(TypeError, match="plain values only"):
        SafeCheckpointIO().save_checkpoint({"x": object()}, tmp_path / "x.safetensors")


def test_hostile_checkpoint_runs_nothing(tmp_path):
    (tmp_path / "x.safetensors").write_bytes(pickle.dumps(Hostile()))
    with pytest.raises(UserError, match="no complete safetensors"):
        SafeCheckpointIO().load_checkpoint(tmp_path / "x.safetensors")


def test_full_disk_keeps_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "last.safetensors"
    io = SafeCheckpointIO()
    io.save_checkpoint(STATE, file)

    def full(fd):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        io.save_checkpoint(STATE | {"epoch": 4}, file)
    monkeypatch.undo()
    assert io.load_checkpoint(file)["epoch"] == 3
    assert [p.name for p in tmp_path.iterdir()] == ["last.safetensors"]


def test_a_checkpoint_of_another_run(tmp_path):
    file = tmp_path / "last.safetensors"
    SafeCheckpointIO("mine").save_checkpoint(STATE, file)
    assert SafeCheckpointIO("mine").load_checkpoint(file)["epoch"] == 3
    assert SafeCheckpointIO().load_checkpoint(file)["epoch"] == 3  # a run of version 0.1.0
    with pytest.raises(UserError, match=r"last\.safetensors is a checkpoint of another run; "):
        SafeCheckpointIO("other").load_checkpoint(file)
    SafeCheckpointIO().save_checkpoint(STATE, file)
    with pytest.raises(UserError, match="of another run"):
        SafeCheckpointIO("mine").load_checkpoint(file)


@pytest.mark.parametrize(
    "record",
    [
        None,
        3,
        [],
        ["dict"],
        ["dict", 3],
        ["dict", []],
        ["dict", [[[], 1]]],
        ["dict", [["state_dict", 3]]],
        ["tensor", "absent"],
        ["list", []],
        ["other", []],
    ],
    ids=str,
)
def test_a_foreign_record_with_a_right_checksum(tmp_path, record):
    write_tensors(tmp_path / "x.safetensors", {"a": torch.zeros(2)}, record)
    with pytest.raises(UserError, match=r"x\.safetensors is no checkpoint of a training.*delete"):
        SafeCheckpointIO().load_checkpoint(tmp_path / "x.safetensors")


def test_resuming_with_the_checkpoint_of_another_run(table, tmp_path):
    """With the same shapes, or others; with a name, or of version 0.1.0."""
    options = {"a": [], "b": ["training.seed=1"], "c": ["backbone.layers=1"]}
    for name, more in options.items():
        config = tiny_config(table, "training.epochs=1", *more)
        fit(config, tmp_path / name, progress=False)
        (tmp_path / name / "results.json").unlink()
    files = {n: tmp_path / n / "checkpoints" / "last.safetensors" for n in options}
    kept = {name: file.read_bytes() for name, file in files.items()}
    for other in ("b", "c"):
        files["a"].write_bytes(kept[other])
        with pytest.raises(UserError, match="is a checkpoint of another run"):
            resume(tmp_path / "a", progress=False)
    record = json.loads((tmp_path / "a" / "started.json").read_text())
    (tmp_path / "a" / "started.json").write_text(json.dumps({"checksum": record["checksum"]}))
    with pytest.raises(UserError, match=r"the checkpoint is of another model: \d+ tensors differ"):
        resume(tmp_path / "a", progress=False)
    files["a"].write_bytes(kept["a"])
    assert resume(tmp_path / "a", progress=False).epochs == 1
