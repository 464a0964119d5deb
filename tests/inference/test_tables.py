"""Rows and columns of the table of predictions."""

import tracemalloc

import pytest

from ogeaug import load_model
from ogeaug.data.molecule import smiles_to_data
from ogeaug.errors import UserError
from ogeaug.inference.predict import predict_table
from ogeaug.training.ensemble import fit_all
from ogeaug.training.fitting import fit
from tests.inference.rows import read
from tests.training.tiny import molecules, tiny_config, write_csv

AWKWARD = ["CCO", "", "not a smiles", "[Na+].[Cl-]", "C", "C1CC", "C" * 500, " CC "]


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
