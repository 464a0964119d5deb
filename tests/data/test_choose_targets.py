"""Targets are never guessed in silence."""

import pytest
import yaml
from typer.testing import CliRunner

from ogeaug.cli import train as command
from ogeaug.cli.main import app
from ogeaug.data import choose_targets
from ogeaug.errors import UserError
from ogeaug.training.prepare import prepare
from tests.training.tiny import SMALL, molecules, tiny_config, write_csv

COLUMNS = "smiles,name,logS,active,part"


@pytest.fixture
def several(tmp_path):
    rows = [f"{s},no. {i},{len(s)},{i % 2},{'val' if i % 5 == 0 else 'train'}"
            for i, s in enumerate(molecules(20))]  # fmt: skip
    return write_csv(tmp_path / "t.csv", header=COLUMNS, rows=rows)


def train(path, folder, *arguments, answer=None):
    sets = [part for override in SMALL for part in ("--set", override)]
    call = ["train", "--data-path", path, "-o", folder, "--quiet", "--epochs", 1, *sets, *arguments]
    return CliRunner().invoke(app, list(map(str, call)), input=answer)


def suggest_targets(config):
    return choose_targets.suggest_targets(config.data, config.split, config.task)


def targets(folder) -> list[str]:
    return yaml.safe_load((folder / "config.yaml").read_text())["task"]["targets"]


def test_asked_where_somebody_can_answer(several, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "_can_ask", lambda: True)
    done = train(several, tmp_path / "r", answer="y\n")
    assert done.exit_code == 0, done.output
    assert "Train on targets: logS, active? [y/N]" in done.output
    assert targets(tmp_path / "r") == ["logS", "active"]
    done = train(several, tmp_path / "q", answer="n\n")
    assert done.exit_code == 1
    assert "name the target column(s) of t.csv, like  --target-columns logS,active" in done.output
    assert not (tmp_path / "q").exists()


def test_refused_where_nobody_can(several, tmp_path):
    done = train(several, tmp_path / "r")
    assert done.exit_code == 1
    assert "Train on targets" not in done.output
    assert "name the target column(s) of t.csv, like  --target-columns logS,active" in done.output
    assert "Columns of numbers: logS, active; ogeaug train takes them all by --yes" in done.output
    assert "--set 'task.targets=[logS]'" in done.output
    assert not (tmp_path / "r").exists()


def test_yes(several, tmp_path):
    done = train(several, tmp_path / "r", "--yes", "--splits-column", "part")
    assert done.exit_code == 0, done.output
    assert targets(tmp_path / "r") == ["logS", "active"]
    assert train(several, tmp_path / "q", "--yes", "--task-type", "multiclass",
                 "--num-classes", 2).exit_code == 0  # fmt: skip
    assert targets(tmp_path / "q") == ["active"]


def test_the_only_column_needs_no_question(table, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "_can_ask", lambda: True)
    done = train(table, tmp_path / "r")
    assert done.exit_code == 0, done.output
    assert "Train on targets" not in done.output
    assert targets(tmp_path / "r") == ["y"]


def test_a_folder_that_is_taken_is_told_before_the_question(several, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "_can_ask", lambda: True)
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "results.json").write_text("{}")
    done = train(several, tmp_path / "r")
    assert "already holds a run" in done.output
    assert "Train on targets" not in done.output


def test_what_can_be_a_target(several, tmp_path):
    assert suggest_targets(tiny_config(several)) == ["logS", "active"]
    assert suggest_targets(tiny_config(several, "task.type=classification")) == ["active"]
    assert suggest_targets(tiny_config(several, "task.targets=[logS]")) == []
    twice = write_csv(tmp_path / "2.csv", header="smiles,a,a,b", rows=["C,1,2,3"] * 9)
    assert suggest_targets(tiny_config(twice)) == ["b"]
    index = write_csv(tmp_path / "3.csv", header=",smiles,a", rows=[f"{i},C,{i}" for i in range(9)])
    assert prepare(tiny_config(index), progress=False).config.task.targets == ["a"]


@pytest.mark.parametrize(
    ("header", "row", "message"),
    [
        ("smiles,name,maker", "C,a,b", "has no column of numbers to train on.*name, maker"),
        ("smiles", "C", "has no column of numbers to train on.*no other column"),
        ('smiles,"a, b",c', "C,1,2", r"like  --set 'task.targets=\[\"a, b\", \"c\"\]'  "),
    ],
)
def test_nothing_to_train_on(tmp_path, header, row, message):
    path = write_csv(tmp_path / "t.csv", header=header, rows=[row] * 9)
    with pytest.raises(UserError, match=message):
        prepare(tiny_config(path), progress=False)


def test_a_number_that_swallowed_rows_is_no_word(tmp_path):
    text = 'smiles,a,b,note\nC,1,2,"one\ntwo"\nCC,"3\nCCC,4",5,\nCCCC,5,6,\n'
    (tmp_path / "t.csv").write_text(text)
    config = tiny_config(tmp_path / "t.csv", "data.multiline=true")
    with pytest.raises(UserError, match="begins in line 4 has a line break in column 'a'"):
        suggest_targets(config)
    (tmp_path / "t.csv").write_text(text.replace('"3\nCCC,4"', "3"))
    assert suggest_targets(config) == ["a", "b"]


def test_two_columns_of_one_name_are_named(tmp_path):
    rows = [f"{s},{len(s)},{len(s)}" for s in molecules(20)]
    table = write_csv(tmp_path / "t.csv", header="smiles,y,y", rows=rows)
    with pytest.raises(UserError, match="has two columns y; give them different names"):
        prepare(tiny_config(table, "task.targets=[]"), progress=False)
