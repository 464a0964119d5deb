"""Comparisons: equal parameters, equal budgets, resumable, refused before they start."""

import copy
import csv
import json
import math
import re
import shutil
from dataclasses import replace

import networkx as nx
import pytest
import torch
from torch_geometric.data import Data

from ogeaug.compare import training as training_module
from ogeaug.compare.curves import Run
from ogeaug.compare.plan import plan_configs
from ogeaug.compare.report import summary
from ogeaug.compare.rules import Rules
from ogeaug.compare.run import compare as run_comparison
from ogeaug.errors import TrainingStopped, UserError
from ogeaug.model.config import TaskConfig
from ogeaug.training.config import Config
from ogeaug.training.ensemble import resume_all
from ogeaug.training.fitting import FitResult
from ogeaug.training.prepare import Parts
from tests.graphs import to_data
from tests.training.tiny import tiny_config, write_csv

CONFIG = Config.model_validate(
    {
        "features": {"kind": "own", "node_sizes": [3]},
        "task": {"targets": ["y"]},
        "encodings": [
            {"name": "oge_aug", "out_channels": 6, "hidden_channels": 8, "num_layers": 1}
        ],
        "backbone": {"name": "gine", "layers": 2, "channels": 16},
        "training": {
            "epochs": 2,
            "batch_size": 4,
            "noise": 1e-5,
            "loss": "mae",
            "tensorboard": False,
        },
    }
)


def graph(seed: int) -> Data:
    data = to_data(nx.gnp_random_graph(6, 0.5, seed=seed))
    data.x = torch.arange(6).remainder(3).unsqueeze(1)
    data.y = torch.tensor([[data.edge_index.size(1) / 2.0]])
    return data


PARTS = Parts([graph(i) for i in range(10)], [graph(i) for i in range(20, 24)])


WIDTH = Rules(preset="equal-width")
"""Models as small as these cannot be made equal to 2 %."""


def compare(*args, rules=WIDTH, **options):
    return run_comparison(*args, rules=rules, **options)


def test_compare_writes_tables_and_plots(tmp_path):
    runs = compare(
        CONFIG,
        ["oge_aug", "rwse", "none"],
        tmp_path,
        seeds=[0, 1],
        parts=PARTS,
        progress=False,
    )
    assert [(run.encoding, run.seed) for run in runs] == [
        (name, seed) for seed in (0, 1) for name in ("oge_aug", "rwse", "none")
    ]
    with (tmp_path / "compare.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    assert all(float(row["val_mae"]) > 0 and row["epochs"] == "2" for row in rows)
    with (tmp_path / "curves.csv").open() as file:
        curves = list(csv.DictReader(file))
    assert len(curves) == 12
    assert [row["epoch"] for row in curves[:2]] == ["1", "2"]
    assert float(curves[1]["seconds"]) > float(curves[0]["seconds"])
    table = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert "There is no test part" in table
    assert (
        "| encoding | val mae | val, less that of `oge_aug` | parameters | backbone | epochs | "
        "s per epoch |"
    ) in table
    assert "±" in table
    for name in ("error_by_epoch.png", "error_by_time.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_one_encoding_under_several_labels(tmp_path):
    texts = ["near=oge_aug(delta=0.005)", "far=oge_aug(delta=0.5)"]
    plans = plan_configs(CONFIG, texts, {"far": {"norm": "batch"}}, WIDTH)
    assert plans["near"].encodings[0].options["delta"] == 0.005
    assert plans["far"].encodings[0].options["norm"] == "batch"
    assert all(plan.training.noise == 1e-5 for plan in plans.values())
    compare(CONFIG, texts, tmp_path, parts=PARTS, progress=False)
    again = compare(CONFIG, texts, tmp_path, parts=PARTS, progress=False)
    assert [run.encoding for run in again] == ["near", "far"]
    assert (tmp_path / "near-seed0" / "results.json").is_file()
    table = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(.*?)`", table, re.M)) == {"near", "far"}


def test_metrics_that_are_not_defined(tmp_path):
    """One class in the validation part: no AUROC, for any seed; it ends well."""
    task = {"type": "classification", "targets": ["y"]}
    training = CONFIG.training.model_dump(exclude={"loss"})
    config = Config.model_validate(CONFIG.model_dump() | {"task": task, "training": training})

    def labelled(seed, y):
        data = graph(seed)
        data.y = torch.tensor([[float(y)]])
        return data

    parts = Parts([labelled(i, i % 2) for i in range(8)], [labelled(20 + i, 1) for i in range(2)])
    compare(config, ["none", "rwse"], tmp_path, seeds=[0, 1], parts=parts, progress=False)
    table = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert "nan ± nan" in table
    assert "auroc of the epoch with the best validation loss, higher is better" in table
    with (tmp_path / "curves.csv").open() as file:
        assert {row["val_auroc"] for row in csv.DictReader(file)} == {"nan"}


def test_undefined_figures_come_last():
    results = {
        name: FitResult(name, 1, 1, 2, {"val": {"auroc": value}}, {"val": 1}, 1.0, {})
        for name, value in (("rwse", math.nan), ("spe", 0.4), ("none", 0.6))
    }
    task = TaskConfig(type="classification", targets=["y"])
    config = CONFIG.model_copy(update={"task": task})
    runs = [Run(name, 0, result) for name, result in results.items()]
    table = summary(config, runs, dict.fromkeys(results, config), 3)
    assert re.findall(r"^\| `(.*?)`", table, re.M) == ["none", "spe", "rwse"]


def test_differences_are_of_the_test_part_though_others_follow():
    def run(name, seed, error):
        parts = {"val": 1.0, "test": error, "test_near": 5.0}
        metrics = {part: {"mae": value} for part, value in parts.items()}
        return Run(name, seed, FitResult("", 1, 1, 1, metrics, {"train": 1}, 1.0, {}))

    runs = [run(name, seed, error) for seed in (0, 1) for name, error in (("a", 2), ("b", 3))]
    text = summary(CONFIG, runs, {"a": CONFIG, "b": CONFIG}, 4)
    assert "| test, less that of `a` |" in text
    assert "| 1.0000 ± 0.0000 |" in text.splitlines()[3]


def test_seeds_that_end_early_count_by_their_own_epochs():
    runs = [
        Run("spe", seed, FitResult("", 1, 1, epochs, {"val": {"mae": 1.0}}, {}, seconds, {}))
        for seed, (epochs, seconds) in enumerate([(2, 6.0), (10, 18.0)])
    ]
    assert "| 2 to 10 | 2.0 |" in summary(CONFIG, runs, {"spe": CONFIG}, 2)


def test_several_targets_are_compared_by_their_standardised_loss():
    several = CONFIG.task.model_copy(update={"targets": ["a", "b"]})
    config = CONFIG.model_copy(update={"task": several})
    result = FitResult("", 1, 1, 2, {"val": {"loss": 0.5, "mae": 7.0}}, {"val": 1}, 1.0, {})
    table = summary(config, [Run("spe", 0, result)], {"spe": config}, 1)
    assert "| val loss |" in table
    assert "loss (mae of standardised targets, mean over targets)" in table
    assert "Stand-in" not in table
    made = replace(result, stand_in="graphs of ours")
    table = summary(config, [Run("spe", 0, made)], {"spe": config}, 1)
    assert "Stand-in data: graphs of ours." in table


def test_interrupted_comparisons_go_on(tmp_path, monkeypatch):
    whole = compare(CONFIG, ["oge_aug", "rwse"], tmp_path / "whole", parts=PARTS, progress=False)
    real, calls = training_module.fit, []

    def dies_at_the_second(*args, **options):
        calls.append(args)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*args, **options)

    monkeypatch.setattr(training_module, "fit", dies_at_the_second)
    arguments = {"parts": PARTS, "progress": False}
    with pytest.raises(KeyboardInterrupt):
        compare(CONFIG, ["oge_aug", "rwse"], tmp_path / "cut", **arguments)
    early = (tmp_path / "cut" / "table.md").read_text(encoding="utf-8")
    assert "`oge_aug`" in early
    assert "`rwse`" not in early
    assert "So far 1 of 2 runs." in early
    runs = compare(CONFIG, ["oge_aug", "rwse"], tmp_path / "cut", **arguments)
    assert len(calls) == 3  # the finished run was not made again
    assert "So far" not in (tmp_path / "cut" / "table.md").read_text(encoding="utf-8")
    for run, other in zip(runs, whole, strict=True):
        assert run.result.metrics == other.result.metrics
    shutil.rmtree(tmp_path / "cut" / "rwse-seed0")
    (tmp_path / "cut" / "rwse-seed0").mkdir()
    (tmp_path / "cut" / "rwse-seed0" / "started.json").touch()  # killed while it was set up
    assert len(compare(CONFIG, ["oge_aug", "rwse"], tmp_path / "cut", **arguments)) == 2
    with pytest.raises(UserError, match=r"holds a comparison; .*ogeaug compare"):
        list(resume_all(tmp_path / "cut"))
    with pytest.raises(UserError, match=r"holds a comparison with other seeds \(\[0\], now \[1\]"):
        compare(CONFIG, ["oge_aug", "rwse"], tmp_path / "cut", seeds=[1], **arguments)


def test_seeds_can_be_added(tmp_path, monkeypatch):
    arguments = {"parts": PARTS, "progress": False}
    compare(CONFIG, ["rwse"], tmp_path, seeds=[1], **arguments)
    real, calls = training_module.fit, []

    def watched(config, folder, **options):
        calls.append(folder.name)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(config, folder, **options)

    monkeypatch.setattr(training_module, "fit", watched)
    with pytest.raises(KeyboardInterrupt):
        compare(CONFIG, ["rwse"], tmp_path, seeds=[1, 0, 2], **arguments)
    with pytest.raises(UserError, match=r"other seeds \(\[1, 0, 2\], now \[1\]"):
        compare(CONFIG, ["rwse"], tmp_path, seeds=[1], **arguments)
    runs = compare(CONFIG, ["rwse"], tmp_path, seeds=[1, 0, 2], **arguments)
    assert calls == ["rwse-seed0", "rwse-seed2", "rwse-seed2"]  # that of seed 1 was there
    assert [run.seed for run in runs] == [1, 0, 2]
    assert "seeds 0, 1, 2" in (tmp_path / "table.md").read_text(encoding="utf-8")


def test_what_cannot_work_is_refused_before_training(tmp_path):
    def refused(message, config=CONFIG, names=("rwse",), **options):
        with pytest.raises(UserError, match=message):
            compare(config, list(names), tmp_path / "x", parts=PARTS, progress=False, **options)
        assert not (tmp_path / "x").exists()

    refused("unknown encoding 'lappe'; choose from oge_aug, ", names=("rwse", "lappe"))
    refused("compare once; got rwse more than once", names=("rwse", "rwse"))
    refused("compare once; got no name", names=())
    refused("give each seed once", seeds=[1, 1])
    refused("minutes must be positive", minutes=0)
    refused("options for spe, which is not compared", options={"spe": {}})
    refused("'rwse' has no option k", options={"rwse": {"k": 3}})
    refused("a cannot serve .*'rwse' has no option k", names=["a=rwse(k=3)"])
    refused("a cannot serve .* steps must be a whole number", names=["a=rwse(steps=x)"])
    refused("a cannot .* transposes must be true or false", names=["a=oge_aug(transposes=1)"])
    refused("a cannot .* delta must be a number", names=["a=oge_aug(delta=x)"])
    refused(
        "replaces the one encoding of a configuration, this one has 0",
        config=CONFIG.model_copy(update={"encodings": []}),
    )
    plain = CONFIG.backbone.model_copy(update={"name": "gin"})
    config = CONFIG.model_copy(update={"backbone": plain})
    message = "edge_rwse cannot serve this configuration: an encoding of edges needs a backbone"
    refused(message, config, ("rwse", "edge_rwse"))


def test_a_comparison_knows_its_data(tmp_path, monkeypatch):
    """One encoding's old figures would stand beside another's new ones."""
    real, calls = training_module.fit, []

    def dies_at_the_second(*args, **options):
        calls.append(args)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*args, **options)

    monkeypatch.setattr(training_module, "fit", dies_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        compare(CONFIG, ["rwse", "none"], tmp_path, parts=PARTS, progress=False)
    changed = copy.deepcopy(PARTS)
    changed.val[1].y += 1
    with pytest.raises(UserError, match="the data have changed since the comparison in"):
        compare(CONFIG, ["rwse", "none"], tmp_path, parts=changed, progress=False)
    record = json.loads((tmp_path / "plan.json").read_text())
    del record["asked"]["data"], record["asked"]["rules"]  # as version 0.1.0 wrote it
    (tmp_path / "plan.json").write_text(json.dumps(record))
    again = {"parts": copy.deepcopy(PARTS), "progress": False}
    with pytest.raises(UserError, match="holds a comparison with other rules"):
        compare(CONFIG, ["rwse", "none"], tmp_path, **again)
    assert len(compare(CONFIG, ["rwse", "none"], tmp_path, rules=None, **again)) == 2
    assert "by an earlier version" in (tmp_path / "table.md").read_text(encoding="utf-8")


def test_a_comparison_knows_its_table(tmp_path):
    path = write_csv(tmp_path / "my.csv")
    config = tiny_config(path, "training.epochs=1")
    compare(config, ["rwse"], tmp_path / "c", progress=False)
    compare(config, ["rwse"], tmp_path / "c", progress=False)
    write_csv(path, rows=[*path.read_text().splitlines()[1:-1], "CCC,3"])
    with pytest.raises(UserError, match="the data have changed"):
        compare(config, ["rwse"], tmp_path / "c", progress=False)


def test_a_comparison_knows_its_configuration_and_curves(tmp_path):
    compare(CONFIG, ["rwse"], tmp_path / "c", parts=PARTS, progress=False)
    training = CONFIG.training.model_copy(update={"epochs": 3})
    other = CONFIG.model_copy(update={"training": training})
    with pytest.raises(UserError, match=r"another configuration: training.epochs was 2, now 3"):
        compare(other, ["rwse"], tmp_path / "c", parts=PARTS, progress=False)
    (tmp_path / "c").rename(tmp_path / "moved")
    compare(CONFIG, ["rwse"], tmp_path / "moved", parts=PARTS, progress=False)
    for text in ("", "epoch,seconds\n", "epoch,seconds\n1,x\n", "epoch,seconds\n1,1\n", "a\n1\n"):
        (tmp_path / "moved" / "rwse-seed0" / "metrics.csv").write_text(text)
        with pytest.raises(UserError, match=r"metrics\.csv is damaged .*delete .*rwse-seed0"):
            compare(CONFIG, ["rwse"], tmp_path / "moved", parts=PARTS, progress=False)
    (tmp_path / "moved" / "rwse-seed0" / "metrics.csv").unlink()
    with pytest.raises(UserError, match=r"there is no file .*metrics\.csv; restore it, or delete"):
        compare(CONFIG, ["rwse"], tmp_path / "moved", parts=PARTS, progress=False)


def test_a_number_of_jobs_that_is_none(tmp_path):
    with pytest.raises(ValueError, match="jobs must be at least 1, got 0"):
        compare(CONFIG, ["rwse"], tmp_path / "new", parts=PARTS, jobs=0, progress=False)
    assert not (tmp_path / "new").exists()


def test_a_loss_that_is_no_number_names_its_run(tmp_path):
    hot = CONFIG.model_copy(
        update={"training": CONFIG.training.model_copy(update={"lr": 1e9, "clip": None})}
    )
    with pytest.raises(TrainingStopped, match=r"^none-seed0: "):
        compare(hot, ["none"], tmp_path, parts=PARTS, progress=False)
