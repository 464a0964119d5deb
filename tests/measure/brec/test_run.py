"""Runs of BREC: kept, gone on with, refused where they do not belong; the table."""

import pytest

from ogeaug.errors import UserError
from ogeaug.measure.brec.files import Sample
from ogeaug.measure.brec.run import find_conditions, kept_results, run_brec
from ogeaug.measure.brec.table import to_rows
from ogeaug.measure.scoring import Result

SAMPLES = [
    Sample("a 0", "Basic", ("E", "E")),
    Sample("b 0", "Regular, strongly regular", ("E", "E")),
    Sample("b 1", "Regular, strongly regular", ("E", "E")),
    Sample("c 0", "Regular, distance regular", ("E", "E")),
]
CONDITIONS = find_conditions(SAMPLES, "rpc", "spe", 0)


def result(sample):
    apart = sample.name != "b 1"
    reason = "above the threshold" if apart else "reliability failed: x"
    return Result(
        sample.part, sample.name, 5, apart, "spe", 0, 1.5, float("nan"), 72.34, 0.25, reason
    )


def scorer(calls, stop_at=None):
    def score(samples):
        for sample in samples:
            if sample.name == stop_at:
                raise KeyboardInterrupt
            calls.append(sample.name)
            yield result(sample)

    return score


def test_goes_on_where_it_stopped(tmp_path):
    first, second, told = [], [], []
    with pytest.raises(KeyboardInterrupt):
        run_brec(SAMPLES, CONDITIONS, scorer(first, stop_at="b 1"), tmp_path / "out")
    results = run_brec(SAMPLES, CONDITIONS, scorer(second), tmp_path / "out", told.append)
    assert (first, second) == (["a 0", "b 0"], ["b 1", "c 0"])
    assert [r.pair for r in results] == [s.name for s in SAMPLES]
    assert len(told) == 4
    assert results[0].distinguished
    assert not results[2].distinguished
    assert str(results) == str(run_brec(SAMPLES, CONDITIONS, scorer([]), tmp_path / "out"))
    assert "| - strongly regular | 1 | 2 | 1 | 0 |" in (tmp_path / "out/table.md").read_text()
    assert (tmp_path / "out/table.csv").read_text().splitlines()[-1] == "all,3,4,1,0"


def test_rows():
    rows = to_rows([result(sample) for sample in reversed(SAMPLES)])
    assert [row[:3] for row in rows] == [
        ["Basic", "1", "1"],
        ["Regular", "2", "3"],
        ["- strongly regular", "1", "2"],
        ["- distance regular", "1", "1"],
        ["all", "3", "4"],
    ]


def test_another_run_is_not_gone_on_with(tmp_path):
    run_brec(SAMPLES, CONDITIONS, scorer([]), tmp_path)
    for other in (
        find_conditions(SAMPLES[:2], "rpc", "spe", 0),
        find_conditions(SAMPLES, "criterion", "spe", 0),
        find_conditions(SAMPLES, "rpc", "rwse", 0),
        find_conditions(SAMPLES, "rpc", "spe", 1),
    ):
        with pytest.raises(UserError, match="is of another run"):
            kept_results(tmp_path, other)


def test_damaged_and_foreign_folders(tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(UserError, match="holds something else"):
        kept_results(tmp_path, CONDITIONS)
    run_brec(SAMPLES, CONDITIONS, scorer([]), tmp_path / "out")
    (tmp_path / "out/pairs.csv").write_text("pair,nodes\na 0,x\n")
    with pytest.raises(UserError, match="is damaged"):
        kept_results(tmp_path / "out", CONDITIONS)


def test_a_folder_of_an_earlier_version_goes_on(tmp_path):
    run_brec(SAMPLES, CONDITIONS, scorer([]), tmp_path)
    (tmp_path / "conditions.json").rename(tmp_path / "plan.json")
    calls = []
    run_brec(SAMPLES, CONDITIONS, scorer(calls), tmp_path)
    assert calls == []
    assert (tmp_path / "conditions.json").is_file()
    assert not (tmp_path / "plan.json").exists()


def test_the_plan_of_an_ensemble_is_left_alone(tmp_path):
    text = '{"folds": 1, "ensemble_size": 2}'
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(UserError, match=r"plan\.json is not of a run of BREC"):
        run_brec(SAMPLES, CONDITIONS, scorer([]), tmp_path)
    assert (tmp_path / "plan.json").read_text() == text
