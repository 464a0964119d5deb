"""Training in two processes gives what one process gives; a failing one ends all."""

import csv
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from ogeaug import load_model
from ogeaug.errors import TrainingStopped, UserError
from ogeaug.files.tensors import read_tensors
from ogeaug.training import processes
from ogeaug.training.batches import EpochOrder, check_enough, epoch_seed
from ogeaug.training.callbacks import SameData
from ogeaug.training.evaluation import predict_part
from ogeaug.training.fitting import fit, resume
from ogeaug.training.module import GraphModule
from ogeaug.training.prepare import Parts, prepare
from ogeaug.training.processes import Processes, launch
from tests.training.tiny import molecules, tiny_config, write_csv

# Layer norm: statistics of a batch are those of each process's share.
EXACT = ("backbone.norm=layer", "backbone.dropout=0", "training.permute=true")
OWN = (
    "task.targets=[a, b]",
    "training.accelerator=cpu",
    "training.patience=9",
    "training.noise=1e-5",
)


@pytest.fixture(scope="module")
def uneven(tmp_path_factory):
    """37 rows to train on (5 batches, the last of 5) and 5 to validate on, with missing labels."""
    rows = [f"{s},{len(s)},{len(s) ** 2 if i % 3 else ''}" for i, s in enumerate(molecules(47))]
    return write_csv(tmp_path_factory.mktemp("uneven") / "t.csv", header="smiles,a,b", rows=rows)


def several(table: Path, folder: Path) -> dict[str, float]:
    """What both processes do."""
    processes.PATIENCE = 0.0
    exact = fit(tiny_config(table, *OWN, *EXACT), folder / "exact", progress=False)
    config = tiny_config(table, *OWN)
    fit(config, folder / "whole", progress=False)
    step = GraphModule.training_step

    def interrupted(self, batch, index):
        if self.current_epoch == 2 and index == 1:
            raise RuntimeError("pulled the plug")
        return step(self, batch, index)

    GraphModule.training_step = interrupted
    with pytest.raises(RuntimeError, match="pulled the plug"):
        fit(config, folder / "parts", progress=False)
    GraphModule.training_step = step
    resume(folder / "parts", progress=False)
    return exact.metrics["val"]


def read(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def test_two_processes_train_as_one(uneven, tmp_path):
    alone = fit(tiny_config(uneven, *OWN, *EXACT), tmp_path / "alone", progress=False)
    shared = launch(2, several, uneven, tmp_path)
    assert shared == pytest.approx(alone.metrics["val"], rel=1e-3)
    columns = ("epoch", "lr", "train_loss", "val_loss", "val_rmse.b")
    pairs = zip(*(read(tmp_path / n / "metrics.csv") for n in ("alone", "exact")), strict=True)
    for one, other in pairs:
        for name in columns:
            assert float(other[name]) == pytest.approx(float(one[name]), rel=1e-3), name
    # Resumed to the same state, bit for bit.
    a, b = (
        read_tensors(tmp_path / name / "checkpoints" / "last.safetensors")[0]
        for name in ("whole", "parts")
    )
    assert a.keys() == b.keys()
    assert all(torch.equal(a[key], b[key]) for key in a)
    # The validation loss is that of the model in the folder on all graphs, each counted once.
    config = tiny_config(uneven, *OWN)
    prepared = prepare(config, progress=False)
    found, _ = predict_part(load_model(tmp_path / "whole"), prepared.config, prepared.parts.val)
    best = min(float(row["val_loss"]) for row in read(tmp_path / "whole" / "metrics.csv"))
    assert found["loss"] == pytest.approx(best, rel=1e-4)


def poisoned(table: Path, folder: Path) -> None:
    step = GraphModule.training_step

    def bad(self, batch, index):
        if self.global_rank == 1 and self.current_epoch == 1:
            batch.y[0] = float("inf")
        return step(self, batch, index)

    GraphModule.training_step = bad
    fit(tiny_config(table, *OWN), folder / "run", progress=False)


def test_a_failing_process_ends_all_and_says_why(uneven, tmp_path, capfd):
    begun = time.monotonic()
    with pytest.raises(UserError, match="process 1 of 2 failed"):
        launch(2, poisoned, uneven, tmp_path)
    assert time.monotonic() - begun < 600  # a lost partner alone is noticed after half an hour
    told = capfd.readouterr().err
    assert "the loss is inf in epoch 2, batch 1 (rows" in told
    assert "Traceback" not in told
    assert (tmp_path / "run" / "checkpoints" / "last.safetensors").exists()


def test_who_lost_its_partner_leaves_the_word_to_it(monkeypatch, capsys):
    def lost():
        raise RuntimeError("[pair.cc:534] Connection closed by peer [127.0.0.1]:4711")

    waited = []
    monkeypatch.setattr(processes.time, "sleep", waited.append)
    with pytest.raises(SystemExit, match="another process of the training has ended"):
        processes._call(lost)
    assert waited == [processes.WAIT]
    assert capsys.readouterr().err == ""


def test_shares_make_up_the_batches():
    def order(rank, count):
        sizes = [5] * 35
        return list(
            EpochOrder(sizes, 8, bucket=True, seed=lambda: 3, processes=Processes(rank, count))
        )

    shares = [order(0, 2), order(1, 2)]
    assert sorted(i for share in shares for batch in share for i in batch) == list(range(35))
    assert [len(share) for share in shares] == [4, 4]  # the last three join the batch before
    assert all(len(batch) >= 2 for share in shares for batch in share)


def test_processes_have_streams_of_their_own():
    assert len({epoch_seed(seed, 1, rank) for seed in (0, 1) for rank in (0, 1, 2)}) == 6
    assert epoch_seed(7, 3) == epoch_seed(7, 3, 0)


@pytest.mark.parametrize(("train", "val", "batch"), [(3, 2, 8), (9, 1, 8), (9, 2, 3)])
def test_too_few_graphs(train, val, batch):
    parts = Parts([None] * train, [None] * val)
    check_enough(parts, batch, Processes())
    with pytest.raises(UserError, match="use fewer processes"):
        check_enough(parts, batch, Processes(0, 2, 2))


def test_processes_that_read_different_data():
    trainer = SimpleNamespace(global_rank=1, strategy=SimpleNamespace(broadcast=lambda _: "theirs"))
    SameData("theirs").on_fit_start(trainer, None)
    with pytest.raises(TrainingStopped, match="process 1 has read other data than process 0"):
        SameData("ours").on_fit_start(trainer, None)


def test_no_gpu(uneven, tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UserError, match="--accelerator cpu"):
        fit(tiny_config(uneven, *OWN, "training.accelerator=gpu"), tmp_path / "r", progress=False)


def test_inside_torchrun_no_more_are_started(monkeypatch):
    for name, value in {"TORCHELASTIC_RUN_ID": "x", "RANK": "1", "WORLD_SIZE": "2"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "2")
    assert Processes.current() == Processes(1, 2, 2)
    with pytest.raises(UserError, match="has started some already"):
        launch(2, print)
