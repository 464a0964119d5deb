"""A graph that fails loses its own row of predictions only."""

import csv
import time

import pytest
import torch

from ogeaug.inference.encode import encode_table
from ogeaug.inference.predict import predict_table
from ogeaug.model.graph_model import GraphModel
from ogeaug.tensors import memory
from ogeaug.tensors.compiled import path as compiled_path
from tests.inference.rows import read
from tests.training.tiny import write_csv


def test_one_graph_that_is_too_large_loses_no_other(run, tmp_path, monkeypatch):
    """As if the machine had 1 MiB: the chain's eigenvalues lie next to each other."""
    monkeypatch.setattr(memory, "memory_bytes", lambda: 2**20)
    monkeypatch.setattr(compiled_path, "KEEP_LAYERS", 0)
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO", "C" * 1200, "CC"])
    counts = predict_table(source, [run], tmp_path / "preds.csv", progress=False)
    assert counts == {"read": 3, "failed": 1}
    status = [row[-1] for row in read(tmp_path / "preds.csv")[1:]]
    assert status == ["ok", "too large: 1200 nodes need more memory than there is", "ok"]
    encode_table(source, tmp_path / "z.csv", model_path=run, pooling="sum", progress=False)
    assert [row[-1] for row in read(tmp_path / "z.csv")[1:]] == status


def fails_at(nodes, error):
    """A forward pass that fails for every batch with a graph of so many nodes."""
    forward = GraphModel.forward

    def fail(model, batch):
        if nodes in batch.ptr.diff().tolist():
            error()
        return forward(model, batch)

    return fail


def too_much():
    torch.empty(2**50)


def a_mistake():
    raise RuntimeError("a mistake")


@pytest.mark.parametrize(
    ("error", "note"),
    [
        (too_much, "too large: 4 nodes need more memory than there is"),
        (a_mistake, "failed: RuntimeError: a mistake"),
    ],
)
def test_only_the_culprit_of_a_group_is_marked(run, tmp_path, monkeypatch, error, note):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO", "CCCC", "CC", "x", "C"])
    predict_table(source, [run], tmp_path / "good.csv", progress=False)
    monkeypatch.setattr(GraphModel, "forward", fails_at(4, error))
    counts = predict_table(source, [run], tmp_path / "preds.csv", progress=False)
    assert counts == {"read": 5, "failed": 2}
    good, found = read(tmp_path / "good.csv"), read(tmp_path / "preds.csv")
    assert found[2] == ["CCCC", "", note]
    for i in (1, 3, 5):
        assert found[i][2] == "ok"
        assert float(found[i][1]) == pytest.approx(float(good[i][1]), rel=1e-4)


def test_graphs_beyond_the_limit_are_not_computed(run, tmp_path):
    """A chain of 12,000 atoms would hold up all others for minutes."""
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO", "C" * 12_000, "CCCC"])
    begun = time.process_time()
    predict_table(source, [run], tmp_path / "p.csv", progress=False)
    encode_table(source, tmp_path / "z.csv", model_path=run, pooling="sum", progress=False)
    assert time.process_time() - begun < 10
    note = "too large: 12,000 atoms, more than --max-atoms 2000; raise it to have them computed"
    for file in ("p.csv", "z.csv"):
        assert [row[-1] for row in read(tmp_path / file)[1:]] == ["ok", note, "ok"]
    predict_table(source, [run], tmp_path / "p.csv", max_atoms=3, progress=False)
    assert [row[-1][:3] for row in read(tmp_path / "p.csv")[1:]] == ["ok", "too", "too"]


def test_other_errors_are_not_hidden(run, tmp_path, monkeypatch):
    def fails(*_):
        raise RuntimeError("a mistake")

    monkeypatch.setattr(GraphModel, "forward", fails)
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO"])
    with pytest.raises(RuntimeError, match="a mistake"):
        predict_table(source, [run], tmp_path / "preds.csv", progress=False)


def test_a_long_cell_costs_its_own_row_only(run, tmp_path):
    """And no time: RDKit would need minutes for so many atoms."""
    rows = ["CCO,a", f"{'C' * 200_000},b", f"{'C' * 30_000},c", f"CC,{'d' * 200_000}"]
    source = write_csv(tmp_path / "new.csv", header="smiles,note", rows=rows)
    counts = predict_table(source, [run], tmp_path / "preds.csv", progress=False)
    assert counts == {"read": 4, "failed": 2}
    with (tmp_path / "preds.csv").open() as file:
        notes = [row["status"] for row in csv.DictReader(file)]
    assert notes[0] == notes[3] == "ok"
    assert notes[1] == "too long: 200,000 characters, more than graphs of --max-atoms 2000 have"
    assert notes[2].startswith("too large: 30,000 atoms")
