"""Targets whose differences are small beside their size: energies, dates, counts."""

import csv
import math

import pytest
import torch

from ogeaug import load_model
from ogeaug.data.molecule import smiles_to_data
from ogeaug.errors import UserError
from ogeaug.inference.predict import predict_table
from ogeaug.tasks import make_task
from ogeaug.tasks.heads import GraphHead, Scale
from ogeaug.training.fitting import fit
from ogeaug.training.given import take_parts
from ogeaug.training.prepare import prepare
from tests.training.tiny import molecules, tiny_config, write_csv


def shifted(path, offset, *, scale=1.0):
    smiles = molecules(32)
    rows = [f"{text},{offset + scale * len(text)!r}" for text in smiles]
    return write_csv(path, rows=rows)


def read(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def test_all_values_stay_different(tmp_path):
    path = write_csv(tmp_path / "t.csv", rows=[f"{'C' * (i + 1)},{1e9 + i}" for i in range(96)])
    prepared = prepare(tiny_config(path), progress=False)
    parts = prepared.parts
    y = torch.cat([data.y for data in (*parts.train, *parts.val, *parts.test)])
    assert len(y.unique()) == 96
    given = take_parts(prepared.config, parts).parts.train
    assert len(torch.cat([data.y for data in given]).unique()) == len(parts.train)


@pytest.mark.parametrize(("offset", "precision"), [(1e9, "32"), (-1e12, "32"), (1e9, "bf16")])
def test_trains_and_predicts_as_without_the_offset(tmp_path, offset, precision):
    option = f"training.precision='{precision}'"
    found = []
    for name, shift in (("near", 0.0), ("far", offset)):
        path = shifted(tmp_path / f"{name}.csv", shift)
        result = fit(
            tiny_config(path, option, "training.epochs=2", "head.pooling=sum"),
            tmp_path / name,
            progress=False,
        )
        predict_table(path, [tmp_path / name], tmp_path / f"{name}_p.csv", progress=False)
        predicted = [float(row["pred_y"]) - shift for row in read(tmp_path / f"{name}_p.csv")]
        test = read(tmp_path / name / "test_predictions.csv")
        errors = [float(row["pred_y"]) - float(row["y"]) for row in test]
        found.append((predicted, errors, result.metrics["test"]["rmse"]))
    (near, near_errors, near_rmse), (far, far_errors, far_rmse) = found
    assert max(near) - min(near) > 1
    assert far == pytest.approx(near, abs=0.05)
    assert far_errors == pytest.approx(near_errors, abs=0.05)
    assert far_rmse == pytest.approx(near_rmse, rel=0.01)
    assert far_rmse == pytest.approx(math.hypot(*far_errors) / len(far_errors) ** 0.5)


def test_a_model_keeps_its_scale_in_any_dtype(tmp_path):
    path = shifted(tmp_path / "t.csv", 1e9)
    fit(tiny_config(path, "training.epochs=1"), tmp_path / "run", progress=False)
    model, data = load_model(tmp_path / "run"), smiles_to_data("CCO")
    exact = model.head.scale.mean.clone()
    assert exact.item() != exact.float().item()
    plain = model(data)
    assert plain.dtype == torch.float64
    for change in ("double", "float", "cpu", "bfloat16"):
        assert torch.equal(getattr(model, change)().head.scale.mean, exact)
    model.float().save_pretrained(tmp_path / "copy")
    copied = load_model(tmp_path / "copy")
    assert torch.equal(copied.head.scale.mean, exact)
    # bfloat16 rounded the weights above, so a third one answers
    assert torch.equal(load_model(tmp_path / "run")(data), plain)


def test_float32_scales_of_old_files_load():
    old = {"mean": torch.tensor([0.1, 2.0]), "std": torch.tensor([1.5, 3.0])}
    scale = Scale(2)
    scale.load_state_dict(old)
    assert scale.mean.dtype == torch.float64
    assert torch.equal(scale.mean.float(), old["mean"])


def test_classes_have_no_scale():
    head = GraphHead(4, 1, standardized=False)
    out = head(torch.ones(3, 4), smiles_to_data("CCO"), torch.zeros(3, dtype=torch.long))
    assert out.dtype == torch.float32


def test_metrics_are_those_of_float64(tmp_path):
    task = tiny_config(tmp_path, "task.targets=[a, b]").task
    y = 1e9 + torch.arange(6, dtype=torch.float64).reshape(3, 2)
    found = make_task(task).metrics(y + torch.tensor([0.1, 0.3]), y)
    assert found["mae"] == pytest.approx(0.2, rel=1e-6)
    assert found["mae.a"] == pytest.approx(0.1, rel=1e-6)
    assert found["rmse"] == (found["rmse.a"] + found["rmse.b"]) / 2


def test_what_is_too_small_is_refused(tmp_path):
    """Squares of 1e-200 are 0: the scale of such targets was lost without a word."""
    path = shifted(tmp_path / "t.csv", 0.0, scale=1e-200)
    with pytest.raises(UserError, match=r"'y' varies by .*e-199 only in the training part"):
        prepare(tiny_config(path), progress=False)
    ordinary = prepare(tiny_config(shifted(tmp_path / "u.csv", 0.0)), progress=False)
    for data in ordinary.parts.train:
        data.y = data.y * 1e-200
    with pytest.raises(UserError, match="'y' varies by"):
        take_parts(ordinary.config, ordinary.parts)


def test_the_smallest_have_a_scale_and_metrics(tmp_path):
    path = shifted(tmp_path / "t.csv", 0.0, scale=1e-30)
    config = tiny_config(path, "training.epochs=1")
    result = fit(config, tmp_path / "run", progress=False)
    assert 0 < float(load_model(tmp_path / "run").head.scale.std) < 1e-27
    assert 0 < result.metrics["test"]["rmse"] < 1e-27
