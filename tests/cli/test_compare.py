"""ogeaug compare, from the command line to the table."""

import re

import pytest
from typer.testing import CliRunner

from ogeaug.cli.main import app
from ogeaug.training.config import load_config

SMALL = [
    "--set=training.tensorboard=false",
    "--set=backbone.layers=1",
    "--set=backbone.channels=48",
    "--set=encodings.0.hidden_channels=8",
    "--set=encodings.0.num_layers=1",
    "--epochs=1",
    "--quiet",
    "--preset=equal-width",
]


def run(*arguments):
    return CliRunner().invoke(app, ["compare", *arguments])


def test_molecules(tmp_path):
    data = ["--config=default", "--set=data.name=nci", "--set=data.limit=30"]
    wanted = ["--encodings=rwse,none", "--seeds=0,1", "-o", str(tmp_path / "x")]
    found = run(*data, *wanted, *SMALL)
    assert found.exit_code == 0, found.output
    assert "| `rwse` |" in found.output
    assert (tmp_path / "x" / "none-seed1" / "results.json").is_file()


def test_a_folder_of_its_own_by_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = ["--config=default", "--set=data.name=nci", "--set=data.limit=30"]
    found = run(*data, "--encodings=rwse, none", *SMALL)
    assert found.exit_code == 0, found.output
    assert (tmp_path / "compare-default" / "none-seed0" / "results.json").is_file()


@pytest.mark.parametrize("name", ["pattern", "cluster"])
def test_generated_graphs(tmp_path, name):
    wanted = ["--encodings=lap_pe", "--option=lap_pe.k=3", "-o", str(tmp_path / "x")]
    found = run(f"--config={name}", "--set=data.limit=3", *wanted, *SMALL)
    assert found.exit_code == 0, found.output
    assert "val accuracy" in found.output


def test_minutes_that_are_too_few(tmp_path):
    small = [part for part in SMALL if part != "--epochs=1"]
    data = ["--config=default", "--set=data.name=nci", "--set=data.limit=30", *small]
    arguments = ["-o", str(tmp_path / "x"), "--minutes=1e-9", "--encodings=none"]
    found = run(*data, *arguments)
    assert found.exit_code == 1
    least = re.search(r"one epoch of none .*allow at least (\S+),", " ".join(found.output.split()))
    assert float(least[1]) > 0
    found = run(*data, *arguments, "--set=training.epochs=3")
    assert "epochs would be ignored; leave one out" in " ".join(found.output.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seeds=1_0"], "--seeds takes numbers with commas"),
        (["--seeds=a"], "--seeds takes numbers with commas"),
        (["--option=k=3"], "--option takes encoding.option=value"),
        (["--option=spe.k=[", "--encodings=spe"], "--option spe.k=[: the value is no valid YAML"),
        (["--option=none.k=3", "--encodings=none"], "it has no options, got k"),
        (["--option=oge_aug.delta=0e-2", "--encodings=oge_aug"], "delta must be positive"),
        (["--encodings=oge"], "unknown encoding 'oge'; choose from oge_aug, oge_pairs,"),
        (["--minutes=1", "--encodings=none"], "epochs would be ignored; leave one out"),
        (["--seeds=" + "1" * 5000], "--seeds takes numbers with commas"),
        (["--option=rwse.steps=3"] * 2, "--option rwse.steps is given twice; leave one out"),
        (
            ["--option=rwse.name=spe", "--encodings=rwse"],
            "it cannot be given another name",
        ),
        (["--encodings=rwse", "--set=task.units={z: m}"], "task.units has z, which is no target"),
    ],
)
def test_bad_input_is_refused_without_traceback(tmp_path, arguments, message):
    data = ["--config=default", "--set=data.name=nci", "--set=data.limit=30", *SMALL]
    found = run(*data, "-o", str(tmp_path / "x"), *arguments)
    assert found.exit_code == 1
    assert message in " ".join(found.output.split())
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("name", ["zinc", "cycles", "cluster"])
def test_shipped_configurations_can_be_compared(name):
    from ogeaug.compare.plan import plan_configs
    from ogeaug.compare.width import count_parameters
    from ogeaug.data.convert import with_sizes

    config = load_config(name)
    config = config.model_copy(update={"features": with_sizes(config.features)})
    names = ["oge_aug", "spe", "signnet", "basisnet", "peg", "lap_pe", "es_lap_pe", "rwse", "none"]
    plans = plan_configs(config, names)
    assert plans["none"].encodings == []
    counts = {label: count_parameters(plan) for label, plan in plans.items()}
    assert max(counts.values()) <= 1.04 * min(counts.values()), counts
    assert all(p.backbone.channels >= config.backbone.channels for p in plans.values())
