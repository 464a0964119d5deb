"""The notebooks run from top to bottom, and show what they say."""

import json
import tempfile
from pathlib import Path

import matplotlib
import pytest

FOLDER = Path(__file__).parents[1] / "examples/notebooks"


def run(name, *shorter):
    """Names of a notebook after its last cell, with words exchanged to make it shorter."""
    matplotlib.use("agg")
    book = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    names = {"__name__": "notebook"}
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            text = "".join(cell["source"])
            for before, after in shorter:
                text = text.replace(before, after)
            exec(compile(text, name, "exec"), names)
    return names


def test_all_are_tested():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == {
        "pyg_model",
        "molecules",
        "expressivity_and_stability",
    }


def test_pyg_model():
    curves = run("pyg_model")["curves"]
    assert min(curves["GIN, with OGE-Aug"]) < 0.7 * min(curves["GIN"])


def test_molecules(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names = run("molecules", ("epochs=20", "epochs=2"), ("[:600]", "[:60]"))
    assert names["result"].metrics["test"]["rmse"] > 0
    lines = (names["folder"] / "predicted.csv").read_text().splitlines()
    assert len(lines) == 4
    assert lines[3].startswith("oops,C1CC,")
    assert "ok" not in lines[3]


def test_expressivity_and_stability(capsys):
    names = run("expressivity_and_stability")
    assert names["curve"].changes
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in told[:3]] == ["False", "False", "True"]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_pictures_are_kept_and_small(path):
    text = path.read_text(encoding="utf-8")
    assert "image/png" in text
    assert len(text) < 200_000
