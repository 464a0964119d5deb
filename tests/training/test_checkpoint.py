import errno
import os
import pickle

import pytest
import torch

from ogeaug.errors import UserError
from ogeaug.training.checkpoint import SafeCheckpointIO
from tests.test_model_file import Hostile

STATE = {
    "state_dict": {"a": torch.arange(3.0), "b": torch.tensor(1, dtype=torch.int64)},
    "optimizer_states": [{"state": {0: {"step": torch.tensor(2.0)}}, "betas": (0.9, 0.99)}],
    "epoch": 3,
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
    assert list(found) == list(STATE)


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
