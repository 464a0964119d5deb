"""Examples of the documentation run as they stand, and its words are those of the house."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")]
CODE = sorted(ROOT.glob("ogeaug/**/*.py"))
THINGS = "node|graph|row|column|layer|step|epoch|target|edge|file|batch|second|seed|run|pair"
ARTICLE = re.compile(
    rf"\b(one|(a|one) (line|row|number|weight|colour|call)|ms|MiB|seconds|once) an? ({THINGS})\b",
    re.IGNORECASE,
)


def examples(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def test_first_example_runs():
    names = {}
    exec(examples("README.md")[0], names)
    assert names["x"].shape == (10, 29)


def test_picture_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (example,) = (text for text in examples("docs/measure.md") if "draw_encoding" in text)
    exec(example, {})
    assert (tmp_path / "petersen.png").read_bytes().startswith(b"\x89PNG")
    assert "draw_encoding" in (ROOT / "README.md").read_text(encoding="utf-8")


def texts(path):
    """What a reader sees of a file: a page whole, of code the strings, docstrings among them."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return [text]
    found = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    return [value for value in found if isinstance(value, str)]


@pytest.mark.parametrize("path", [*PAGES, *CODE], ids=lambda path: str(path.relative_to(ROOT)))
def test_says_per(path):
    """A line per node, not a line a node."""
    found = [match[0] for text in texts(path) for match in ARTICLE.finditer(text)]
    assert found == []


def test_the_map_names_files_that_are_there():
    """Of docs/contributing-map.md; a file to be written is NAME, a pattern has a star."""
    text = (ROOT / "docs/contributing-map.md").read_text(encoding="utf-8")
    found = re.findall(r"`((?:ogeaug|tests|docs)/[\w./*-]+)`", text)
    assert len(found) > 20
    for path in found:
        if "NAME" not in path:
            assert list(ROOT.glob(path)), path
