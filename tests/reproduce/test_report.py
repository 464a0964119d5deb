"""What a reproduced table says where figures are not defined, and what stands behind it."""

import csv
import dataclasses

from matplotlib.text import Text

from ogeaug.reproduce.behind import describe_runs, legend_lines, missing
from ogeaug.reproduce.report import lines_of, plot, write_report
from ogeaug.reproduce.schedule import Schedule, Training
from ogeaug.reproduce.table import read_paper_table
from ogeaug.training.result import FitResult

NAN = float("nan")


def make(table, group, metrics, seeds=1, stand_in="", full=False):
    """A schedule and its runs, without training."""
    row = table.rows[0].label
    trainings = [Training(row=row, group=group, seed=i, config="") for i in range(seeds)]
    asked = {"budget": "hour", "graphs": None, "data_path": None}
    schedule = Schedule(
        asked=asked,
        trainings=trainings,
        seconds={row: 2.5},
        epochs=7,
        paper_epochs={row: 200},
        full=full,
        memory=None,
    )
    rows = {"train": 6, "val": 4, "test": 3, "skipped": 2}
    result = FitResult("run", 136705, 3, 7, metrics, rows, 12.5, {}, "auroc", "auroc", stand_in)
    return schedule, [(training, result) for training in trainings]


def rows_of(folder):
    with open(folder / "table.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_parts_that_are_not_there(tmp_path):
    """A small limit may leave a part without graphs, or with one class."""
    table = read_paper_table("drugood")
    metrics = {"val": {"auroc": 0.5}, "test": {"auroc": NAN}}
    write_report(tmp_path, table, *make(table, "Assay ID-Val", metrics, seeds=2))
    text = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert text.count("| not defined |") == 3
    assert "| No PE | 71.02 | 50 ± 0 | val |" in text
    assert (tmp_path / "table.png").stat().st_size > 1000


def test_no_other_part_stands_for_one_that_has_a_column(tmp_path):
    table = read_paper_table("drugood")
    write_report(tmp_path, table, *make(table, "Assay ID-Val", {"val": {"auroc": 0.5}}))
    text = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert text.count("| not defined |") == 3  # all but that of val


def test_sizes_by_column_where_they_differ():
    table = read_paper_table("drugood")
    schedule, runs = make(table, "Assay ID-Val", {})
    _, others = make(table, "Size ID-Val", {})
    fewer = dataclasses.replace(others[0][1], rows={"train": 2, "val": 1})
    both = [*runs, (others[0][0], fewer)]
    first, second = (
        "; Assay ID-Val: 6 train, 4 val, 3 test graphs (2",
        "; Size ID-Val: 2 train, 1 val",
    )
    assert 0 < (text := describe_runs(schedule, both)).find(first) < text.find(second)
    assert legend_lines(schedule, both)[0] == "2 to 6 training graphs"


def test_what_is_not_missing_is_not_named():
    table = read_paper_table("drugood")
    schedule, runs = make(table, "Assay ID-Val", {}, seeds=5)
    schedule.asked["budget"] = "night"
    (text,) = missing(table, schedule, runs)
    assert "seeds" not in text
    assert "graphs of" not in text
    assert "columns (Scaffold ID-Val; Size ID-Val)" in text


def test_what_stands_behind_a_figure_is_said_everywhere(tmp_path):
    table = read_paper_table("zinc")
    metrics = {part: {"mae": 0.5} for part in ("val", "test")}
    schedule, runs = make(table, "MAE", metrics, seeds=2, stand_in="others of ZINC250k")
    write_report(tmp_path, table, schedule, runs)
    text = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert "6 train, 4 val, 3 test graphs (2 others could not be used: `skipped.csv`" in text
    assert "; 7 epochs; seeds 0, 1; " in text
    assert "**stand-in data**: others of ZINC250k; **reduced budget**." in text
    assert (
        "What is missing to the paper's budget (`--budget paper`): all graphs of the data, the"
        in text
    )
    assert "own data, 200 epochs, here 7, 5 seeds, here 2, rows (GINE, with RWSE; " in text
    ours = next(line for line in rows_of(tmp_path) if line["ours"])
    wanted = {"seeds": "2", "epochs": "7", "parameters": "136705", "seconds_per_run": "12.5"}
    wanted |= {"train_graphs": "6", "val_graphs": "4", "part_graphs": "3", "budget": "hour"}
    wanted |= {"reduced_budget": "yes", "stand_in_data": "others of ZINC250k"}
    assert wanted.items() <= ours.items()
    quoted = next(line for line in rows_of(tmp_path) if not line["ours"])
    assert {quoted[key] for key in wanted} == {""}
    figure = plot(table, {"MAE": lines_of(table, table.columns[0], runs)}, ["reduced budget"])
    shown = [text.get_text() for text in figure.findobj(Text)]
    assert {"paper (quoted)", "ours\nreduced budget"} <= set(shown)


def test_the_papers_budget_misses_nothing(tmp_path):
    table = read_paper_table("zinc")
    metrics = {part: {"mae": 0.5} for part in ("val", "test")}
    write_report(tmp_path, table, *make(table, "MAE", metrics, full=True))
    text = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert "missing" not in text
    assert "reduced" not in text
    assert next(line for line in rows_of(tmp_path) if line["ours"])["reduced_budget"] == "no"
