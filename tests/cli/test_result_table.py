"""The table that ``ogeaug train`` prints, on terminals of any width."""

import json
from dataclasses import replace

import pytest

from ogeaug.cli.result_table import print_results
from ogeaug.training.fitting import FitResult

FIGURES = {"loss": 0.012345, "rmse": 1234.5678, "mae": 0.00001234567, "r2": -0.123456}
SHOWN = ("0.01235", "1235", "1.235e-05", "-0.1235")


def result(folder, **metrics) -> FitResult:
    rows = {"train": 12000, "val": 1500, "test": 1500, "skipped": 3}
    return FitResult(str(folder), 123456, 37, 40, metrics, rows, 1234.5, {"y": "eV"})


def printed(results, folder, capsys, monkeypatch, width: int) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(width))
    print_results(results, folder)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    return lines


@pytest.mark.parametrize("width", [80, 200])
def test_a_column_per_metric(tmp_path, capsys, monkeypatch, width):
    one = result(tmp_path, val=FIGURES, test=FIGURES)
    lines = printed([one], tmp_path, capsys, monkeypatch, width)
    (head,) = (line.split() for line in lines if "rmse" in line)
    assert head == ["part", "graphs", "loss", "rmse", "mae", "r2", "epoch", "seconds"]
    for part in ("val", "test"):
        (line,) = (line.split() for line in lines if line.split()[:1] == [part])
        assert line == [part, "1,500", *SHOWN, "37/40", "1234"]
    assert "3 rows were left out: see skipped.csv in the run's folder" in lines
    assert "123,456 parameters" in lines
    assert "units: y: eV" in lines


@pytest.mark.parametrize("width", [20, 33, 50, 80])
def test_numbers_are_never_cut_off(tmp_path, capsys, monkeypatch, width):
    places = [tmp_path / f"fold_{i}" / f"model_{j}" for i in range(2) for j in range(2)]
    results = [result(place, val=FIGURES, test=FIGURES) for place in places]
    lines = printed(results, tmp_path, capsys, monkeypatch, width)
    text = "".join(lines).replace(" ", "")
    for number in SHOWN:
        assert text.count(number) >= 8
    assert "\u2026" not in text


def test_all_together_comes_last(tmp_path, capsys, monkeypatch):
    results = [result(tmp_path / f"model_{i}", test=FIGURES) for i in range(2)]
    record = {"models": 2, "rows": {"test": 7}}
    record |= {"metrics": {"ensemble": {"test": {"loss": 0.5, "rmse": None}}}}
    (tmp_path / "results.json").write_text(json.dumps(record))
    lines = printed(results, tmp_path, capsys, monkeypatch, 80)
    table = [line.split() for line in lines if "test" in line]
    assert [line[0] for line in table] == ["model_0", "model_1", "ensemble"]
    assert table[-1] == ["ensemble", "test", "7", "0.5", "nan"]
    assert "ensemble: of the mean prediction of its models" in lines
    assert any(line.startswith("nan: not defined") for line in lines)


def test_metrics_of_single_targets_are_left_to_the_file(tmp_path, capsys, monkeypatch):
    one = result(tmp_path, val=FIGURES | {"rmse.a": 1.0, "rmse.b": 2.0})
    lines = printed([one], tmp_path, capsys, monkeypatch, 80)
    assert not any("rmse.a" in line for line in lines)
    assert "metrics are means over targets; of each target: see results.json" in lines


def test_stand_in_data_are_marked(tmp_path, capsys, monkeypatch):
    one = replace(result(tmp_path, test=FIGURES), stand_in="graphs of ours")
    lines = printed([one], tmp_path, capsys, monkeypatch, 80)
    assert "stand-in data: graphs of ours" in lines
