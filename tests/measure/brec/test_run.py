"""Runs of BREC: kept, gone on with, refused where they do not belong; the table."""

import pytest

from ogeaug.errors import UserError
from ogeaug.measure.brec.files import Sample
from ogeaug.measure.brec.run import kept_results, make_plan, run_brec
from ogeaug.measure.brec.table import to_rows
from ogeaug.measure.scoring import Result

SAMPLES = [
    Sample("a 0", "Basic", ("E", "E")),
    Sample("b 0", "Regular, strongly regular", ("E", "E")),
    Sample("b 1", "Regular, strongly regular", ("E", "E")),
    Sample("c 0", "Regular, distance regular", ("E", "E")),
]
PLAN = make_plan(SAMPLES, "rpc", "spe", 0)


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
        run_brec(SAMPLES, PLAN, scorer(first, stop_at="b 1"), tmp_path / "out")
    results = run_brec(SAMPLES, PLAN, scorer(second), tmp_path / "out", told.append)
    assert (first, second) == (["a 0", "b 0"], ["b 1", "c 0"])
    assert [r.pair for r in results] == [s.name for s in SAMPLES]
    assert len(told) == 4
    assert results[0].distinguished
    assert not results[2].distinguished
    assert str(results) == str(run_brec(SAMPLES, PLAN, scorer([]), tmp_path / "out"))
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
    run_brec(SAMPLES, PLAN, scorer([]), tmp_path)
    for other in (
        make_plan(SAMPLES[:2], "rpc", "spe", 0),
        make_plan(SAMPLES, "criterion", "spe", 0),
        make_plan(SAMPLES, "rpc", "rwse", 0),
        make_plan(SAMPLES, "rpc", "spe", 1),
    ):
        with pytest.raises(UserError, match="is of another run"):
            kept_results(tmp_path, other)


def test_damaged_and_foreign_folders(tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(UserError, match="holds something else"):
        kept_results(tmp_path, PLAN)
    run_brec(SAMPLES, PLAN, scorer([]), tmp_path / "out")
    (tmp_path / "out/pairs.csv").write_text("pair,nodes\na 0,x\n")
    with pytest.raises(UserError, match="is damaged"):
        kept_results(tmp_path / "out", PLAN)
