"""What is predicted, and by which models."""

import shutil

import pytest

from ogeaug import load_model
from ogeaug.data.molecule import smiles_to_data
from ogeaug.errors import UserError
from ogeaug.inference.predict import predict_table
from ogeaug.training.fitting import fit
from tests.inference.rows import read
from tests.training.tiny import molecules, tiny_config, write_csv


def test_no_digit_is_lost(tmp_path):
    """Energies in Hartree: hundreds, of which the fourth digit after the point counts."""
    rows = [f"{smiles},{-400 - i / 1000}" for i, smiles in enumerate(molecules())]
    fit(tiny_config(write_csv(tmp_path / "u0.csv", rows=rows)), tmp_path / "run", progress=False)
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO"])
    predict_table(source, [tmp_path / "run"], tmp_path / "preds.csv", progress=False)
    exact = load_model(tmp_path / "run")(smiles_to_data("CCO")).item()
    assert float(read(tmp_path / "preds.csv")[1][1]) == pytest.approx(exact, rel=2e-7)


def test_ensembles_have_a_spread(run, table, tmp_path):
    other = fit(tiny_config(table, "training.seed=9"), tmp_path / "other", progress=False)
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO", "x"])
    predict_table(source, [run, other.folder], tmp_path / "p.csv", progress=False)
    header, good, bad = read(tmp_path / "p.csv")
    assert header == ["smiles", "pred_y", "spread_y", "status"]
    assert float(good[2]) > 0
    assert bad[1:3] == ["", ""]


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


def test_half_an_ensemble_is_refused(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["C"])
    shutil.copytree(run, tmp_path / "both" / "model_0")
    (tmp_path / "both" / "plan.json").write_text('{"folds": 1, "ensemble_size": 2}')
    with pytest.raises(UserError, match="has 1 of 2 models"):
        predict_table(source, [tmp_path / "both"], tmp_path / "p.csv", progress=False)
    shutil.copytree(run, tmp_path / "both" / "model_1")
    predict_table(source, [tmp_path / "both"], tmp_path / "p.csv", progress=False)
