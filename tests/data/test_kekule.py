"""Other Kekulé structures: the same molecule, every time."""

import pytest
import torch
from rdkit import Chem
from torch_geometric.data import Batch, Data

from ogeaug.data.features import ZINC_BONDS
from ogeaug.data.kekule import RandomKekule
from ogeaug.data.molecule import smiles_to_data
from ogeaug.data.nci import nci_smiles

NAMED = [getattr(Chem.BondType, name) for name in ZINC_BONDS[1:]]  # after "other"


def structure(smiles: str) -> Data:
    return smiles_to_data(smiles, features="zinc")


def written(mol: Chem.Mol, data: Data) -> str:
    """The SMILES of a molecule with the bonds of a graph."""
    edited = Chem.RWMol(mol)
    Chem.Kekulize(edited, clearAromaticFlags=True)
    kinds = data.edge_attr[:, 0].tolist()
    for (i, j), kind in zip(data.edge_index.t().tolist(), kinds, strict=True):
        if kind:  # not "other"
            edited.GetBondBetweenAtoms(i, j).SetBondType(NAMED[kind - 1])
    Chem.SanitizeMol(edited)
    return Chem.MolToSmiles(edited, isomericSmiles=False)


def drawn(smiles: str, times: int = 60) -> set[tuple[int, ...]]:
    draw, data = RandomKekule(), structure(smiles)
    return {tuple(draw(data).edge_attr[:, 0].tolist()) for _ in range(times)}


def test_the_same_molecule():
    changed = 0
    for smiles in nci_smiles()[::10]:
        mol = Chem.MolFromSmiles(smiles)
        if mol is None or mol.GetNumAtoms() < 2:
            continue
        data = structure(smiles)
        other = RandomKekule()(data)
        changed += not torch.equal(data.edge_attr, other.edge_attr)
        assert written(mol, other) == Chem.MolToSmiles(mol, isomericSmiles=False), smiles
    assert changed > 100  # or nothing was tried


@pytest.mark.parametrize(
    ("smiles", "count"),
    [
        ("c1ccccc1", 2),
        ("c1ccc2ccccc2c1", 3),  # naphthalene
        ("c1ccc2cc3ccccc3cc2c1", 4),  # anthracene
        ("c1ccc(-c2ccccc2)cc1", 4),  # two rings, each on its own
        ("C[n+]1ccccc1", 2),
        ("c1cc[nH]c1", 1),
        ("O=C1C=CC(=O)C=C1", 1),  # quinone: its double bonds have nowhere to go
        ("CC1=C(C)C=CC=CC=C1", 1),  # eight atoms: not aromatic, so it would be another molecule
        ("C=CC=C", 1),
        ("C1=CCC=CC1", 1),
        ("C=C=C", 1),
        ("N#Cc1ccccc1", 2),
        ("CC", 1),
        ("C", 1),
    ],
)
def test_all_structures_and_no_other(smiles, count):
    torch.manual_seed(0)
    assert len(drawn(smiles)) == count


def test_both_directions_of_an_edge_agree():
    torch.manual_seed(0)
    data = RandomKekule()(structure("c1ccc2cc3ccccc3cc2c1C(=O)N"))
    edges = data.edge_index.t().tolist()
    kinds = data.edge_attr[:, 0].tolist()
    kind = {(i, j): kind for (i, j), kind in zip(edges, kinds, strict=True)}
    assert all(kind[i, j] == kind[j, i] for i, j in kind)


def test_by_the_seed_and_of_a_copy():
    data = structure("c1ccc2cc3ccccc3cc2c1")
    before = data.edge_attr.clone()

    def some(seed: int) -> list[list[int]]:
        torch.manual_seed(seed)
        return [RandomKekule()(data).edge_attr[:, 0].tolist() for _ in range(8)]

    assert some(1) == some(1) != some(2)
    assert torch.equal(data.edge_attr, before)


def test_a_batch_is_as_good_as_a_graph():
    torch.manual_seed(0)
    whole = Batch.from_data_list([structure("c1ccccc1"), structure("C=CC=C")])
    kinds = {tuple(RandomKekule()(whole).edge_attr[:, 0].tolist()) for _ in range(60)}
    assert len(kinds) == 2
