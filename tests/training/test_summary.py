"""Several models as one: what an ensemble and folds give together."""

import csv
import json
import statistics

import pytest
import torch

from ogeaug.errors import UserError
from ogeaug.inference.predict import predict_table
from ogeaug.training.ensemble import fit_all, resume_all
from ogeaug.training.fitting import resume
from tests.training.tiny import molecules, tiny_config, write_csv


def read(path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def test_an_ensemble_has_metrics_of_its_own(table, tmp_path):
    config = tiny_config(table, "training.epochs=1")
    members = fit_all(config, tmp_path / "r", ensemble_size=3, progress=False)
    next(members)
    assert not (tmp_path / "r" / "results.json").exists()  # not before all are finished
    list(members)
    predict_table(table, [tmp_path / "r"], tmp_path / "p.csv", progress=False)
    predicted = read(tmp_path / "p.csv")
    tested = read(tmp_path / "r" / "test_predictions.csv")
    assert len(tested) == 4
    for row in tested:
        for key in ("pred_y", "spread_y"):
            same = float(predicted[int(row["row"])][key])
            assert float(row[key]) == pytest.approx(same, rel=1e-3)
    error = torch.tensor([float(row["pred_y"]) - float(row["y"]) for row in tested])
    record = json.loads((tmp_path / "r" / "results.json").read_text())
    assert record["metrics"]["ensemble"]["test"]["mae"] == pytest.approx(float(error.abs().mean()))
    assert record["models"] == 3
    assert record["rows"] == {"test": 4}
    with pytest.raises(UserError, match="holds several runs"):
        resume(tmp_path / "r", progress=False)
    file = tmp_path / "r" / "model_1" / "test_predictions.csv"
    for text in (
        "row,y\n1,2\n",
        "row,y,pred_y\n1,2,x\n",
        "row,y,pred_y\n1,2,3\n",
        "row,y,pred_y\n1",
    ):
        file.write_text(text)
        with pytest.raises(UserError, match=r"test_predictions.csv is damaged"):
            list(resume_all(tmp_path / "r", progress=False))
    (tmp_path / "r" / "model_1" / "results.json").unlink()
    list(resume_all(tmp_path / "r", progress=False))
    assert json.loads((tmp_path / "r" / "results.json").read_text()) == record


def test_folds_have_mean_and_deviation(table, tmp_path):
    config = tiny_config(table, "training.epochs=1", "split.num_folds=3")
    results = list(fit_all(config, tmp_path / "r", progress=False))
    record = json.loads((tmp_path / "r" / "results.json").read_text())
    for part in ("val", "test"):
        values = [result.metrics[part]["rmse"] for result in results]
        assert record["metrics"]["mean"][part]["rmse"] == pytest.approx(statistics.fmean(values))
        assert record["metrics"]["std"][part]["rmse"] == pytest.approx(statistics.stdev(values))
    assert record["rows"] == {"val": 40, "test": 40}


def test_mean_probabilities_of_classes_and_old_members(tmp_path):
    """Members of version 0.1.0 wrote logits; the ensemble is the same."""
    rows = [f"{s},{i % 2}" for i, s in enumerate(molecules())]
    path = write_csv(tmp_path / "c.csv", rows=rows)
    config = tiny_config(path, "task.type=classification", "training.epochs=1")
    list(fit_all(config, tmp_path / "r", ensemble_size=2, progress=False))
    together = (tmp_path / "r" / "results.json").read_text()
    figures = json.loads(together)["metrics"]["ensemble"]["test"]
    each = [read(tmp_path / "r" / f"model_{i}" / "test_predictions.csv") for i in range(2)]
    hits = [
        ((float(a["pred_y"]) + float(b["pred_y"])) / 2 > 0.5) == (float(a["y"]) > 0.5)
        for a, b in zip(*each, strict=True)
    ]
    assert figures["accuracy"] == pytest.approx(sum(hits) / len(hits))
    old = tmp_path / "r" / "model_0"
    record = json.loads((old / "results.json").read_text())
    del record["format"]
    (old / "results.json").write_text(json.dumps(record))
    lines = ["row,y,pred_y"]
    for row in each[0]:
        logit = torch.tensor(float(row["pred_y"]), dtype=torch.float64).logit()
        lines.append(f"{row['row']},{row['y']},{float(logit)}")
    (old / "test_predictions.csv").write_text("\n".join(lines))
    list(resume_all(tmp_path / "r", progress=False))
    again = json.loads((tmp_path / "r" / "results.json").read_text())
    assert again["metrics"]["ensemble"]["test"] == pytest.approx(figures, nan_ok=True)


def test_without_a_test_part_there_is_nothing_to_say(table, tmp_path):
    config = tiny_config(table, "training.epochs=1", "split.sizes=[0.8, 0.2, 0.0]")
    assert len(list(fit_all(config, tmp_path / "r", ensemble_size=2, progress=False))) == 2
    assert not (tmp_path / "r" / "results.json").exists()
