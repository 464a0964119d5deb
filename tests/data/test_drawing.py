"""Atoms of a drawing are those of the graph."""

import pytest

from ogeaug.data.drawing import draw_molecule
from ogeaug.data.molecule import smiles_to_data

CHIRAL = "C[C@H](N)C(=O)O"


@pytest.mark.parametrize("hydrogens", [False, True])
@pytest.mark.parametrize("smiles", ["CN1C=NC2=C1C(=O)N(C(=O)N2C)C", CHIRAL, "[Na+].[Cl-]", "C"])
def test_a_place_for_each_node_of_the_graph(smiles, hydrogens):
    drawing = draw_molecule(smiles, hydrogens=hydrogens)
    assert len(drawing.places) == smiles_to_data(smiles, hydrogens=hydrogens).num_nodes
    for x, y in drawing.places:
        assert 0 <= x <= drawing.width
        assert 0 <= y <= drawing.height


def test_numbers_are_drawn_unless_they_are_not_wanted():
    plain, numbered = (draw_molecule(CHIRAL, numbers=n).svg for n in (False, True))
    assert "class='note'" in numbered
    assert "class='note'" not in plain


def test_a_picture_has_no_script_whatever_the_text():
    """Atoms may carry any label in brackets; the reader refuses what is no SMILES."""
    for text in ("[<script>]", "C<img src=x>", "*", "[13CH4]"):
        try:
            svg = draw_molecule(text).svg
        except ValueError:
            continue
        assert "<script" not in svg
        assert "onerror" not in svg
