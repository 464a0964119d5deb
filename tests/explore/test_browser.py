"""What people do with the page, in a browser."""

import re
from pathlib import Path

import pytest

from tests.explore.browser import Visitor, served, started


@pytest.fixture(scope="module")
def browser():
    with started() as found:
        yield found


@pytest.fixture(scope="module")
def address(browser):
    with served() as (found, _):
        yield found


@pytest.fixture
def visit(browser, address):
    made = []

    def make(query="", until="#spectrum .bars .point", **options):
        made.append(Visitor(browser, address, **options).open(query, until))
        return made[-1]

    yield make
    for visitor in made:
        visitor.leave()


def field(visitor, name):
    return visitor.page.locator(f"input#{name}").input_value()


def settled(visitor, name, value):
    visitor.until(f"document.querySelector('input#{name}').value === '{value}'")


def test_put_a_graph_in(visit):
    """Type a SMILES, make a mistake, mend it; paste edges and graph6; choose from the gallery."""
    person = visit()
    atoms = "document.querySelectorAll('#molecule .points .point').length === {}"
    person.until(atoms.format(14))
    person.page.fill("#typed", "CCO")
    person.until(atoms.format(3))
    person.page.fill("#typed", "CCO(")
    person.until("document.querySelector('#look-message').innerText.includes('invalid SMILES')")
    person.page.fill("#typed", "c1ccccc1")
    person.until(atoms.format(6))
    assert person.text("#look-message") == ""
    person.page.click("text=edge list")
    person.page.fill("#typed", "a b\nb c\nc a\nc <b>d</b>")
    person.until("document.querySelector('#legend').innerText.includes('4 nodes and 4 edges')")
    person.page.click("text=graph6")
    person.page.fill("#typed", "IheA@GUAo")
    person.until("document.querySelector('#legend').innerText.includes('10 nodes and 15 edges')")
    person.page.click("#kind >> text=gallery")
    person.page.click("#pick")
    person.page.click("text=Shrikhande")
    person.until("document.querySelector('#legend').innerText.includes('16 nodes and 48 edges')")


def test_change_a_molecule_step_by_step(visit):
    """Choose an atom, see what it can become, take one; the atom stays chosen."""
    person = visit("?text=CCO&node=2")
    person.page.click("text=Change the molecule")
    person.wait("#edits img.molecule")
    person.page.click("#edits button:has-text('become N')")
    person.until("document.querySelector('#typed').value === 'CCN'")
    settled(person, "node", 2)
    person.page.click("#edits button[title='CCNC']")  # not of the gallery before, which has CCOC
    person.until("document.querySelector('#typed').value === 'CCNC'")
    person.page.click("text=edge list")
    person.until("document.querySelector('#edits-box').hidden")


def test_look_at_it(visit):
    """A stick chooses its cluster; node, row and atom are one choice; sliders move."""
    person = visit("?text=c1ccccc1")
    person.click_at("#spectrum .bars .point path", 0.5, 0.9, number=2)
    settled(person, "cluster", 2)
    person.until("document.querySelector('#legend').innerText.includes('cluster 2')")
    person.click_at("#features .heatmaplayer image", 3.5 / 16, 4.5 / 6)
    settled(person, "node", 4)
    settled(person, "channel", 3)
    person.until("document.querySelector('#legend').innerText.includes('channel 3')")
    assert person.page.locator("#features .shapelayer path").count() == 2
    person.click_at("#molecule .points .point", number=1)
    settled(person, "node", 1)
    before = person.text("#legend")
    person.page.locator("#delta [role=slider]").focus()
    for _ in range(14):
        person.page.keyboard.press("ArrowRight")
    person.until(f"document.querySelector('#legend').innerText !== {before!r}")
    assert re.search(r"delta = \d", person.text("#delta-value"))


def test_the_first_view_waits_for_no_large_script(visit):
    """Drawing and heat map are seen before Plotly is there; then they are live, and not twice."""
    person = visit(until=None)
    held = []
    person.page.route("**/plotly*.js", lambda route: held.append(route))
    person.open(until=".still")
    assert person.page.locator(".still").count() == 4
    for name in ("molecule-box", "slot-look .card:nth-child(3)"):
        box = person.page.locator(f"#{name} .still").bounding_box()
        assert min(box["width"], box["height"]) > 200
    person.until("performance.getEntriesByType('paint').length > 0")
    while not held:
        person.page.wait_for_timeout(40)
    held[0].continue_()
    person.wait("#features .heatmaplayer image")
    person.until("document.querySelectorAll('.js-plotly-plot .main-svg').length >= 8")
    assert not any(found.is_visible() for found in person.page.locator(".still").all())


def test_only_the_view_that_is_seen_asks(visit):
    person = visit()
    asked = []
    person.page.on("request", lambda request: asked.append(request.post_data or ""))
    person.page.fill("#typed", "CCO")
    person.until("document.querySelectorAll('#molecule .points .point').length === 3")
    assert [text for text in asked if "seen-" in text]
    assert not [text for text in asked if '"seen-look"' not in text and "seen-" in text]
    assert person.page.locator("#changes, #verdicts, #grid").count() == 0


def test_the_whole_page_by_keyboard(visit):
    person = visit()
    person.page.locator("#view input").first.focus()
    person.page.keyboard.press("ArrowRight")
    person.wait("#changes .bars .point")
    assert "view=shake" in person.page.url
    person.page.locator("#turn").focus()
    person.page.keyboard.press("Enter")
    person.until("document.querySelector('#shaken').innerText.includes('basis no. 1')")


def test_tab_reaches_every_control_once_and_shows_where_it_is(visit):
    person = visit("?text=CCO&node=2")
    focus = """(() => {
      const now = document.activeElement, option = now.closest(".dash-options-list-option");
      const near = [now, now.parentElement, option && option.querySelector(".choice-label")];
      const marked = near.filter(Boolean).map((part) => window.getComputedStyle(part)).some(
        (style) => parseFloat(style.outlineWidth) && style.outlineStyle !== "none"
          || style.boxShadow !== "none");
      return [now.tagName === "BODY" ? "" : now.closest("[id]").id, marked];
    })()"""
    order = []
    while True:
        person.page.keyboard.press("Tab")
        name, marked = person.page.evaluate(focus)
        if not name:
            break
        assert marked, name
        order.append(name)
    wanted = ["view", "link", "theme", "kind", "typed", "edits-box", "file", "delta", "k", "order"]
    wanted += ["layers", "seed", "colour", "cluster", "channel", "node"]
    assert [name for name in order if name in wanted] == wanted
    assert len([name for name in order if "save" in name]) == 8


def test_shake_it(visit):
    """The paper's claim: OGE-Aug stays where it is while LapPE jumps."""
    person = visit("?view=shake&kind=gallery&text=C12%2C+the+ring", "#changes .bars .point")
    person.page.click("#still")
    person.until("document.querySelector('#shaken').innerText.includes('nothing')")
    person.page.click("#turn")
    person.page.click("#shuffle")
    person.until(
        "document.querySelector('#shaken').innerText.includes('basis no. 1') && "
        "document.querySelector('#shaken').innerText.includes('numbering no. 1') && "
        "document.querySelectorAll('#changes .bars .point').length === 5"
    )

    def moved(name):
        text = person.page.locator(f"[id*='{name}'][id*='\"moved\"']").inner_text()
        return float(re.search(r"by (\S+) %", text)[1])

    person.page.wait_for_timeout(500)
    assert moved("oge_aug") < 1e-9
    assert moved("lap_pe") > 1


def test_compare_two_graphs(visit):
    person = visit("?view=compare&layers=6", "#drawing1, #molecule1 .points")
    person.page.click("#pair")
    person.page.click("text=rook 4x4 and Shrikhande")
    cell = "document.querySelector(`[id*='\"name\":\"{}\"'][id*='apart']`).innerText === '{}'"
    person.until(cell.format("oge_aug", "yes"))
    person.until(cell.format("spe", "no"))
    person.until("document.querySelectorAll('.verdicts .yes, .verdicts .no').length === 9")
    person.until("document.querySelectorAll('#verdicts .points .point').length >= 18")


def test_a_link_restores_the_view(visit):
    first = visit("?kind=gallery&text=Petersen&node=3&cluster=2&delta=-2")
    first.until("document.querySelector('#legend').innerText.includes('seen from node 3')")
    second = visit(first.page.locator("#link").get_attribute("href"))
    second.until("document.querySelector('#legend').innerText.includes('seen from node 3')")
    assert first.text("#legend") == second.text("#legend")
    assert field(second, "cluster") == "2"
    assert second.text("#delta-value") == "delta = 0.01"


def test_pictures_are_saved(visit):
    person = visit()
    signs = {"svg": b"<svg", "png": b"\x89PNG"}

    def save(figure, kind):
        with person.page.expect_download() as found:
            person.page.click(f"[id*='\"figure\":\"{figure}\"'][id*='{kind}']")
        assert found.value.suggested_filename == f"ogeaug-{figure}.{kind}"
        content = Path(found.value.path()).read_bytes()
        assert signs[kind] in content[:200]
        assert len(content) > 1_000

    for kind in signs:
        save("spectrum", kind)
        save("drawing", kind)
    person.page.click("#kind >> text=gallery")
    person.until("document.querySelector('#network-box').className === 'seen'")
    for kind in signs:
        save("drawing", kind)


def test_hostile_text_is_text(visit):
    hostile = "%3Cimg+src%3Dx+onerror%3D%22window.caught%3D1%22%3E"
    person = visit(f"?order={hostile}&text={hostile}")
    person.until("document.querySelector('#message').innerText.includes('onerror')")
    for kind, place in (("SMILES", "look-message"), ("edge list", "look-message")):
        person.page.click(f"text={kind}")
        person.page.fill("#typed", "<img src=x onerror='window.caught=1'>")
        person.until(f"document.querySelector('#{place}').innerText.includes('<img')")
    assert person.page.evaluate("window.caught") is None
    assert person.page.locator("img[src=x]").count() == 0


def test_a_phone_and_the_dark(visit):
    person = visit(viewport={"width": 390, "height": 800}, color_scheme="dark")
    width = person.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = person.page.evaluate(ground)
    person.page.click("#theme")
    person.until(f"{ground} !== '{dark}'")


@pytest.fixture(scope="module")
def with_model(browser, run):
    with served("--model", str(run)) as (found, _):
        yield found


def test_with_a_model(browser, with_model, tmp_path):
    """Type a molecule, drop a table, sort it, click a row, take it home."""
    person = Visitor(browser, with_model).open("?view=model&text=CCO", "#shares .points .point")
    person.until("document.querySelectorAll('#nearest img').length === 5")
    assert "atoms add" in person.text("#prediction")
    hostile = "<img src=x onerror='window.caught=1'>"
    table = tmp_path / "my.csv"
    table.write_text(
        f'smiles,"{hostile}"\nC1CC,=1+1\nCCO,{hostile}\nc1ccccc1,-5\n', encoding="utf-8"
    )
    person.page.set_input_files("#file input", table)
    person.until("document.querySelectorAll('.ag-cell img.molecule').length === 2")
    row = ".ag-center-cols-container [row-index='{}']"
    person.page.click(".ag-header-cell-text >> text=pred_y")
    person.until(f"document.querySelector(`{row.format(2)}`).innerText.includes('syntax error')")
    person.page.click(row.format(0) + " .ag-cell >> nth=0")
    first = person.page.locator(row.format(0) + " .ag-cell").first.inner_text()
    person.until(f"document.querySelector('#typed').value === '{first}'")
    with person.page.expect_download() as found:
        person.page.click("#download")
    lines = Path(found.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == f'"smiles","{hostile}","pred_y","status"'
    assert sorted(line.split(",")[1] for line in lines[1:]) == ['"\'=1+1"', '"-5"', f'"{hostile}"']
    person.page.keyboard.press("Shift+Tab")
    person.page.locator(row.format(0) + " .ag-cell").first.focus()
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Space")
    second = person.page.locator(row.format(1) + " .ag-cell").first.inner_text()
    person.until(f"document.querySelector('#typed').value === '{second}'")
    assert person.page.evaluate("window.caught") is None
    large = tmp_path / "large.csv"
    large.write_text("smiles\n" + "CCCCCCCCC\n" * 300_000, encoding="utf-8")
    person.page.set_input_files("#file input", large)
    person.until("document.querySelector('#table-message').innerText.includes('too large')")
    person.leave()
