import errno
import os
import subprocess
import sys

import pytest
import torch
from typer.testing import CliRunner

import ogeaug.cli
from ogeaug.cli import main as cli
from tests.training.tiny import SMALL, molecules, write_csv

runner = CliRunner()


def call(*arguments):
    return runner.invoke(cli.app, [str(a) for a in arguments])


def test_the_three_commands(tmp_path):
    data = write_csv(tmp_path / "my.csv")
    sets = [part for override in SMALL for part in ("--set", override)]
    done = call("train", "--data-path", data, "--smiles-columns", "smiles", "--target-columns", "y",
                "--task-type", "regression", "--output-dir", tmp_path / "run1", "--epochs", 1,
                "--split-sizes", 0.7, 0.2, 0.1, "--seed", 3, "--quiet", *sets)  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "rmse" in done.output
    done = call("predict", "--test-path", data, "--model-paths", tmp_path / "run1",
                "--preds-path", tmp_path / "preds.csv", "--quiet")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert len((tmp_path / "preds.csv").read_text().splitlines()) == 41
    done = call("encode", "--data-path", data, "--output", tmp_path / "z.parquet", "--quiet",
                "--model-path", tmp_path / "run1")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "40 graphs" in done.output
    assert call("train", "--resume", tmp_path / "run1", "--quiet").exit_code == 0


def test_errors_have_no_traceback(tmp_path):
    done = call("train", "--data-path", tmp_path / "no.csv", "--output-dir", tmp_path / "r")
    assert done.exit_code == 1
    assert "Error: there is no file" in done.output
    assert "Traceback" not in done.output


def test_figures_that_are_not_defined(tmp_path):
    rows = [f"{s},{i % 2}" for i, s in enumerate(molecules(9))]  # one molecule to validate on
    data = write_csv(tmp_path / "c.csv", rows=rows)
    sets = [part for override in SMALL for part in ("--set", override)]
    done = call("train", "--data-path", data, "--task-type", "classification", "--quiet",
                "--epochs", 1, "-o", tmp_path / "r", *sets)  # fmt: skip
    again = call("train", "--resume", tmp_path / "r", "--quiet")
    for shown in (done, again):
        assert shown.exit_code == 0, shown.output
        assert "nan: not defined on that part (it has one class only" in shown.output


@pytest.mark.parametrize("extra", [["--epochs", 3], ["--set", "a=1"], ["--ensemble-size", 2]])
def test_a_run_is_resumed_as_it_was_started(tmp_path, extra):
    done = call("train", "--resume", tmp_path, *extra)
    assert done.exit_code == 1
    assert "leave out all other options" in done.output


def test_a_disk_that_is_full_in_the_middle(tmp_path, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("ogeaug.files.tensors.write_tensors", full)
    monkeypatch.setattr("ogeaug.model.file.write_tensors", full)
    sets = [part for override in SMALL for part in ("--set", override)]
    data = write_csv(tmp_path / "my.csv")
    done = call("train", "--data-path", data, "-o", tmp_path / "r", "--quiet", *sets)
    assert done.exit_code == 1
    assert "make room, then call it again (training: ogeaug train --resume" in done.output
    assert not (tmp_path / "r" / "config.json").exists()


def test_a_measure_beyond_the_memory(monkeypatch):
    def too_much(*args, **kwargs):
        torch.empty(2**50)

    monkeypatch.setattr("ogeaug.measure.invariance.basis_error", too_much)
    done = call("measure", "invariance", "-e", "rwse")
    assert done.exit_code == 1
    assert "Error: the memory of this machine does not suffice: " in done.output
    assert isinstance(done.exception, SystemExit)


@pytest.mark.parametrize("command", ["reproduce pattern", "compare --config pattern"])
def test_ctrl_c_before_a_run_says_how_to_go_on(command, tmp_path, monkeypatch):
    def press(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("ogeaug.reproduce.run.make_schedule", press)
    monkeypatch.setattr("ogeaug.compare.run.prepare", press)
    done = call(*command.split(), "-o", tmp_path / "out", "--quiet")
    assert done.exit_code == 130
    assert "Interrupted while no run was under way; continue by  the same call" in done.output


def test_output_dir_is_asked_for():
    assert "--output-dir run1" in call("train", "--dataset", "nci").output


@pytest.mark.parametrize("command", ["", *cli.COMMANDS])
def test_help_imports_nothing_heavy(command):
    code = (
        "import sys; from ogeaug.cli.main import app\n"
        f"try: app({[*command.split(), '--help']})\n"
        "except SystemExit: pass\n"
        "print([m for m in ('torch', 'rdkit', 'lightning', 'pandas', 'pyarrow', 'numpy') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
    assert command in done.stdout


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_list_says_what_the_command_says(name):
    assert cli.load_command(name).help.split("\n\n")[0] == cli.COMMANDS[name]


@pytest.fixture
def extra(monkeypatch, tmp_path):
    """Adds a command, with that source."""

    def add(name, source):
        (tmp_path / f"{name}.py").write_text(source)
        monkeypatch.setattr(ogeaug.cli, "__path__", [*ogeaug.cli.__path__, str(tmp_path)])
        monkeypatch.setitem(cli.COMMANDS, name, "An extra command.")

    before = set(sys.modules)
    yield add
    for module in set(sys.modules) - before:
        if module.startswith("ogeaug.cli."):
            del sys.modules[module]


def test_commands_are_loaded_when_called(extra):
    extra("several", "import typer\napp = typer.Typer()\n"
          "@app.command()\ndef one(times: int = 1):\n    print('called', times)\n"
          "@app.command()\ndef two():\n    print('other')\n")  # fmt: skip
    assert "An extra command." in call("--help").output
    assert "ogeaug.cli.several" not in sys.modules
    assert call("several", "one", "--times", 3).output.strip() == "called 3"


@pytest.mark.parametrize("command", [[], ["measure"], ["compare"], ["train"]])
def test_help_lists_no_installation(command):
    done = call(*command, "--help")
    assert done.exit_code == 0
    assert "completion" not in done.output


def test_a_terminal_without_utf_8(extra):
    extra("spinner", "import typer\napp = typer.Typer()\n"
          "@app.command()\ndef one():\n    print('\\u280b on')\n")  # fmt: skip
    done = CliRunner(charset="ascii").invoke(cli.app, ["spinner"])
    assert (done.exit_code, done.output) == (0, "? on\n")


@pytest.mark.parametrize("arguments", [["train", "--epochs", "0"], ["predict"], ["fly"]])
def test_wrong_usage(arguments):
    assert call(*arguments).exit_code == 2


@pytest.mark.parametrize(("before", "after"), [(None, "1"), ("0", "0")])
def test_large_tensors_get_large_pages_unless_the_user_says_no(monkeypatch, before, after):
    monkeypatch.setenv("THP_MEM_ALLOC_ENABLE", before or "")
    if before is None:
        monkeypatch.delenv("THP_MEM_ALLOC_ENABLE")
    assert call("data", "list").exit_code == 0
    assert os.environ["THP_MEM_ALLOC_ENABLE"] == after
