import csv
import gzip
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import tracemalloc

import pyarrow.parquet
import pytest
import torch

from ogeaug import load_model
from ogeaug.data.molecule import smiles_to_data
from ogeaug.errors import UserError
from ogeaug.inference.encode import encode_table
from ogeaug.inference.predict import predict_table
from ogeaug.model.graph_model import GraphModel
from ogeaug.tensors import memory
from ogeaug.tensors.compiled import path as compiled_path
from ogeaug.training.ensemble import fit_all
from ogeaug.training.fitting import fit
from tests.training.tiny import molecules, tiny_config, write_csv

AWKWARD = ["CCO", "", "not a smiles", "[Na+].[Cl-]", "C", "C1CC", "C" * 500, " CC "]


def read(path):
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return list(csv.reader(text.splitlines()))


def test_rows_out_are_rows_in(run, tmp_path):
    lines = [f"{i},{smiles},note {i}" for i, smiles in enumerate(AWKWARD)]
    source = write_csv(tmp_path / "new.csv", header="id,smiles,note", rows=lines)
    counts = predict_table(source, [run], tmp_path / "preds.csv", progress=False)
    assert counts == {"read": 8, "failed": 3}
    header, *rows = read(tmp_path / "preds.csv")
    assert header == ["id", "smiles", "note", "pred_y", "status"]
    assert [row[:3] for row in rows] == [line.split(",") for line in lines]
    for row in rows:
        bad = row[1] in ("", "not a smiles", "C1CC")
        assert (row[3] == "") == bad
        assert (row[4] == "ok") != bad
    exact = load_model(run)(smiles_to_data("CCO")).item()
    assert float(rows[0][3]) == pytest.approx(exact, rel=1e-4)


def test_terminated(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["C" * 300] * 20_000)
    out = tmp_path / "out"
    options = ["--test-path", source, "--model-paths", run, "--preds-path", out / "preds.csv"]
    command = [sys.executable, "-m", "ogeaug.cli", "predict", *map(str, options)]
    process = subprocess.Popen(command)
    deadline = time.monotonic() + 120
    while not (out.exists() and list(out.iterdir())):
        assert process.poll() is None, "prediction ended by itself"
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    assert process.wait() == 128 + signal.SIGTERM
    assert list(out.iterdir()) == []


def test_the_table_alone_goes_to_the_standard_output(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO", "bad"])
    options = ["--test-path", source, "--model-paths", run, "--preds-path", "/dev/stdout"]
    command = [sys.executable, "-m", "ogeaug.cli", "predict", *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    header, good, bad = csv.reader(done.stdout.splitlines())
    assert header == ["smiles", "pred_y", "status"]
    assert (good[0], good[2], bad[:2]) == ("CCO", "ok", ["bad", ""])
    assert "2 rows in /dev/stdout" in done.stderr


@pytest.mark.parametrize("name", ["p.csv", "p.csv.gz", "z.csv", "z.parquet"])
def test_a_named_pipe(run, tmp_path, name):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO"])
    (tmp_path / "pipe").mkdir()
    pipe, copy = tmp_path / "pipe" / name, tmp_path / name
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: copy.write_bytes(pipe.read_bytes()))
    reader.start()
    if name.startswith("p"):
        predict_table(source, [run], pipe, progress=False)
    else:
        encode_table(source, pipe, model_path=run, progress=False)
    reader.join()
    assert pipe.is_fifo()
    if name == "z.parquet":
        assert pyarrow.parquet.read_table(copy).num_rows == 3
    else:
        assert len(read(copy)) == (2 if name.startswith("p") else 4)


def test_no_digit_is_lost(tmp_path):
    """Energies in Hartree: hundreds, of which the fourth digit after the point counts."""
    rows = [f"{smiles},{-400 - i / 1000}" for i, smiles in enumerate(molecules())]
    fit(tiny_config(write_csv(tmp_path / "u0.csv", rows=rows)), tmp_path / "run", progress=False)
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO"])
    predict_table(source, [tmp_path / "run"], tmp_path / "preds.csv", progress=False)
    exact = load_model(tmp_path / "run")(smiles_to_data("CCO")).item()
    assert float(read(tmp_path / "preds.csv")[1][1]) == pytest.approx(exact, rel=2e-7)


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


def test_chunks_do_not_matter(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=AWKWARD * 3)
    found = []
    for chunk in (1, 5, 1000):
        predict_table(source, [run], tmp_path / "p.csv.gz", chunk=chunk, progress=False)
        found.append(read(tmp_path / "p.csv.gz"))
    assert found[0][0] == found[1][0] == found[2][0]
    for rows in zip(*found, strict=True):
        assert len({row[0] for row in rows}) == 1
        values = [float(row[1]) for row in rows if row[2] == "ok"][:3]
        if values and rows[0] is not found[0][0]:
            assert values == pytest.approx([values[0]] * len(values), rel=1e-3)


def test_memory_stays_flat(run, tmp_path):
    peaks = []
    for count in (300, 1500):
        source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO"] * count)
        tracemalloc.start()
        predict_table(source, [run], tmp_path / "p.csv", chunk=100, progress=False)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0] + 50_000


def test_ensembles_have_a_spread(run, table, tmp_path):
    other = fit(tiny_config(table, "training.seed=9"), tmp_path / "other", progress=False)
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO", "x"])
    predict_table(source, [run, other.folder], tmp_path / "p.csv", progress=False)
    header, good, bad = read(tmp_path / "p.csv")
    assert header == ["smiles", "pred_y", "spread_y", "status"]
    assert float(good[2]) > 0
    assert bad[1:3] == ["", ""]


def test_existing_columns_are_kept(run, tmp_path):
    source = write_csv(tmp_path / "n.csv", header="smiles,pred_y,status", rows=["C,7,old"])
    predict_table(source, [run], tmp_path / "p.csv", progress=False)
    header, row = read(tmp_path / "p.csv")
    assert header == ["smiles", "pred_y", "status", "pred_y_", "status_"]
    assert row[:3] == ["C", "7", "old"]


def test_new_columns_collide_with_nothing(tmp_path):
    rows = [f"{smiles},{len(smiles)},{-i}" for i, smiles in enumerate(molecules())]
    path = write_csv(tmp_path / "t.csv", header="smiles,y,y_", rows=rows)
    config = tiny_config(path, "training.epochs=1", "task.targets=[y, y_]")
    fit(config, tmp_path / "run", progress=False)
    source = write_csv(tmp_path / "n.csv", header="smiles,pred_y,status", rows=["C,7,old"])
    predict_table(source, [tmp_path / "run"], tmp_path / "p.csv", progress=False)
    header, _ = read(tmp_path / "p.csv")
    assert header == ["smiles", "pred_y", "status", "pred_y__", "pred_y_", "status_"]


def test_targets_named_as_columns_of_ours(tmp_path):
    rows = [f"{smiles},{len(smiles)},{-i},{i}" for i, smiles in enumerate(molecules())]
    path = write_csv(tmp_path / "t.csv", header="smiles,y,pred_y,row", rows=rows)
    config = tiny_config(path, "training.epochs=1", "task.targets=[y, pred_y, row]")
    list(fit_all(config, tmp_path / "run", ensemble_size=2, progress=False))
    for folder in (tmp_path / "run", tmp_path / "run" / "model_1"):
        header, *lines = read(folder / "test_predictions.csv")
        assert len(set(header)) == len(header)
        assert header[:4] == ["row", "y", "pred_y", "row_"]
        assert [float(line[1]) for line in lines] == [
            len(molecules()[-int(float(line[2]))]) for line in lines
        ]


def test_blank_rows_of_one_column_stay(run, tmp_path):
    (tmp_path / "n.csv").write_text("smiles\nCCO\n\nCC\n")
    counts = predict_table(tmp_path / "n.csv", [run], tmp_path / "p.csv", progress=False)
    assert counts == {"read": 3, "failed": 1}
    rows = read(tmp_path / "p.csv")[1:]
    assert [(row[0], row[-1]) for row in rows] == [
        ("CCO", "ok"),
        ("", "empty SMILES"),
        ("CC", "ok"),
    ]


def test_an_open_quote_loses_no_row(run, tmp_path):
    rows = ["C,1"] * 120
    rows[49], rows[80] = '"CC,2', 'C",3'
    source = write_csv(tmp_path / "n.csv", rows=rows)
    with pytest.raises(UserError, match="line 51 goes on to line 82: its column 'smiles'"):
        predict_table(source, [run], tmp_path / "p.csv", progress=False)
    assert not (tmp_path / "p.csv").exists()


def test_nothing_of_a_cell_is_ignored(run, tmp_path):
    texts = ["CC", "CC O", "CC\uff2f", "CC\u2026", "CC |$a;b$|", "CC ethane", " CC "]
    source = write_csv(tmp_path / "n.csv", header="smiles,n", rows=[f"{t},1" for t in texts])
    predict_table(source, [run], tmp_path / "p.csv", progress=False)
    status = [row[-1] for row in read(tmp_path / "p.csv")[1:]]
    assert [note == "ok" for note in status] == [True, *[False] * 5, True]


def test_without_header(run, tmp_path):
    (tmp_path / "n.csv").write_text("CCO\nCC\n")
    predict_table(
        tmp_path / "n.csv",
        [run],
        tmp_path / "p.csv",
        column="column_1",
        header=False,
        progress=False,
    )
    assert len(read(tmp_path / "p.csv")) == 3


def test_probabilities(tmp_path):
    rows = [f"{'C' * (i + 1)},{i % 2}" for i in range(20)]
    path = write_csv(tmp_path / "c.csv", rows=rows)
    fit(tiny_config(path, "task.type=classification"), tmp_path / "r", progress=False)
    predict_table(path, [tmp_path / "r"], tmp_path / "p.csv", progress=False)
    assert all(0 < float(row[2]) < 1 for row in read(tmp_path / "p.csv")[1:])


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("", r"no trained model.*--resume"),
        ("missing/run", r"there is no folder .*missing/run; name"),
        ("my.csv", r"my\.csv is a file; name the folder"),
    ],
)
def test_no_model(tmp_path, table, target, message):
    with pytest.raises(UserError, match=message):
        predict_table("n.csv", [tmp_path / target], tmp_path / "p.csv", progress=False)


def test_models_of_different_targets(run, tmp_path):
    path = write_csv(tmp_path / "o.csv", header="smiles,other")
    fit(tiny_config(path, "training.epochs=1"), tmp_path / "r", progress=False)
    with pytest.raises(UserError, match="no ensemble"):
        predict_table(path, [run, tmp_path / "r"], tmp_path / "p.csv", progress=False)


def test_the_input_is_never_overwritten(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["C"])
    with pytest.raises(UserError, match="is the input"):
        predict_table(source, [run], source, progress=False)


def test_half_an_ensemble_is_refused(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["C"])
    shutil.copytree(run, tmp_path / "both" / "model_0")
    (tmp_path / "both" / "plan.json").write_text('{"folds": 1, "ensemble_size": 2}')
    with pytest.raises(UserError, match="has 1 of 2 models"):
        predict_table(source, [tmp_path / "both"], tmp_path / "p.csv", progress=False)
    shutil.copytree(run, tmp_path / "both" / "model_1")
    predict_table(source, [tmp_path / "both"], tmp_path / "p.csv", progress=False)


def test_the_output_is_a_file(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["C"])
    with pytest.raises(UserError, match=r"written as CSV; name --preds-path p.csv"):
        predict_table(source, [run], tmp_path / "p.parquet", progress=False)
    with pytest.raises(UserError, match=r"is a folder; name a file"):
        predict_table(source, [run], tmp_path, progress=False)
    with pytest.raises(UserError, match=r"is a folder; expected a CSV file"):
        predict_table(tmp_path, [run], tmp_path / "p.csv", progress=False)


def test_nothing_half_written(run, tmp_path):
    (tmp_path / "n.csv").write_bytes(b"smiles\nCCO\n\xff\xfe\n")
    with pytest.raises(UserError, match="UTF-8"):
        predict_table(tmp_path / "n.csv", [run], tmp_path / "p.csv", chunk=1, progress=False)
    assert [p.name for p in tmp_path.iterdir()] == ["n.csv"]


def test_output_below_a_file(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["C"])
    with pytest.raises(UserError, match="cannot write"):
        predict_table(source, [run], source / "p.csv", progress=False)


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


@pytest.mark.parametrize("name", ["model.safetensors", "split.csv", "checkpoints/a.csv"])
def test_files_of_the_model_are_no_output(run, tmp_path, name):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO"])
    with pytest.raises(UserError, match=r"is a file of the model in .*run"):
        predict_table(source, [run], run / name, progress=False)
    (tmp_path / "link.csv").symlink_to(run / name)
    with pytest.raises(UserError, match=r"is a file of the model in .*run"):
        encode_table(source, tmp_path / "link.csv", model_path=run, progress=False)
