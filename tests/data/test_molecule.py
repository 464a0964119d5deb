import contextlib

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
        ("C[#999]", "no element"),
        ("C(C)(C)(C)(C)C", "valence"),
        ("c1cccc1", "kekulize"),
        ("not a molecule", r"space \(U\+0020\) is no part"),
        ("CC O", r"space \(U\+0020\) is no part"),
        ("CC ethane", r"leave names and extensions out"),
        ("CC |$R1;$|", r"leave names and extensions out"),
        ("CC\nO", r"control character \(U\+000A\) is no part"),
        ("CC\x00", r"control character \(U\+0000\) is no part"),
        ("CC\uff2f", r"fullwidth latin capital letter o \(U\+FF2F\) is no part"),
        ("\ufeffCC", r"zero width no-break space \(U\+FEFF\) is no part"),
        ("CC\u2026", r"horizontal ellipsis \(U\+2026\) is no part"),
        ("CC...", "syntax error"),
        ("CC.", "syntax error"),
        ("CC>>CO", "syntax error"),
    ],
)
def test_says_why_a_smiles_is_refused(smiles, reason):
    with pytest.raises(MoleculeError, match=reason):
        smiles_to_data(smiles)


@pytest.mark.parametrize("text", [" CC ", "CC\t", "\nCC\r\n", "\u00a0CC\u3000"])
def test_blanks_around_a_smiles_are_no_matter(text):
    assert smiles_to_data(text).num_nodes == 2


def test_nothing_of_a_smiles_is_ignored():
    """No character before or after another is dropped: it changes the molecule or is refused."""
    plain = smiles_to_data("CCO").x.tolist()
    for code in [*range(0x21, 0x400), 0x2212, 0x200B, 0xFF2F, 0x1F600]:
        for text in (f"{chr(code)}CCO", f"CC{chr(code)}O", f"CCO{chr(code)}"):
            if not text.strip().isprintable() or text.strip() == "CCO":
                continue
            with contextlib.suppress(MoleculeError):
                same = smiles_to_data(text).x.tolist() == plain
                assert not same or chr(code) in "-/\\", text  # the bond that was meant anyway


def test_unknown_features_list_the_choices():
    with pytest.raises(ValueError, match="choose from molecule, ogb, zinc"):
        smiles_to_data("C", features="chemprop")
