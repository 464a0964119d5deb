"""The models that come with the package."""

import csv
import gzip
import statistics

import pytest

from ogeaug import load_model
from ogeaug.errors import UserError
from ogeaug.inference.find_models import find_model
from ogeaug.inference.predict import predict_table
from ogeaug.model.folder import SHIPPED, find_folder
from tests.tables import table

MOST_BYTES = 3 * 2**20


@pytest.mark.parametrize("name", SHIPPED)
def test_is_small_and_says_how_it_was_made(name):
    folder = find_folder(name)
    assert sum(file.stat().st_size for file in folder.iterdir()) < MOST_BYTES
    assert "validation" in (folder / "README.md").read_text()


def test_predicts_a_table_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.csv").write_text("smiles\nCC(=O)Oc1ccccc1C(=O)O\nc1ccccc1CCN\nno molecule\n")
    predict_table("in.csv", ["zinc"], "out.csv", progress=False)
    rows = _read(tmp_path / "out.csv")
    first, second = (float(row["pred_y"]) for row in rows[:2])
    assert abs(first - second) > 0.1
    assert not rows[2]["pred_y"]


def test_a_folder_of_ones_own_goes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_model("zinc") == find_folder("zinc")
    (tmp_path / "zinc").mkdir()  # of data, say
    assert find_folder("zinc").parent.name == "shipped"
    load_model("zinc").save_pretrained(tmp_path / "zinc")
    assert find_model("zinc").resolve() == (tmp_path / "zinc").resolve()


def test_an_unknown_name_lists_those_that_there_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=r"no folder zink.*comes with the package: zinc"):
        load_model("zink")


def test_zinc_is_as_good_as_its_page_says(tmp_path):
    """The median error on some of the official validation molecules, where they are at hand."""
    with gzip.open(table("zinc12k_val.csv.gz"), "rt") as file:
        lines = file.readlines()[:201]
    (tmp_path / "in.csv").write_text("".join(lines))
    predict_table(tmp_path / "in.csv", ["zinc"], tmp_path / "out.csv", progress=False)
    rows = _read(tmp_path / "out.csv")
    errors = [abs(float(row["pred_y"]) - float(row["y"])) for row in rows]
    assert statistics.median(errors) < 0.05  # 0.0483 when it was shipped


def _read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
