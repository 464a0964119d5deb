"""Each page of the documentation has a picture, and the pictures say what is so."""

import importlib.util
import re
from pathlib import Path

import pytest

from tests.pictures.overlap import misplaced
from tests.test_imports import MAY_IMPORT

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DRAW = load(DOCS / "pictures/draw.py")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_each_page_has_a_picture_that_is_there_and_small(path):
    found = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", path.read_text(encoding="utf-8"))
    assert found
    for _, name in found:
        assert 1_000 < (path.parent / name).stat().st_size < 140_000


@pytest.mark.parametrize("name", DRAW.PICTURES)
def test_no_words_overlap(name):
    assert (DOCS / f"pictures/{name}.svg").exists()
    assert misplaced(DRAW.PICTURES[name]()) == []


def test_folders_import_downwards_as_drawn():
    rows = {name: height for height, (_, names, _) in enumerate(DRAW.ROWS) for name in names}
    for folder, height in rows.items():
        for other in MAY_IMPORT[folder]:
            assert rows[other.split(".")[0]] >= height, (folder, other)
    assert {name for name, allowed in MAY_IMPORT.items() if allowed} <= set(rows)
