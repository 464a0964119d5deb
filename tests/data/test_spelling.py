"""A molecule has one prediction, however its SMILES is written."""

import gzip
import os
import random
from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
import torch
from rdkit import Chem, rdBase
from rdkit.Chem import rdCIPLabeler
from rdkit.Chem.EnumerateStereoisomers import EnumerateStereoisomers, StereoEnumerationOptions
from torch_geometric.data import Batch

from ogeaug.data.convert import with_sizes
from ogeaug.data.features import ZINC_ATOMS, ogb_features
from ogeaug.data.molecule import FEATURES, smiles_to_data
from ogeaug.data.nci import nci_smiles
from ogeaug.model.graph_model import GraphModel
from ogeaug.training.config import load_config
from tests.torture import tries
from tests.training.tiny import SMALL

SPELLINGS = 20
DATA = Path(os.environ.get("OGEAUG_DATA", "../shared/data"), "zinc12k_val.csv.gz")


@cache
def model(kind):
    """Untrained, with eight outputs: any difference between graphs shows in one of them."""
    names = [f"features.kind={kind}", "task.targets=[a, b, c, d, e, f, g, h]", "head.pooling=sum"]
    config = load_config("default", [*SMALL, *names])
    config = config.model_copy(update={"features": with_sizes(config.features)})
    torch.manual_seed(0)
    return GraphModel.from_config(config.model_part()).eval()


@torch.no_grad()
def predict(texts, kind="molecule", **options):
    graphs = [smiles_to_data(text, features=kind, **options) for text in texts]
    return model(kind)(Batch.from_data_list(graphs))  # [texts, 8]


def spread(texts, kind="molecule", **options):
    """The largest difference of predictions, relative to the largest prediction."""
    found = predict(texts, kind, **options)
    return ((found - found[0]).abs().max() / found.abs().max()).item()


def spellings(text, count=SPELLINGS, seed=1):
    return list(Chem.MolToRandomSmilesVect(Chem.MolFromSmiles(text), count, randomSeed=seed))


def isomers():
    """Stereoisomers of RDKit's molecules, at most four of each, in a mixed order."""
    options = StereoEnumerationOptions(maxIsomers=4, unique=True, rand=7)
    with rdBase.BlockLogs():
        for text in random.Random(0).sample(nci_smiles(), 4000):
            mol = Chem.MolFromSmiles(text)
            if mol.GetNumAtoms() > 50:
                continue
            found = [Chem.MolToSmiles(m) for m in EnumerateStereoisomers(mol, options=options)]
            if len(found) > 1:
                yield found


@pytest.mark.torture
@pytest.mark.parametrize("kind", ["molecule", "zinc"])
def test_twenty_spellings_are_one_molecule(kind):
    groups = islice(isomers(), tries(20, 1000) // 2)
    molecules = [text for group in groups for text in group[:2]]
    assert len(molecules) == tries(20, 1000)
    for text in molecules:
        assert spread(spellings(text), kind) < 1e-5, text


@pytest.mark.torture
def test_isomers_are_not_one_molecule():
    """Where the labels of two isomers differ in number, so must the predictions."""
    compared = 0
    for first, second, *_ in islice(isomers(), tries(20, 500)):
        if labels(first) != labels(second):
            compared += 1
            assert spread([first, second]) > 1e-4, (first, second)
    assert compared > tries(20, 500) // 4


def labels(text):
    mol = Chem.MolFromSmiles(text)
    rdCIPLabeler.AssignCIPLabels(mol)
    parts = [*mol.GetAtoms(), *mol.GetBonds()]
    return Counter(part.GetProp("_CIPCode") for part in parts if part.HasProp("_CIPCode"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O"),
        ("C/C=C/C", "C/C=C\\C"),
        ("C[C@H]1CC[C@@H](C)CC1", "C[C@H]1CC[C@H](C)CC1"),
        ("O[C@H](F)[C@H](O)F", "O[C@H](F)[C@@H](O)F"),
        ("C[C@H](O)[C@H](F)[C@@H](C)O", "C[C@H](O)[C@@H](F)[C@@H](C)O"),
        ("C[C@H](N)O", "CC(N)O"),
        ("C/C=C/C", "CC=CC"),
        ("[H]/N=C(/C)CC", "[H]/N=C(\\C)CC"),
        ("C[S@](=O)CC", "C[S@@](=O)CC"),
    ],
)
def test_isomers_by_name(one, other):
    assert spread([one, other]) > 1e-4
    assert spread([*spellings(one), one]) < 1e-5
    for kind in FEATURES:
        assert spread([one, other], kind, ignore_stereo=True) < 1e-5


@pytest.mark.parametrize("kind", FEATURES)
@pytest.mark.parametrize("hydrogens", [False, True])
@pytest.mark.parametrize(
    "texts",
    [
        ("C", "[CH4]", "[H]C", "[H][C]([H])([H])[H]", "[CH4:7]", "[H:2]C"),
        ("CC(=O)[O-].[Na+]", "[Na+].CC(=O)[O-]", "[Na+].[O-]C(C)=O"),
        ("c1ccccc1C", "C1=CC=CC=C1C", "CC1=CC=CC=C1", "c1cc(C)ccc1", "Cc1:c:c:c:c:c:1"),
        ("*CC", "CC*", "[*]CC", "[*:1]CC", "[CH2:3](*)C"),
        ("[13CH3]CO", "OC[13CH3]", "O[CH2][13CH3]"),
        ("[2H]OC", "CO[2H]"),
        ("CN(=O)=O", "C[N+](=O)[O-]", "[O-][N+](C)=O"),
        ("Oc1ccccc1[N+](=O)[O-]", "[O-][N+](=O)C1=C(O)C=CC=C1", "[OH:1]c1ccccc1[N+](=O)[O-]"),
        ("CC(C)F", "F[C@H]([CH3:1])[CH3:2]", "C[C@@H](F)C"),
    ],
)
def test_other_ways_to_write_a_molecule(kind, hydrogens, texts):
    assert spread(texts, kind, hydrogens=hydrogens) < 1e-5


def test_numbers_and_written_hydrogens_keep_the_isomer():
    texts = ["C[C@H](N)C(=O)O", "C[C@@H](C(=O)O)N", "[H][C@@](C)(N)C(=O)O"]
    texts += ["[CH3:1][C@H:2]([NH2:3])[C:4](=[O:5])[OH:6]", "[CH3:9][C@H:2]([NH2:1])C(=O)O"]
    assert spread(texts) < 1e-5
    assert spread([*texts, "C[C@@H](N)C(=O)O"]) > 1e-4


def test_ogb_is_ogb_s_own():
    tags = [smiles_to_data(s, features="ogb").x[1, 1] for s in ("C[C@H](N)O", "C[C@@H](N)O")]
    assert tags == [2, 1]
    mol = Chem.MolFromSmiles("C[C@H](N)/C=C/C")
    assert [atom[1] for atom in ogb_features(mol).atoms] == [0, 2, 0, 0, 0, 0]


def test_without_stereo_the_two_kinds_are_alike():
    for text in nci_smiles()[:50]:
        ours, ogb = smiles_to_data(text), smiles_to_data(text, features="ogb")
        assert torch.equal(ours.x, ogb.x)
        assert torch.equal(ours.edge_attr, ogb.edge_attr)


def test_labels_that_take_too_long_have_a_substitute(monkeypatch):
    monkeypatch.setattr("ogeaug.data.stereo.ITERATIONS", 1)
    glucose = "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O/C=C/C"
    assert spread(spellings(glucose)) < 1e-5
    assert spread([glucose, glucose.replace("[C@H]1O[C@@H]", "[C@H]1O[C@H]")]) > 1e-4
    assert spread([glucose, glucose.replace("/C=C/C", "/C=C\\C")]) > 1e-4


@pytest.mark.skipif(not DATA.is_file(), reason="development tables are not here")
def test_zinc_has_the_published_types():
    """The rule that gives all published types: as written in the kekulised canonical SMILES."""
    with gzip.open(DATA, "rt") as file:
        texts = [line.split(",")[0] for line in islice(file, 1, 1 + tries(50, 1000))]
    for text in texts:
        mol = Chem.MolFromSmiles(text)
        wanted = []
        for atom in mol.GetAtoms():
            name, charge = atom.GetSymbol(), atom.GetFormalCharge()
            if charge or atom.GetChiralTag():  # in brackets
                hydrogens = atom.GetTotalNumHs()
                name += f" H{hydrogens}" if hydrogens else ""
            wanted.append(name + (" +" if charge > 0 else " -" if charge < 0 else ""))
        found = [ZINC_ATOMS[i] for i in smiles_to_data(text, features="zinc").x[:, 0]]
        assert found == wanted, text
