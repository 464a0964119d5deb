"""Contacts made from geometries: the definition, the labels, the stand-in."""

import csv
import json

import numpy as np
import pytest
import torch
from rdkit import Chem
from rdkit.Chem import AllChem

from ogeaug.data import load_data
from ogeaug.data.config import DataConfig, SplitConfig
from ogeaug.data.contacts import find_contacts, make_contacts
from ogeaug.data.sets.files import Package
from ogeaug.errors import UserError
from ogeaug.training import fit
from ogeaug.training.config import load_config
from tests.data.sets.published import write_gz

SMILES = ["CCCCCO", "OCCCCO", "CC(C)CCCO", "CCOCCO", "NCCCCCN", "CCCCCC", "CCNCCO", "CO", "CCCOCC"]
SMALL = [
    *("data.limit=4", "training.epochs=1", "training.batch_size=2", "training.tensorboard=false"),
    *("backbone.layers=1", "backbone.channels=40"),
]


def write_package(folder, smiles=SMILES):
    """Tables like those of qm9pack."""
    for part in (1, 2, 3):
        with (folder / f"qm9_part{part}.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["Index", "SMILES", "Elements", "XYZ_Ang"])
            for i, text in enumerate(smiles):
                mol = Chem.AddHs(Chem.MolFromSmiles(text))
                AllChem.EmbedMolecule(mol, randomSeed=part + 1)
                positions = mol.GetConformer().GetPositions().round(6).tolist()
                elements = str([atom.GetSymbol() for atom in mol.GetAtoms()]).replace(" ", "")
                writer.writerow([i, text, elements, json.dumps(positions)])
    return [folder / f"qm9_part{part}.csv" for part in (1, 2, 3)]


@pytest.fixture
def package(monkeypatch, tmp_path):
    paths = write_package(tmp_path)
    monkeypatch.setattr(Package, "find", lambda self: paths)
    return paths


def test_by_a_plain_loop():
    mol = Chem.AddHs(Chem.MolFromSmiles("OCCCCO"))
    AllChem.EmbedMolecule(mol, randomSeed=1)
    positions = mol.GetConformer().GetPositions()
    found = find_contacts(mol, positions)
    assert found.any()
    for i in range(mol.GetNumAtoms()):
        for j in range(mol.GetNumAtoms()):
            far = i != j and len(Chem.GetShortestPath(mol, i, j)) - 1 >= 5
            assert found[i, j] == (far and np.linalg.norm(positions[i] - positions[j]) < 3.5)


def test_labels(package):
    for data in make_contacts(package, 10, seed=0):
        pairs, label = data.edge_label_index, data.edge_label.bool()
        links = set(map(tuple, pairs[:, label].T.tolist()))
        others = set(map(tuple, pairs[:, ~label].T.tolist()))
        assert links
        assert {(j, i) for i, j in links} == links  # in both directions
        assert not links & others
        assert len(links) + len(others) == len(label)
        for atom in range(data.num_nodes):
            have = sum(i == atom for i, _ in links)
            assert sum(i == atom for i, _ in others) == min(2 * have, data.num_nodes - have)


def test_the_seed_decides(package):
    one, same, other = (make_contacts(package, 6, seed=seed) for seed in (0, 0, 1))
    assert all(
        torch.equal(a.edge_label_index, b.edge_label_index) for a, b in zip(one, same, strict=True)
    )
    assert [a.num_nodes for a in one] != [b.num_nodes for b in other]


def test_molecules_of_another_order_are_left_out(tmp_path):
    (path, *_) = write_package(tmp_path, ["OCCCCO"])
    assert len(make_contacts([path], 1, 0)) == 1
    path.write_text(path.read_text().replace("['O','C'", "['C','O'"))
    with pytest.raises(UserError, match="only 0 of 1 molecules have contacts, 1 are wanted"):
        make_contacts([path], 1, 0)


def test_it_has_the_interface_of_the_real_files(package, tmp_path):
    found = load_data(DataConfig(name="pcqm_contact", limit=4), SplitConfig(), progress=False)
    assert [len(found.parts.part(part)) for part in ("train", "val", "test")] == [4, 1, 1]
    assert "QM9" in found.stand_in
    result = fit(load_config("contact_oge_lap", SMALL), tmp_path / "run", progress=False)
    names = {"mrr", "mrr_filtered", "mrr_extended", "hits@1", "hits@3", "hits@10"}
    assert names < set(result.metrics["test"])
    assert (result.main, result.stand_in) == ("mrr", found.stand_in)


TABLE = "smiles,contacts,split\nCCCCCO,0-5,train\nOCCCCO,0-5 3-14,val\nCCNCCO,0-5,train\n"


def read_contacts_table(folder, text=TABLE):
    write_gz(folder / "qm9_contact_trainval.csv.gz", text)
    return load_data(DataConfig(name="pcqm_contact", path=str(folder)), progress=False)


def test_a_table_of_contacts(tmp_path):
    found = read_contacts_table(tmp_path)
    assert [len(found.parts.part(part)) for part in ("train", "val", "test")] == [2, 1, 0]
    assert found.stand_in.startswith("contacts in the geometries of QM9")
    data = found.parts.val[0]
    links = data.edge_label_index[:, data.edge_label == 1].T.tolist()
    assert sorted(links) == [[0, 5], [3, 14], [5, 0], [14, 3]]
    assert data.num_nodes == 16  # hydrogens are nodes
    others = data.edge_label_index[:, data.edge_label == 0].T.tolist()
    assert len(others) == 8  # two for each link
    assert not any(pair in links for pair in others)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("3-14", "3-20", "row 2: contact '3-20' is no pair like 5-14 of its 16 atoms"),
        ("3-14", "3-3", "contact '3-3'"),
        ("3-14", "3:14", "contact '3:14'"),
        ("3-14", "-3-14", "contact '-3-14'"),
        ("3-14", "3-14-x", "contact '3-14-x'"),
        ("3-14", "3-" + "1" * 5000, "contact '3-1111"),
        ("val", "train", "none of val"),
        (",val", ",valid", "row 2: part 'valid' is none of train, val, test"),
        ("CCNCCO", "CCN(", "row 3: "),
    ],
)
def test_bad_tables_of_contacts(tmp_path, old, new, message):
    with pytest.raises(UserError, match=message):
        read_contacts_table(tmp_path, TABLE.replace(old, new))
