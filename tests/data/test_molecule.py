import pytest
import torch

from ogeaug.data.molecule import FEATURES, MoleculeError, smiles_to_data


@pytest.mark.parametrize("features", FEATURES)
def test_ring_has_both_directions_of_each_bond(features):
    data = smiles_to_data("c1ccccc1", features=features)
    assert data.num_nodes == 6
    assert data.num_edges == 12
    assert data.is_undirected()
    assert data.edge_attr.size() == (12, len(FEATURES[features].edge_sizes))


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("smiles", ["C", "[Na+].[Cl-]", "[H][H]", "C" * 500, "*CC", "[2H]O", "[U]"])
def test_unusual_molecules_are_in_range(features, smiles):
    data = smiles_to_data(smiles, features=features)
    for values, sizes in (
        (data.x, FEATURES[features].node_sizes),
        (data.edge_attr, FEATURES[features].edge_sizes),
    ):
        assert (values >= 0).all()
        assert (values < torch.tensor(sizes)).all()


def test_salt_is_disconnected():
    data = smiles_to_data("CC(=O)[O-].[Na+]")
    assert data.num_nodes == 5
    assert data.num_edges == 6


def test_hydrogens_are_optional():
    assert smiles_to_data("C").num_nodes == 1
    assert smiles_to_data("C", hydrogens=True).num_nodes == 5


@pytest.mark.parametrize(
    ("smiles", "reason"),
    [
        ("", "empty SMILES"),
        ("   ", "empty SMILES"),
        ("C1CC", "syntax error"),
        ("C(C)(C)(C)(C)C", "valence"),
        ("c1cccc1", "kekulize"),
        ("not a molecule", "syntax error"),
    ],
)
def test_says_why_a_smiles_is_refused(smiles, reason):
    with pytest.raises(MoleculeError, match=reason):
        smiles_to_data(smiles)


def test_unknown_features_list_the_choices():
    with pytest.raises(ValueError, match="choose from ogb, zinc"):
        smiles_to_data("C", features="chemprop")
