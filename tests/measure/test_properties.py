"""The table in the documentation says what a new measurement says."""

from pathlib import Path

import pytest

from ogeaug.encodings import ENCODINGS
from ogeaug.measure.properties import COLUMNS, GRAPHS, measure_properties

DOCS = Path(__file__).parents[2] / "docs" / "encodings.md"


def documented():
    lines = (
        DOCS.read_text(encoding="utf-8")
        .split("<!-- table: begin -->")[1]
        .split("<!-- table: end -->")[0]
    )
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in lines.split("\n") if line]
    assert tuple(rows[0][2:]) == COLUMNS
    return {row[0].strip("`"): row[1:] for row in rows[2:]}


def test_every_encoding_is_documented():
    assert list(documented()) == list(ENCODINGS)


@pytest.mark.parametrize("name", ENCODINGS)
def test_documented_properties_hold(name):
    level, *cells = documented()[name]
    assert level == f"{ENCODINGS[name].level}s"
    few = {key: GRAPHS[key] for key in ("path", "star", "rook", "grid")}
    found = measure_properties(name, seeds=1, graphs=few)
    for column, cell in zip(COLUMNS, cells, strict=True):
        measured = found[column]
        if measured is None:
            assert cell == "-"
        else:
            verdict, size = cell.split(", ")
            assert verdict == ("yes" if measured.holds else "no"), (column, measured)
            if verdict == "no":  # the table has the worst of more graphs and seeds
                assert float(size) / 30 < measured.error < 3 * float(size), (column, measured)
