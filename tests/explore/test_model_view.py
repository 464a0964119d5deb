"""A model on the page, as a browser asks it."""

import base64
import json
from pathlib import Path

import pytest

from ogeaug.errors import UserError
from ogeaug.explore import jobs, model_jobs
from ogeaug.explore.work import find_explored
from tests.explore.page import Asked

MODELS = Path(__file__).parents[1] / "fixtures/models"
HOSTILE = "<img src=x onerror=alert(1)>"
TABLE = f'smiles,"{HOSTILE}"\nCCO,a.b\nC1CC,{HOSTILE}\nc1ccccc1,=1+1\n'


def page_of(folder):
    model = find_explored(folder)
    own = model_jobs.ModelJobs(model.folder, model.parts)
    return Asked(model_jobs.table_jobs() | own.jobs(), about=own.about())


@pytest.fixture(scope="module")
def page(run):
    return page_of(run)


def upload(text):
    return {"contents": "data:text/csv;base64," + base64.b64encode(text.encode()).decode()}


def test_a_molecule_has_prediction_shares_and_neighbours(page, run):
    found = page.ask("prediction.children", [{"view": "model", "text": "CCO"}])
    text = json.dumps(found["prediction"])
    assert "atoms add" in text
    assert found["model-message"]["children"] == ""
    (trace,) = found["shares"]["figure"]["data"]
    assert len(trace["x"]) == 3
    assert len(found["nearest"]["children"]) == 5
    image = found["nearest"]["children"][0]["props"]["children"][0]["props"]
    assert image["src"].startswith("drawing.svg?smiles=")
    assert page.get("/" + image["src"]).status_code == 200


def test_a_graph_that_is_no_molecule_is_refused(page):
    found = page.ask("prediction.children", [{"view": "model", "kind": "edges", "text": "0 1"}])
    assert list(found) == ["model-message"]
    assert "takes molecules" in found["model-message"]["children"]


def test_a_table_gets_predictions_and_reasons(page):
    found = page.ask("grid.columnDefs", [upload(TABLE)])
    heads = [column["headerName"] for column in found["grid"]["columnDefs"]]
    assert heads == ["drawing", "smiles", HOSTILE, "pred_y", "status"]
    fields = [column["field"] for column in found["grid"]["columnDefs"]]
    assert fields == ["drawing", "c0", "c1", "c2", "c3"]
    rows = found["grid"]["rowData"]
    assert [row["c3"] == "ok" for row in rows] == [True, False, True]
    assert "invalid SMILES" in rows[1]["c3"]
    assert (rows[1]["c2"], rows[1]["drawing"]) == ("", "")
    assert float(rows[0]["c2"]) == pytest.approx(float(rows[0]["c2"]))
    assert "1 without a result" in found["table-hint"]["children"]


def test_a_bad_table_is_told_and_the_last_one_stays(page):
    found = page.ask("grid.columnDefs", [upload("a,b\n1,2")])
    assert list(found) == ["table-message"]


def test_cells_are_text_for_the_table(page):
    """No renderer that reads HTML or Markdown, no code in definitions of columns."""
    found = page.ask("grid.columnDefs", [upload(TABLE)])
    for column in found["grid"]["columnDefs"]:
        assert column.get("cellRenderer") in (None, "Drawing")
        assert column.get("comparator") in (None, {"function": "byNumber"})
    assert "dangerously_allow_code" not in page.get("/_dash-layout").text


def test_edits_are_pictures_and_names(page):
    found = page.ask("edits.children", [{"text": "CCO", "node": 2}])
    assert [smiles for smiles, _ in found["edits-found"]["data"]][:2] == ["CCC", "CCN"]
    for asked, says in (
        ({"text": HOSTILE, "node": 0}, "onerror"),
        ({"text": "C"}, "Choose"),
        ({"text": "C" * 151, "node": 0}, "150"),
    ):
        found = page.ask("edits.children", [asked])
        assert says in found["edits"]["children"]["props"]["children"]
        assert found["edits-found"]["data"] == []


def test_drawings_cannot_run_anything(page):
    answer = page.get("/drawing.svg?smiles=CCO")
    assert answer.mimetype == "image/svg+xml"
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    for text in ("%3Cscript%3E", "", "C" * 2000, "../../etc/passwd"):
        refused = page.get(f"/drawing.svg?smiles={text}")
        assert (refused.status_code, refused.mimetype) == (404, "text/plain")


@pytest.mark.parametrize("name", ["classification_rwse", "multiclass_oge_aug", "ensemble_oge_aug"])
def test_models_of_every_kind_predict(name):
    page = page_of(MODELS / name)
    found = page.ask("prediction.children", [{"view": "model", "text": "CCO", "target": 7}])
    text = json.dumps(found)
    assert found["model-message"]["children"] == ""
    assert ("over models" in text) is (name == "ensemble_oge_aug")
    assert "no training molecules to show" in text
    atoms = len(found["shares"]["figure"]["data"][0]["x"])
    assert atoms == (9 if name == "ensemble_oge_aug" else 3)  # with hydrogens


def test_without_a_model_a_table_has_drawings_and_reasons():
    page = Asked(jobs.make_jobs() | model_jobs.table_jobs())
    found = page.ask("grid.columnDefs", [upload(TABLE)])
    assert [row["c2"] == "ok" for row in found["grid"]["rowData"]] == [True, False, True]
    assert "explore --model" in page.get("/_dash-layout").text


def test_a_folder_without_a_model_is_told(tmp_path):
    with pytest.raises(UserError):
        find_explored(tmp_path / "none")
