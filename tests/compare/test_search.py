"""The search: the same cells for all, no test part, all kept; then fresh seeds."""

import csv
import json

import pytest

from ogeaug.compare import run as compare_module
from ogeaug.compare import training as training_module
from ogeaug.compare.entries import read_entries
from ogeaug.compare.hold_out import hold_out
from ogeaug.compare.plan import plan_configs
from ogeaug.compare.rules import Rules, describe, make_rules, standard_grid
from ogeaug.compare.run import compare
from ogeaug.compare.search import make_cells
from ogeaug.errors import UserError
from ogeaug.training.config import parse_config
from ogeaug.training.prepare import Parts
from tests.compare.test_run import CONFIG, PARTS, graph

GRID = {"training.lr": [1e-3, 1e-5], "encoding.standardize": [False, True]}
RULES = Rules(preset="equal-width", grid=GRID, search_epochs=1)
WITH_TEST = Parts(PARTS.train, PARTS.val, [graph(i) for i in range(30, 33)])


def test_a_search_then_fresh_seeds(tmp_path, monkeypatch):
    real, seen = training_module.fit, []

    def watched(config, folder, *, parts, **options):
        seen.append((config.training.seed, config.training.epochs, len(parts.test)))
        if len(seen) == 3:
            raise KeyboardInterrupt
        return real(config, folder, parts=parts, **options)

    monkeypatch.setattr(training_module, "fit", watched)
    arguments = {"seeds": [0, 2], "rules": RULES, "parts": WITH_TEST, "progress": False}
    with pytest.raises(KeyboardInterrupt):
        compare(CONFIG, ["rwse", "none"], tmp_path, **arguments)
    compare(CONFIG, ["rwse", "none"], tmp_path, **arguments)
    cells = seen[:3] + seen[3:7]  # the third was interrupted and made again
    assert cells == [(1, 1, 0)] * 7  # a seed of its own, no test part
    assert seen[7:] == [(seed, 2, 3) for seed in (0, 0, 2, 2)]
    with (tmp_path / "search.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["encoding"] for row in rows] == ["rwse"] * 4 + ["none"] * 2
    assert [row["encoding.standardize"] for row in rows] == ["False", "True"] * 2 + ["", ""]
    for name in ("rwse", "none"):
        own = [row for row in rows if row["encoding"] == name]
        (best,) = [row for row in own if row["chosen"]]
        assert float(best["val_mae"]) == min(float(row["val_mae"]) for row in own)
        results = json.loads((tmp_path / f"{name}-seed0" / "results.json").read_text())
        assert "test" in results["result"]["metrics"]
        text = (tmp_path / f"{name}-seed2" / "config.yaml").read_text()
        assert parse_config(text, [], "config.yaml").training.lr == float(best["training.lr"])
    table = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert "Chosen for each by validation data alone, seed 1, of 6 cells in all" in table
    assert "| test, less that of `rwse` |" in table
    assert len((tmp_path / "search.md").read_text().splitlines()) == 10
    with pytest.raises(UserError, match="made with seed 1, so no run may have it"):
        compare(CONFIG, ["rwse", "none"], tmp_path, **arguments | {"seeds": [0, 1, 2]})
    count = len(seen)
    compare(CONFIG, ["rwse", "none"], tmp_path, **arguments | {"seeds": [0, 2, 3]})
    assert seen[count:] == [(3, 2, 3)] * 2  # chosen before


def test_a_shorter_search_keeps_the_share_of_the_warm_up():
    """Else the rate would never be reached, and a larger one would be chosen."""
    training = CONFIG.training.model_copy(update={"epochs": 100, "warmup_epochs": 10})
    config = CONFIG.model_copy(update={"training": training})
    found = compare_module._seeded(config, 7, 5).training
    assert (found.seed, found.epochs, found.warmup_epochs) == (7, 5, 0.5)
    assert compare_module._seeded(config, 7).training.warmup_epochs == 10


def test_the_same_cells_for_all():
    rules = Rules(preset="equal-width", grid=standard_grid(CONFIG))
    names = ["oge_aug", "rwse", "set=rwse(standardize=true)", "none"]
    configs = plan_configs(CONFIG, names, rules=rules)
    cells = make_cells(configs, rules, read_entries(names))
    values = {name: [c.values for c in cells if c.label == name] for name in configs}
    assert len(values["oge_aug"]) == 12
    assert values["oge_aug"] == values["rwse"]
    assert len(values["none"]) == 6
    assert values["set"] == values["none"]
    assert all(c.config.encodings[0].standardize for c in cells if c.label == "set")


def test_what_is_set_for_all_is_not_searched():
    assert set(standard_grid(CONFIG, "none")) == {"training.lr", "backbone.norm"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"grid": {"lr": [1e-3]}}, "keys like training.lr, backbone.norm or encoding.k, got 'lr'"),
        ({"grid": {"training.lr": []}}, "training.lr needs values to try, each once"),
        ({"grid": {"training.lr": [1, 1]}}, "training.lr needs values to try, each once"),
        ({"grid": {"training.lr": list(range(1001))}}, "a search of 1,001 cells is too large"),
        ({"search_epochs": 3}, "search_epochs are those of a search; add --search"),
        ({"preset": "equal-width", "parameters": 3}, "which preset equal-width keeps; leave one"),
        (
            {"standardize": "none", "grid": {"encoding.standardize": [True]}},
            "standardize is set for all encodings and searched; leave one out",
        ),
        ({"grid": {"training.seed": [1, 2]}}, "cells train with one seed"),
        (
            {"grid": {"training.epochs": [1, 2]}, "search_epochs": 3},
            "search_epochs are those of all cells",
        ),
        ({"hold_out": 1}, "hold_out: Input should be less than 1"),
        ({"noise": "some"}, "noise: Input should be 'none', 'own' or 'all'"),
    ],
)
def test_rules_that_contradict_are_refused(given, message):
    with pytest.raises(UserError, match=message):
        make_rules(**given)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"encoding.nope": [1]}, "no encoding that is compared has encoding.nope"),
        ({"training.nope": [1]}, r"rwse cannot be searched with .*unknown key"),
        ({"training.lr": ["x"]}, r"rwse cannot be searched with .*lr"),
        ({"encoding.steps": [0]}, r"rwse cannot be searched with .*steps must be at least 1"),
    ],
)
def test_cells_that_cannot_be_are_refused_before_training(tmp_path, grid, message):
    rules = Rules(preset="equal-width", grid=grid)
    with pytest.raises(UserError, match=message):
        compare(CONFIG, ["rwse"], tmp_path / "x", rules=rules, parts=PARTS, progress=False)
    assert not (tmp_path / "x").exists()


def test_a_test_part_for_data_without_one():
    parts = hold_out(PARTS, 0.2, 0)
    assert [len(parts.train), len(parts.val)] == [8, 2]
    assert parts.test is PARTS.val
    both = {id(data) for data in (*parts.train, *parts.val)}
    assert both == {id(data) for data in PARTS.train}
    with pytest.raises(UserError, match="have a test part of 3 graphs; leave --hold-out out"):
        hold_out(WITH_TEST, 0.2, 0)
    with pytest.raises(UserError, match="leaves a part empty"):
        hold_out(PARTS, 0.01, 0)


def test_held_out_parts_are_reported(tmp_path):
    rules = Rules(preset="equal-width", hold_out=0.2, noise="all", standardize="all")
    names = ["rwse", "lap_pe", "none"]
    run, *_ = compare(CONFIG, names, tmp_path, rules=rules, parts=PARTS, progress=False)
    assert {part: n for part, n in run.result.rows.items() if n} == {
        "train": 8,
        "val": 2,
        "test": 4,
    }
    table = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert "0.2 of the training part chose the epochs" in table
    assert "There is no test part" not in table
    with pytest.raises(UserError, match="holds a comparison with other rules"):
        compare(CONFIG, names, tmp_path, parts=PARTS, progress=False)


@pytest.mark.parametrize(
    ("grid", "changed"),
    [
        (None, False),
        ({"training.lr": [1e-3, 2e-3]}, False),
        ({"training.lr": [1e-3], "backbone.channels": [16, 32]}, True),
        ({"encoding.out_channels": [4, 8]}, True),
    ],
)
def test_a_search_over_widths_is_not_said_to_keep_parameters_equal(grid, changed):
    said = describe(Rules(grid=grid))
    assert "equal to 2 %" in said
    assert ("before the search, which may change them" in said) == changed


def test_several_at_a_time_find_the_same(tmp_path):
    """Cells and seeds; in processes of their own, which get the graphs that were given."""
    rules = Rules(preset="equal-width", grid={"training.lr": [1e-3, 1e-5]}, search_epochs=1)
    found = []
    for jobs in (1, 2):
        runs = compare(
            CONFIG,
            ["rwse", "none"],
            tmp_path / str(jobs),
            seeds=[0],
            rules=rules,
            parts=PARTS,
            jobs=jobs,
            progress=False,
        )
        found.append([(run.encoding, run.seed, run.result.metrics["val"]) for run in runs])
        table = (tmp_path / str(jobs) / "search.csv").read_text(encoding="utf-8")
        found[-1].append([line.split(",")[:3] for line in table.splitlines()])
    assert found[0] == found[1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_cell_that_diverges_is_not_chosen(tmp_path, jobs):
    rules = Rules(preset="equal-width", grid={"training.lr": [1e9, 1e-3]}, search_epochs=1)
    compare(CONFIG, ["rwse"], tmp_path, rules=rules, parts=PARTS, jobs=jobs, progress=False)
    assert "`rwse`: training.lr=0.001" in (tmp_path / "table.md").read_text(encoding="utf-8")
    text = (tmp_path / "search.md").read_text(encoding="utf-8")
    assert "| `rwse` | 1000000000.0 | nan |  |" in text
    assert "nan: the loss became NaN." in text


def test_if_all_cells_diverge_it_is_said(tmp_path):
    rules = Rules(preset="equal-width", grid={"training.lr": [1e9]}, search_epochs=1)
    with pytest.raises(UserError, match=r"rwse: the loss became NaN in every cell .*lr=1e\+08"):
        compare(CONFIG, ["rwse"], tmp_path, rules=rules, parts=PARTS, progress=False)


def test_epochs_are_not_searched_at_equal_time(tmp_path):
    rules = Rules(preset="equal-width", grid={"training.epochs": [1, 2]})
    with pytest.raises(UserError, match=r"leave training\.epochs out of the search"):
        compare(CONFIG, ["rwse"], tmp_path, minutes=1, rules=rules, parts=PARTS, progress=False)
