"""What a run draws: learning curves, and predictions with the spread over models."""

import csv
import math

import pytest

from ogeaug.errors import UserError
from ogeaug.model.config import TaskConfig
from ogeaug.training import fit
from ogeaug.training.ensemble import fit_all
from ogeaug.training.pictures import draw_learning, draw_parity, draw_run, read_points
from ogeaug.training.result import FitResult
from ogeaug.training.run_folder import is_own
from tests.pictures.overlap import misplaced
from tests.training.tiny import molecules, tiny_config, write_csv


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return write_csv(tmp_path_factory.mktemp("table") / "a.csv")


def test_a_run(table, tmp_path):
    result = fit(tiny_config(table, "task.units={y: characters}"), tmp_path / "run", progress=False)
    drawn = draw_run([result])
    assert [file.name for file in drawn] == ["curves.png", "parity.png"]
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in drawn)
    assert all(is_own(tmp_path / "run", file) for file in drawn)
    figure = draw_learning(result)
    assert misplaced(figure) == []
    loss, metric = figure.axes
    assert [len(line.get_xdata()) for line in loss.lines] == [4, 4, 2]
    assert metric.get_ylabel() == "rmse"
    assert metric.lines[-1].get_xdata()[0] == result.best_epoch
    task = TaskConfig(targets=["y"], units={"y": "characters"})
    figure = draw_parity(read_points(tmp_path / "run/test_predictions.csv", task))
    assert figure.axes[0].get_xlabel() == "true, characters"
    assert misplaced(figure) == []


def test_an_ensemble_shows_its_spread(table, tmp_path):
    results = list(fit_all(tiny_config(table), tmp_path / "run", ensemble_size=2, progress=False))
    drawn = {str(file.relative_to(tmp_path / "run")) for file in draw_run(results)}
    members = {f"model_{i}/{name}.png" for i in (0, 1) for name in ("curves", "parity")}
    assert drawn == {"parity.png"} | members
    (points,) = read_points(tmp_path / "run/test_predictions.csv", TaskConfig(targets=["y"]))
    with (tmp_path / "run/test_predictions.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert points.true == [float(row["y"]) for row in rows]
    assert points.predicted == [float(row["pred_y"]) for row in rows]
    assert points.spread == [float(row["spread_y"]) for row in rows]
    assert "2 deviations" in draw_parity([points]).axes[0].get_ylabel()


def test_classes_have_no_parity_plot(tmp_path):
    rows = [f"{'C' * (i + 1)}{'O' * (i % 2)},{i % 2}" for i in range(20)]
    table = write_csv(tmp_path / "a.csv", rows=rows)
    config = tiny_config(table, "task.type=classification", "training.epochs=1")
    (drawn,) = draw_run([fit(config, tmp_path / "run", progress=False)])
    assert drawn.name == "curves.png"


def test_labels_that_are_missing_are_left_out(tmp_path):
    (tmp_path / "p.csv").write_text("row,a,b,pred_a,pred_b\n0,1,nan,2,3\n1,4,nan,5,6\n")
    a, b = read_points(tmp_path / "p.csv", TaskConfig(targets=["a", "b"]))
    assert (a.true, a.predicted, a.spread) == ([1, 4], [2, 5], [0, 0])
    assert b.true == b.predicted == []
    assert len(draw_parity([a, b]).axes) == 2


def test_curves_of_undefined_metrics(tmp_path):
    """Nothing finite to scale an axis by."""
    (tmp_path / "metrics.csv").write_text("epoch,train_loss,val_loss,val_auroc\n1,nan,0.5,nan\n")
    result = FitResult(str(tmp_path), 1, 1, 1, {}, {}, 0.0, {}, main="auroc")
    assert [math.isfinite(y) for y in draw_learning(result).axes[1].lines[0].get_ydata()] == [False]


def test_names_are_no_formulas(tmp_path):
    rows = [f"{s},{len(s)}" for s in molecules(20)]
    table = write_csv(tmp_path / "a.csv", header="smiles,$y_{$", rows=rows)
    config = tiny_config(table, "task.targets=['$y_{$']", "task.units={'$y_{$': '$\\frac{$'}")
    result = fit(config, tmp_path / "run", progress=False)
    assert [file.name for file in draw_run([result])] == ["curves.png", "parity.png"]


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "epoch,train_loss\n1\n"])
def test_a_damaged_table_of_epochs(table, tmp_path, text):
    result = fit(tiny_config(table), tmp_path / "run", progress=False)
    (tmp_path / "run/metrics.csv").write_text(text)
    with pytest.raises(UserError, match=r"metrics.csv is damaged .*train anew"):
        draw_run([result])
    (tmp_path / "run/metrics.csv").unlink()
    with pytest.raises(UserError, match=r"there is no file .*metrics.csv; restore it"):
        draw_run([result])
