"""The documentation as a site: it builds without a warning, and what it shows can be run."""

import importlib
import inspect
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from ogeaug.cli.main import COMMANDS, load_command
from tests.training.tiny import write_csv

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")])
ASSUMED = {
    "encodings.md": """
import torch
from torch_geometric.data import Batch, Data
from torch_geometric.transforms import Compose
batch = Batch.from_data_list([Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)])
""",
    "train.md": """
import networkx as nx
import ogeaug, torch
from ogeaug.data import generate_pattern
train, val, test = (generate_pattern(4, seed) for seed in range(3))
networkx_graphs = [nx.path_graph(3 + i % 5) for i in range(100)]
""",
}
"""What a page leaves to its reader."""
SHORTER = {
    "data.md": [('"cluster"', '"my.csv"')],
    "train.md": [
        ("training.epochs=20", "training.epochs=1"),
        ('"pattern_oge_lap")', '"pattern_oge_lap", ["training.epochs=1", "backbone.layers=1"])'),
        ('"task.targets=[edges]"', '"task.targets=[edges]", "training.epochs=1"'),
    ],
}
"""Words of a page, and what the test puts in their place to save time."""
RUN = sorted(page.name for page in ROOT.glob("docs/*.md") if "```python" in page.read_text("utf-8"))
PUBLIC = ["encodings", "transforms", "data", "training", "inference", "compare", "measure", "model"]


def commands(page):
    """Lines of code blocks that call ``ogeaug``, continued lines joined."""
    for block in re.findall(r"```(?:bash|sh|)\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip().startswith("ogeaug "):
                yield line.strip()


LINES = [(page.name, line) for page in PAGES for line in commands(page)]


@pytest.mark.parametrize("page", RUN)
def test_python_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    write_csv(tmp_path / "my.csv")
    names = {"__name__": "page"}
    exec(ASSUMED.get(page, ""), names)
    for block in blocks:
        for before, after in SHORTER.get(page, []):
            block = block.replace(before, after)
        exec(compile(block, page, "exec"), names)


@pytest.mark.parametrize(("page", "line"), LINES, ids=[f"{p}: {line[:60]}" for p, line in LINES])
def test_commands_have_the_options_that_pages_show(page, line):
    _, name, *arguments = shlex.split(line, comments=True)
    assert name in COMMANDS
    if "..." in arguments or not arguments:
        return
    command = load_command(name)
    context = typer.Context(command)
    while isinstance(command, typer.core.TyperGroup):
        sub, *arguments = arguments
        assert sub in command.list_commands(context), line
        command = command.get_command(context, sub)
    command.make_context(name, arguments)  # fails for an unknown option


def sentences(text):
    """Of paragraphs, points of lists and cells of tables; no code."""
    text = re.sub(r"```.*?```", "\n\n", text, flags=re.DOTALL)
    for block in re.split(r"\n\s*\n|\n(?=[-*] |\|)", text):
        for part in block.split("|") if block.startswith("|") else [block]:
            yield from re.split(r"(?<=[.:?!])\s+(?=[A-Z`*\[])", " ".join(part.split()))


@pytest.mark.parametrize("page", ["encodings.md", "train.md", "reproduce.md"])
def test_sentences_are_short(page):
    found = list(sentences((ROOT / "docs" / page).read_text("utf-8")))
    assert len(found) > 20
    assert [s for s in found if len(s.split()) > 35] == []


def test_every_public_name_is_on_an_api_page():
    text = "\n".join(path.read_text("utf-8") for path in ROOT.glob("docs/api/*.md"))
    shown = set(re.findall(r"^::: (\S+)$", text, re.MULTILINE))
    for room in PUBLIC:
        module = importlib.import_module(f"ogeaug.{room}")
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                assert f"{thing.__module__}.{thing.__qualname__}" in shown


def test_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path / "site")]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "site/api/encodings.html").is_file()
    # Nothing is fetched when a page is opened.
    for page in (tmp_path / "site").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(
            r"<(?:script|link|img)[^>]+(?:src|href)=.?https?://(?!.*canonical)", text
        )


def test_formulas_are_drawn_without_a_script():
    pytest.importorskip("latex2mathml")
    pytest.importorskip("griffe")
    sys.path.insert(0, str(ROOT / "docs/api"))
    try:
        from docstrings import as_markdown
    finally:
        sys.path.pop(0)
    text = "It costs :math:`O(n)`, see :func:`cost`.\n\n"
    text += "    .. math:: a = b,\n        c = d\n\n    More."
    shown = as_markdown(text)
    assert shown.startswith("It costs <span><math")
    assert "`cost`" in shown
    assert shown.count("</math>") == 2
    assert shown.endswith("    More.")
    assert ":math" not in shown
    assert ".. math" not in shown
