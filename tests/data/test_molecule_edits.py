"""Small changes of a molecule."""

import pytest
from rdkit import Chem

from ogeaug.data.molecule_edits import find_edits
from ogeaug.errors import UserError
from ogeaug.explore.gallery import MOLECULES


def named(smiles, node):
    return {edit.name: edit for edit in find_edits(smiles, node)}


def test_an_atom_becomes_another_gets_neighbours_or_goes():
    found = named("CCO", 2)
    assert {name: Chem.CanonSmiles(edit.smiles) for name, edit in found.items()} == {
        "become C": "CCC",
        "become N": "CCN",
        "become S": "CCS",
        "become F": "CCF",
        "become Cl": "CCCl",
        "add C": "CCOC",
        "add N": "CCON",
        "add O": "CCOO",
        "add F": "CCOF",
        "add Cl": "CCOCl",
        "double bond to 1": "CC=O",
        "take away": "CC",
    }


@pytest.mark.parametrize("smiles", [*MOLECULES.values(), "C[N+](C)(C)C", "[Na+].[Cl-]", "[2H]C"])
def test_edits_are_molecules_and_keep_hold_of_the_atom(smiles):
    for node in range(Chem.MolFromSmiles(smiles).GetNumAtoms()):
        for edit in find_edits(smiles, node):
            mol = Chem.MolFromSmiles(edit.smiles)
            assert mol is not None
            word, _, symbol = edit.name.partition(" ")
            if word == "become":
                assert mol.GetAtomWithIdx(edit.node).GetSymbol() == symbol
            if word == "add":
                beside = mol.GetAtomWithIdx(edit.node).GetNeighbors()
                assert symbol in [atom.GetSymbol() for atom in beside]


def test_each_result_comes_once_and_is_another_molecule():
    found = [Chem.CanonSmiles(edit.smiles) for edit in find_edits("CCC", 1)]
    assert len(found) == len(set(found))
    assert "CCC" not in found


@pytest.mark.parametrize(
    ("smiles", "node", "says"),
    [("CCO", 3, "3 atoms"), ("CCO", -1, "3 atoms"), ("C1CC", 0, "invalid")],
)
def test_what_is_no_atom_is_refused(smiles, node, says):
    with pytest.raises(UserError, match=says):
        find_edits(smiles, node)
