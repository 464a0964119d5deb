from rdkit import Chem

from ogeaug.data.features import ATOM, BOND, OTHER, ZINC_ATOMS, ogb_features, zinc_features


def zinc_types(smiles: str) -> list[str]:
    return [ZINC_ATOMS[atom[0]] for atom in zinc_features(Chem.MolFromSmiles(smiles)).atoms]


def test_zinc_types_count_only_hydrogens_in_brackets():
    assert zinc_types("CO") == ["C", "O"]
    assert zinc_types("C[C@H](F)Cl") == ["C", "C H1", "F", "Cl"]
    assert zinc_types("C[C@](F)(Br)Cl") == ["C", "C", "F", "Br", "Cl"]


def test_zinc_types_of_charged_atoms():
    assert zinc_types("C[NH2+]CC(=O)[O-]") == ["C", "N H2 +", "C", "C", "O", "O -"]
    assert zinc_types("C[Si](C)C")[1] == OTHER


def test_aromatic_bonds_are_kekulised_in_zinc():
    bonds = [bond[0] for bond in zinc_features(Chem.MolFromSmiles("c1ccccc1")).bonds]
    assert sorted(bonds) == [1, 1, 1, 2, 2, 2]


def test_pyrrole_hydrogen_is_not_written_in_kekulised_smiles():
    assert zinc_types("c1cc[nH]c1")[3] == "N"


def test_ogb_sizes():
    assert [len(c) for c in ATOM.values()] == [119, 5, 12, 12, 10, 6, 6, 2, 2]
    assert [len(c) for c in BOND.values()] == [5, 6, 2]


def test_ogb_of_benzoate():
    features = ogb_features(Chem.MolFromSmiles("c1ccccc1C(=O)[O-]"))
    assert features.atoms[-1] == [7, 0, 1, 4, 0, 0, 1, 0, 0]
    assert features.atoms[0] == [5, 0, 3, 5, 1, 0, 1, 1, 1]
    assert features.bonds[0] == [3, 0, 1]
