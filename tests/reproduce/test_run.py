"""ogeaug reproduce: runs of a small table, resumed, refused, beside the paper's figures."""

import csv
import pickle
import re
import shutil

import pytest

from ogeaug.errors import CannotWrite, TrainingStopped, UserError
from ogeaug.reproduce import measuring
from ogeaug.reproduce import run as run_module
from ogeaug.reproduce.budget import BUDGETS, Budget, share_out
from ogeaug.reproduce.run import reproduce
from ogeaug.reproduce.schedule import read_schedule
from tests.reproduce.small import TABLE
from tests.torture import tries
from tests.training.tiny import molecules, write_csv


@pytest.fixture
def table(monkeypatch):
    monkeypatch.setattr(run_module, "read_paper_table", lambda name: TABLE)


@pytest.fixture
def data(tmp_path):
    return str(write_csv(tmp_path / "data.csv"))


def rows_of(folder):
    with open(folder / "table.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_table_and_the_papers_figures(table, data, tmp_path):
    file = reproduce("small", tmp_path / "out", data_path=data, seeds=2, progress=False)
    text = file.read_text(encoding="utf-8")
    assert "**reduced budget**" in text
    assert "24 train, 3 val, 3 test graphs; 1 epochs; seeds 0, 1" in text
    best, other, alone = rows_of(tmp_path / "out")
    assert (best["method"], best["paper"], best["ours"]) == ("Best", "0.5", "")
    assert (other["method"], other["paper"]) == ("Other (ours: GINE)", "0.7")
    assert (alone["method"], alone["paper"]) == ("GINE, with RWSE", "")
    for line in other, alone:
        assert float(line["ours"]) > 0
        assert float(line["ours_deviation"]) > 0
        assert (line["seeds"], line["epochs"], line["train_graphs"]) == ("2", "1", "24")
        assert line["part"] == "test"
    assert (tmp_path / "out/table.png").stat().st_size > 1000


def test_it_goes_on_and_repeats_nothing(table, data, tmp_path, monkeypatch):
    out = tmp_path / "out"
    reproduce("small", out, data_path=data, progress=False)
    before = (out / "table.md").read_bytes()
    kept = out / "gine-rmse-seed0/model.safetensors"
    written = kept.stat().st_mtime_ns
    shutil.rmtree(out / "gine-with-rwse-rmse-seed0")
    monkeypatch.setattr(measuring, "epoch_seconds", None)  # nothing is measured again
    reproduce("small", out, data_path=data, progress=False)
    assert kept.stat().st_mtime_ns == written
    # Wall time aside, the same figures.
    again = (out / "table.md").read_bytes()
    assert [line.split(b"|")[:7] for line in again.splitlines()] == [
        line.split(b"|")[:7] for line in before.splitlines()
    ]


def test_other_arguments_or_data_are_refused(table, data, tmp_path):
    out = tmp_path / "out"
    reproduce("small", out, data_path=data, rows=["rwse"], progress=False)
    with pytest.raises(UserError, match=r"begun with other rows \(\['rwse'\], now \['gine'\]\)"):
        reproduce("small", out, data_path=data, rows=["gine"], progress=False)
    both = tmp_path / "both"
    reproduce("small", both, data_path=data, progress=False)
    shutil.rmtree(both / "gine-with-rwse-rmse-seed0")
    write_csv(tmp_path / "data.csv", rows=[f"{s},{len(s) + 1}" for s in molecules()])
    with pytest.raises(UserError, match=r"data .* changed"):
        reproduce("small", both, data_path=data, progress=False)


def test_what_goes_to_a_process_and_back(table, data, tmp_path, monkeypatch):
    reproduce("small", tmp_path / "out", data_path=data, rows=["rwse"], progress=False)
    (tmp_path / "again").mkdir()
    shutil.copy(tmp_path / "out/schedule.json", tmp_path / "again")
    monkeypatch.setattr(run_module, "_OF_WORKER", [])
    run_module._begin()
    training = read_schedule(tmp_path / "out").trainings[0]
    sent = pickle.loads(pickle.dumps(training))
    result = pickle.loads(pickle.dumps(run_module._job(sent, tmp_path / "again")))
    line = rows_of(tmp_path / "out")[-1]
    assert f"{result.metrics['test']['rmse']:.6g}" == f"{float(line['ours']):.6g}"


@pytest.mark.torture
@pytest.mark.skipif(not tries(0, 1), reason="two processes that load torch: make torture")
def test_two_processes_give_what_one_gives(table, data, tmp_path):
    reproduce("small", tmp_path / "one", data_path=data, progress=False)
    reproduce("small", tmp_path / "two", data_path=data, jobs=2, progress=False)
    one, two = rows_of(tmp_path / "one"), rows_of(tmp_path / "two")
    assert [line["ours"] for line in one] == [line["ours"] for line in two]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"budget": "week"}, "no budget 'week'; choose from smoke, hour, night, paper"),
        ({"rows": ["gin", "gcn"]}, "--rows: no row has 'gcn'; there are GINE; GINE, with RWSE"),
        ({"columns": ["MAE"]}, "--columns: no column has 'MAE'; there are RMSE"),
        ({"data_path": "nowhere.csv"}, "nowhere.csv"),
        (
            {"rows": [""]},
            "--rows is empty; give a word of a row's name, or leave it out to take all",
        ),
        ({"seeds": 1001}, "--seeds takes a whole number from 1 to 1,000, got 1001"),
        ({"epochs": 0}, "--epochs takes a whole number from 1 to 1,000,000,000, got 0"),
        ({"graphs": 10**12}, "--graphs takes a whole number from 1 to"),
    ],
)
def test_refused_before_anything_is_made(table, data, tmp_path, given, message):
    with pytest.raises(UserError, match=message):
        reproduce("small", tmp_path / "out", **({"data_path": data} | given), progress=False)
    assert not (tmp_path / "out").exists()


def test_a_run_without_a_number_costs_no_other(table, data, tmp_path, monkeypatch):
    def stop(prepared, folder, **others):
        if not prepared.config.encodings:
            raise TrainingStopped("the loss is nan in epoch 1")
        return fit(prepared, folder, **others)

    fit, out = run_module.fit_prepared, tmp_path / "out"
    monkeypatch.setattr(run_module, "fit_prepared", stop)
    with pytest.raises(TrainingStopped, match=r"1 of 2 runs .* GINE, RMSE, seed 0: the loss is"):
        reproduce("small", out, data_path=data, progress=False)
    assert [line["method"] for line in rows_of(out) if line["ours"]] == ["GINE, with RWSE"]
    assert "So far 1 of 2 runs" in (out / "table.md").read_text(encoding="utf-8")


def test_a_full_disk_costs_no_run(table, data, tmp_path, monkeypatch):
    def full(*_):
        raise CannotWrite("cannot write table.png: No space left on device; make room")

    out = tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr("ogeaug.reproduce.report.save_figure", full)
        with pytest.raises(CannotWrite, match=r"^cannot write table.png: No space left"):
            reproduce("small", out, data_path=data, rows=["rwse"], progress=False)
    monkeypatch.setattr(run_module, "fit_prepared", None)  # it is finished already
    reproduce("small", out, data_path=data, rows=["rwse"], progress=False)
    assert (out / "table.png").is_file()


def test_an_error_names_its_run(table, data, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise UserError("no")

    monkeypatch.setattr(run_module, "fit_prepared", refuse)
    with pytest.raises(UserError, match=r"^GINE, RMSE, seed 0: no$"):
        reproduce("small", tmp_path / "out", data_path=data, progress=False)


def test_ctrl_c_names_the_same_call(table, data, tmp_path, monkeypatch):
    """It named ogeaug train --resume, for one run of many."""

    def press(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(measuring, "epoch_seconds", lambda *_: 0.01)
    monkeypatch.setattr("ogeaug.training.module.GraphModule.training_step", press)
    for _ in "begun", "resumed":
        with pytest.raises(KeyboardInterrupt, match=r"^in epoch 1; continue by  the same call"):
            reproduce("small", tmp_path / "out", data_path=data, progress=False)


@pytest.mark.parametrize(
    ("graphs", "found"),
    [(2, "2 usable row.s. are too few .* at least 3 are needed"), (3, "in all 1 training rows")],
)
def test_too_few_graphs(table, data, tmp_path, graphs, found):
    """The advice named options of ogeaug train."""
    with pytest.raises(UserError, match=f"at most {graphs} graphs .*: .*{found}.*--graphs 60") as e:
        reproduce("small", tmp_path / "out", data_path=data, graphs=graphs, progress=False)
    assert not re.search("split-sizes|right column|target-columns", str(e.value))
    assert not (tmp_path / "out").exists()


def test_it_says_what_a_budget_leaves_out(data, tmp_path, monkeypatch, capsys):
    small = TABLE.budgets["smoke"].model_copy(update={"without": ["GINE, with RWSE"]})
    shorter = TABLE.model_copy(update={"budgets": {"smoke": small}})
    monkeypatch.setattr(run_module, "read_paper_table", lambda name: shorter)
    reproduce("small", tmp_path / "out", data_path=data)
    said = " ".join(capsys.readouterr().err.split())
    assert "left out at this budget (--rows takes it): GINE, with RWSE" in said
    ours = [line["method"] for line in rows_of(tmp_path / "out") if line["ours"]]
    assert ours == ["Other (ours: GINE)"]


def test_budgets():
    hour = BUDGETS["hour"]
    assert share_out(hour, 10, 1.0) == (10, 3)  # never more than the paper
    with pytest.raises(UserError, match=r"with 1000 seeds takes about 333; take fewer seeds"):
        share_out(hour, 2000, 20.0, seeds=1000)
    assert share_out(hour, 100, 100.0) == (12, 3)
    assert share_out(hour, 100, 150.0) == (12, 2)  # three seeds would leave 8 epochs
    assert share_out(hour, 100, 300.0) == (12, 1)
    assert share_out(hour, 100, 500.0) == (7, 1)  # as many as fit
    assert share_out(hour, 100, 3000.0) == (1, 1)
    assert share_out(Budget("x", epochs=2, seeds=4), 100, 1e9) == (2, 4)
    assert share_out(BUDGETS["paper"], 100, 1e9) == (100, 5)
    assert share_out(hour, 100, 4000.0, epochs=1) == (1, 3)
    assert share_out(hour, 100, 300.0, seeds=5) == (2, 5)
    with pytest.raises(UserError, match=r"60 minutes, and one epoch of all rows takes about 67"):
        share_out(hour, 100, 4000.0)


def test_a_number_of_jobs_that_is_none(tmp_path):
    with pytest.raises(ValueError, match="jobs must be at least 1, got 0"):
        reproduce("zinc", tmp_path / "new", jobs=0, progress=False)
    assert not (tmp_path / "new").exists()
