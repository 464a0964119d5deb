"""The callbacks of the page, as a browser calls them."""

import json
import re

import pytest

from ogeaug.explore import jobs
from ogeaug.explore.app import FIELDS
from ogeaug.explore.layout import VIEWS
from ogeaug.explore.names import SHAKEN
from ogeaug.explore.state import NAMES, read_query
from tests.explore.page import Asked

MOVES, VERDICT = '{"name":["MATCH"],"type":"moves"}', '{"name":["MATCH"],"type":"apart"}'
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def page():
    return Asked(jobs.make_jobs())


def test_the_page_comes_whole_and_from_here(page):
    text = page.get("/").text
    assert set(re.findall(r"(?:src|href)=\"([^\"]*)\"", text))
    for address in re.findall(r"(?:src|href)=\"([^\"]*)\"", text):
        assert address.startswith("/"), address
    assert page.get("/_dash-layout").status_code == 200


def test_inline_scripts_of_the_page_are_those_of_its_policy(page):
    """Dash has one, and its hash is in the header."""
    import base64
    import hashlib

    answer = page.get("/")
    policy = answer.headers["Content-Security-Policy"]
    scripts = re.findall(r"<script(?![^>]*src=)[^>]*>(.*?)</script>", answer.text, re.DOTALL)
    run = [text for text in scripts if "DashRenderer" in text]
    assert run
    for text in run:
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in policy
    assert "unsafe-eval" not in policy


def test_every_field_of_the_record_has_a_control(page):
    assert {*FIELDS, "text", "text2"} == set(NAMES)
    layout = page.get("/_dash-layout").text.replace('": "', '":"')
    for name in (*FIELDS, "typed", "pick", "typed2", "pick2", *(f"view-{v}" for v in VIEWS)):
        assert f'"id":"{name}"' in layout


def test_every_callback_is_about_something_on_the_page(page):
    """Dash itself cannot tell while some of it comes late."""
    layout = page.get("/_dash-layout").text.replace('": "', '":"')
    for found in page.get("/_dash-dependencies").json:
        outputs = [text.rpartition(".")[0] for text in found["output"].strip(".").split("...")]
        for name in [*outputs, *(given["id"] for given in found["inputs"] + found["state"])]:
            assert not name or name.startswith("{") or f'"id":"{name}"' in layout, name


def test_the_first_page_is_light(page):
    """The largest scripts come when they are needed; what comes is kept by the browser."""
    sizes = {}
    for path in re.findall(r"<script src=\"([^\"]*)\"", page.get("/").text):
        with page.get(path) as answer:
            sizes[path] = len(answer.data)
            if path.startswith("/_dash-component-suites"):
                assert answer.cache_control.max_age >= 86_400, path
    assert not [path for path in sizes if re.search("plotly|ag_grid|cytoscape", path)]
    assert sum(sizes.values()) < 1_400_000


def test_scripts_that_come_late_are_there(page):
    for found in page.late().values():
        assert found["scripts"]
        for path in found["scripts"]:
            answer = page.get(path)
            assert answer.status_code == 200
            assert answer.cache_control.max_age >= 86_400


def test_the_first_view_comes_with_the_page():
    """As still pictures, and as the figures that take their place: nothing is asked for again."""
    state = read_query("")
    page = Asked({}, first=jobs.look(state))
    layout = page.get("/_dash-layout").json
    text = json.dumps(layout)
    assert text.count('"className": "still"') == 8  # alone at first, then under the figures
    (seen,) = [part["props"] for part in parts_of(layout) if part["props"].get("id") == "seen-look"]
    plain = state.model_dump(exclude_none=True)
    assert seen["data"] == {name: plain[name] for name in plain if name != "target"}
    heat = json.dumps(page.late()["slot-look"]["first"])
    assert "data:image/svg+xml" in heat
    assert '"type": "heatmap"' in heat


def parts_of(part):
    children = part["props"].get("children") or []
    yield part
    for child in children if isinstance(children, list) else [children]:
        if isinstance(child, dict):
            yield from parts_of(child)


def test_a_link_sets_the_controls(page):
    found = page.ask("view.value", ["?view=shake&kind=edges&text=0+1&order=3&noise=-2&basis=4"])
    assert found["view"]["value"] == "shake"
    assert found["typed"]["value"] == "0 1"
    assert (found["order"]["value"], found["noise"]["value"]) == (3, -2)
    assert found["basis"]["data"] == 4
    assert found["message"]["children"] == ""


def test_a_bad_link_gives_the_first_view_and_a_message(page):
    found = page.ask("view.value", ["?order=9&text=C"])
    assert "order" in found["message"]["children"]
    assert found["order"]["value"] == 2


def test_look_draws_molecules_and_graphs(page):
    found = page.ask("molecule.figure", [{"text": "CCO"}])
    assert found["molecule-box"]["className"] == "paper"
    assert found["network-box"]["className"] == "unseen"
    (image,) = found["molecule"]["figure"]["layout"]["images"]
    assert image["source"].startswith("data:image/svg+xml;base64,")
    found = page.ask("molecule.figure", [{"kind": "gallery", "text": "Petersen", "node": 3}])
    nodes = [part for part in found["network"]["elements"] if "label" in part["data"]]
    assert len(nodes) == 10
    assert [part["data"]["id"] for part in nodes if part["classes"] == "chosen"] == ["3"]
    assert "seen from node 3" in json.dumps(found["legend"])


def test_sticks_within_delta_share_a_colour_and_name_their_cluster(page):
    def sticks(delta):
        values = {"kind": "gallery", "text": "Petersen", "delta": delta}
        bar = page.ask("molecule.figure", [values])["spectrum"]["figure"]["data"][0]
        return bar["marker"]["color"], [int(c) for c, _ in decoded(bar["customdata"])]

    assert len(set(sticks(-2)[0])) == 3
    assert sticks(-2)[1] == [0, 1, 2]
    assert len(set(sticks(2)[0])) == 1
    assert sticks(2)[1] == [0, 0, 0]


def decoded(array):
    """Plotly sends arrays of numbers as base64."""
    import base64

    import numpy as np

    if isinstance(array, list):
        return array
    flat = np.frombuffer(base64.b64decode(array["bdata"]), array["dtype"])
    return flat.reshape([int(n) for n in array["shape"].split(",")]).tolist()


def test_a_click_on_a_stick_chooses_its_cluster(page):
    found = page.ask("spectrum.clickData", [{"points": [{"customdata": [2, 5]}]}])
    assert found == {"cluster": {"value": 2}, "colour": {"value": "cluster"}}


def test_a_mistake_is_told_and_the_last_picture_stays(page):
    found = page.ask("molecule.figure", [{"text": "C1CC"}])
    assert list(found) == ["look-message"]
    assert "invalid SMILES" in found["look-message"]["children"]
    found = page.ask("molecule.figure", [{"order": 77}])
    assert "order" in found["look-message"]["children"]


def test_tensors_that_are_too_large_are_refused(page):
    star = {"kind": "edges", "text": "\n".join(f"0 {i}" for i in range(1, 120)), "order": 3}
    found = page.ask("molecule.figure", [star])
    assert "GiB" in found["look-message"]["children"]


def test_names_of_nodes_are_text_and_reach_no_figure(page):
    values = {"kind": "edges", "text": f"{HOSTILE.replace(' ', '')} b"}
    found = page.ask("molecule.figure", [values])
    labels = [part["data"].get("label") for part in found["network"]["elements"]]
    assert HOSTILE.replace(" ", "") in labels
    for name in ("spectrum", "features", "sees"):
        assert "onerror" not in json.dumps(found[name])
    found = page.ask("molecule.figure", [{"text": HOSTILE}])
    assert list(found) == ["look-message"]


def test_what_nobody_thought_of_is_told_too(page, caplog):
    """A browser may send anything."""
    found = page.ask("view.value", [{"no": "text"}])
    assert "a callback failed" in caplog.text
    assert found["message"]["children"].startswith("this failed: AttributeError")
    found = page.ask("spectrum.clickData", [{"points": []}])
    assert list(found) == ["message"]


@pytest.mark.parametrize("name", SHAKEN)
def test_each_encoding_is_shaken(page, name):
    values = {"view": "shake", "kind": "gallery", "text": "C12, the ring", "basis": 1}
    place = {"type": "moves", "name": name}
    found = page.ask(MOVES, [values], [place], match=place)
    change = found[key("change", name)]["data"]
    steady = {"oge_aug": change < 1e-3, "spe": change < 1e-3}
    assert steady.get(name, change > 1e-4)
    assert "moved by" in found[key("moved", name)]["children"]


def test_nodes_that_look_alike_are_not_drawn_as_noise(page):
    """On a ring all nodes are the same to OGE-Aug; what rounding leaves is pale, and stays pale."""
    values = {"view": "shake", "kind": "gallery", "text": "C12, the ring", "basis": 1}
    place = {"type": "moves", "name": "oge_aug"}
    found = page.ask(MOVES, [values], [place], match=place)
    for heat in found[key("moves", "oge_aug")]["figure"]["data"]:
        cells = [abs(cell) for row in decoded(heat["z"]) for cell in row]
        assert max(cells) < 0.05 * heat["zmax"]


def key(kind, name):
    return json.dumps({"name": name, "type": kind}, separators=(",", ":"))


@pytest.mark.parametrize(("name", "apart"), [("oge_aug", "yes"), ("vanilla", "no"), ("spe", "no")])
def test_two_graphs_are_told_apart_or_not(page, name, apart):
    values = {"view": "compare", "kind": "gallery", "text": "rook 4x4", "layers": 6}
    place = {"type": "verdict", "name": name}
    found = page.ask(VERDICT, [values], [place], match=place)
    assert found[key("apart", name)]["children"]["props"]["children"] == apart
    assert found[key("verdict", name)]["data"][0] is (apart == "yes")


def test_an_unknown_encoding_is_refused(page):
    place = {"type": "verdict", "name": "__import__"}
    found = page.ask(VERDICT, [{"view": "compare"}], [place], match=place)
    assert "the page shows" in found[key("apart", "__import__")]["children"]


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../app.py",
        "/assets/%2e%2e/app.py",
        "/_dash-component-suites/ogeaug/explore/app.py",
        "/_dash-component-suites/dash/../../../../etc/passwd",
        "/etc/passwd",
        "/_mcp",
        "/_reload-hash",
    ],
)
def test_no_path_of_the_server_can_be_read(page, path):
    answer = page.get(path)
    text = answer.text
    assert "root:" not in text
    assert "import" not in text
    assert answer.status_code in (200, 403, 404, 405, 500)
