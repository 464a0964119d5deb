"""Bad input: nothing lost, nothing silent. Tables, targets and model files have tests of their own
beside their readers; here is what only shows when all parts work together."""

import csv
import errno
import gzip
import json
import math
import tempfile

import pytest
import torch

from ogeaug.errors import UserError
from ogeaug.inference.predict import predict_table
from ogeaug.model.graph_model import GraphModel
from ogeaug.training.fitting import fit, resume
from tests.training.tiny import molecules, tiny_config, write_csv


def train(path, folder, *overrides):
    return fit(tiny_config(path, "training.epochs=1", *overrides), folder, progress=False)


def test_bad_rows_are_listed_with_reasons(tmp_path):
    rows = [f"{smiles},{len(smiles)}" for smiles in molecules(30)]
    rows[3], rows[7], rows[9] = "not a smiles,3", ",2", "CCO,"
    path = write_csv(tmp_path / "t.csv", rows=rows)
    result = train(path, tmp_path / "r")
    assert result.rows["skipped"] == 3
    assert sum(result.rows[part] for part in ("train", "val", "test")) == 27
    with (tmp_path / "r" / "skipped.csv").open() as file:
        skipped = list(csv.DictReader(file))
    assert [row["row"] for row in skipped] == ["3", "7", "9"]
    assert [row["reason"].split(" ")[0] for row in skipped] == ["invalid", "empty", "no"]
    with (tmp_path / "r" / "split.csv").open() as file:
        assert not {"3", "7", "9"} & {row["row"] for row in csv.DictReader(file)}


def test_salts_single_atoms_and_large_molecules(tmp_path):
    odd = ["[Na+].[Cl-]", "C", "[He]", "C" * 500, "CC(=O)[O-].[K+]"]
    smiles = odd + molecules(20)
    path = write_csv(tmp_path / "t.csv", rows=[f"{s},{i}" for i, s in enumerate(smiles)])
    result = train(path, tmp_path / "r")
    assert result.rows["skipped"] == 0
    counts = predict_table(path, [tmp_path / "r"], tmp_path / "p.csv", progress=False)
    assert counts == {"read": 25, "failed": 0}


@pytest.mark.parametrize("spelling", ["excel", "gzip"])
def test_spellings_train_alike(tmp_path, table, spelling):
    text = table.read_text()
    if spelling == "excel":
        content = b"\xef\xbb\xbf" + text.replace(",", ";").replace("\n", "\r\n").encode()
    else:
        content = gzip.compress(text.encode())
    (tmp_path / "o.csv").write_bytes(content)
    plain, other = train(table, tmp_path / "a"), train(tmp_path / "o.csv", tmp_path / "b")
    assert plain.metrics == other.metrics


def test_no_header(tmp_path, table):
    lines = table.read_text().splitlines()[1:]
    (tmp_path / "n.csv").write_text("\n".join(lines))
    options = ("data.header=false", "data.column=column_1", "task.targets=[column_2]")
    assert train(tmp_path / "n.csv", tmp_path / "r", *options).rows["skipped"] == 0
    with pytest.raises(UserError, match="--no-header-row"):
        train(tmp_path / "n.csv", tmp_path / "q", "task.targets=[y]")


@pytest.mark.parametrize(
    ("header", "rows", "message"),
    [
        ("smiles,y", ["C,high"] * 9, "holds 'high' in row 1"),
        ("smiles,y", ["C,2"] * 9, "is 2 in all 7 training rows: there is nothing to learn"),
        ("smiles,y", ["C,"] * 9, "is empty in all 9 rows"),
        ("smiles,y,y", ["C,1,2"] * 9, "2 columns named 'y'"),
        ("smiles,y", ["?,1"] * 9, "none of the 9 rows of t.csv is usable; the first: invalid"),
        ("smiles,y", ["C,1", "CC,2"], "too few to split"),
        ("smiles,y", [], "has column names but no rows"),
        ("SMILES,y", ["C,1"] * 9, "no column 'smiles'; it has: SMILES, y. Name another one"),
        ("smiles,y", ["C,1", '"CC,2', *["C,3"] * 9], "begins in line 3 cannot be read"),
        ("smiles,y", ["C,1", '"CC,2', *["C,3"] * 9, 'C",4'], "line 3 goes on to line 13"),
        ("smiles,y", ["C,1e300"] * 9, "numbers below 1e\\+30 are expected"),
    ],
)
def test_tables_that_cannot_be_trained_on(tmp_path, header, rows, message):
    path = write_csv(tmp_path / "t.csv", header=header, rows=rows)
    with pytest.raises(UserError, match=message):
        train(path, tmp_path / "r", "task.targets=[y]")
    assert not (tmp_path / "r").exists()


def test_several_targets_must_be_named(tmp_path):
    path = write_csv(tmp_path / "t.csv", header="smiles,a,b", rows=["C,1,2"] * 9)
    with pytest.raises(UserError, match=r"column\(s\) of t.csv, like  --target-columns a,b  "):
        train(path, tmp_path / "r")


def test_several_targets_with_gaps(tmp_path):
    rows = [f"{s},{len(s)},{len(s) ** 2 if i % 3 else ''}" for i, s in enumerate(molecules(30))]
    path = write_csv(tmp_path / "t.csv", header="smiles,a,b", rows=rows)
    result = train(path, tmp_path / "r", "task.targets=[a, b]")
    assert {"rmse", "rmse.a", "rmse.b"} <= set(result.metrics["val"])


@pytest.mark.parametrize("rows", [3, 9])
def test_splits_smaller_than_a_batch(tmp_path, rows):
    smiles = ["C" * (i + 1) for i in range(rows)]
    path = write_csv(tmp_path / "t.csv", rows=[f"{s},{i}" for i, s in enumerate(smiles)])
    if rows == 3:
        with pytest.raises(UserError, match="nothing to learn"):
            train(path, tmp_path / "r")
    else:
        assert train(path, tmp_path / "r", "training.batch_size=64").rows["val"] == 1


def test_a_folder_that_holds_a_run(table, run, tmp_path):
    with pytest.raises(
        UserError, match=r"already holds a run; choose another --output-dir.*resume"
    ):
        train(table, run)


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.ENOSPC])
def test_a_folder_that_cannot_be_written(table, tmp_path, monkeypatch, code):
    def refuse(*args, **kwargs):
        raise OSError(code, "no")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(
        UserError, match=r"cannot write to .*choose another --output-dir or make room"
    ):
        train(table, tmp_path / "r")


def test_a_graph_beyond_the_limit_is_listed(tmp_path):
    rows = [*(f"{smiles},1{i}" for i, smiles in enumerate(molecules())), "C" * 12_000 + ",5"]
    result = train(write_csv(tmp_path / "my.csv", rows=rows), tmp_path / "r")
    assert result.rows["skipped"] == 1
    with (tmp_path / "r" / "skipped.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["row"] == str(len(molecules()))
    assert row["reason"].startswith("too large: 12,000 atoms, more than --max-atoms 2000")


@pytest.mark.parametrize("error", [MemoryError(), "real"], ids=["python", "torch"])
def test_a_batch_beyond_the_memory(table, tmp_path, monkeypatch, error):
    def too_much(*_):
        if isinstance(error, MemoryError):
            raise error
        torch.empty(2**50)

    with monkeypatch.context() as patch:
        patch.setattr(GraphModel, "forward", too_much)
        with pytest.raises(UserError, match=r"memory .* does not suffice.*--batch-size"):
            train(table, tmp_path / "r")
    train(table, tmp_path / "r")  # the folder is free


def test_a_folder_below_a_file(table):
    with pytest.raises(UserError, match="cannot write to"):
        train(table, table / "run")


def test_a_model_that_cannot_be_built_leaves_no_folder(table, tmp_path):
    with pytest.raises(UserError, match="leave no room"):
        train(table, tmp_path / "r", "encodings.0.out_channels=16")
    assert not (tmp_path / "r").exists()


def test_a_run_that_could_not_start_leaves_its_folder_free(table, tmp_path):
    differ = "encodings.1={name: oge_aug, out_channels: 4, normalization: sym}"
    both = ("encodings=[{name: oge_aug, out_channels: 4}, 0]", differ, "training.noise=1e-5")
    with pytest.raises(UserError, match="different Laplacians"):
        train(table, tmp_path / "r", *both)
    assert train(table, tmp_path / "r").epochs == 1


def test_damaged_checkpoint(table, tmp_path):
    train(table, tmp_path / "r")
    (tmp_path / "r" / "results.json").unlink()
    file = tmp_path / "r" / "checkpoints" / "last.safetensors"
    file.write_bytes(file.read_bytes()[:-7])
    with pytest.raises(UserError, match="no complete safetensors file"):
        resume(tmp_path / "r", progress=False)


def test_results_hold_no_nan(tmp_path):
    rows = [f"{s},{i % 2}" for i, s in enumerate(molecules(9))]
    path = write_csv(tmp_path / "t.csv", rows=rows)
    train(path, tmp_path / "r", "task.type=classification")
    text = (tmp_path / "r" / "results.json").read_text()
    assert "NaN" not in text
    assert json.loads(text)["result"]["metrics"]["val"]["auroc"] is None
    assert math.isnan(resume(tmp_path / "r").metrics["val"]["auroc"])
