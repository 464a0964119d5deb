"""ZINC from the benchmark's own files: graphs, targets and parts as PyG has them."""

import pickle

import pytest
import torch
from torch_geometric.datasets import ZINC

from ogeaug.data import load_data
from ogeaug.data.config import DataConfig, SplitConfig
from ogeaug.data.molecule import parse_smiles, smiles_to_data
from ogeaug.data.penalised_logp import zinc_target
from ogeaug.data.table import TableReader
from ogeaug.errors import UserError
from ogeaug.model.config import FeaturesConfig
from tests.data.sets.published import SMILES, write_zinc, zinc_molecule
from tests.tables import table

INDEX = {"train": [6, 0, 3], "val": [1], "test": [2, 0]}


def load(folder, name="zinc", **options):
    return load_data(DataConfig(name=name, path=str(folder), **options), progress=False)


@pytest.mark.parametrize("place", ["", "raw", "molecules", "ZINC/raw"])
def test_official_lists_in_their_order(tmp_path, place):
    write_zinc(tmp_path / place, index=INDEX)
    found = load(tmp_path)
    assert found.stand_in == ""
    assert found.features.kind == "zinc"
    assert {p: [int(d.y) for d in found.parts.part(p)] for p in INDEX} == INDEX
    assert found.task.units == {"y": "penalised logP"}


def test_the_same_graphs_as_in_pyg(tmp_path, monkeypatch):
    monkeypatch.setattr("torch_geometric.datasets.zinc.tqdm", lambda **_: Bar())
    write_zinc(tmp_path / "raw", index=INDEX)
    for part in INDEX:
        theirs = ZINC(str(tmp_path), subset=True, split=part)
        ours = load(tmp_path).parts.part(part)
        for one, other in zip(ours, theirs, strict=True):
            assert torch.equal(one.x, other.x)
            assert torch.equal(one.edge_index, other.edge_index)
            assert torch.equal(one.edge_attr.squeeze(1), other.edge_attr)
            assert torch.equal(one.y.flatten().float(), other.y)


class Bar:
    def set_description(self, text):
        pass

    def update(self, count):
        pass

    def close(self):
        pass


def test_the_full_set_is_the_whole_pickles(tmp_path):
    write_zinc(tmp_path, index=INDEX)
    found = load(tmp_path, "zinc_full")
    assert [len(found.parts.part(part)) for part in INDEX] == [7, 4, 3]


def test_a_graph_of_the_file_is_that_of_its_smiles(tmp_path):
    """So that models of these files predict from SMILES."""
    write_zinc(tmp_path)
    for data, smiles in zip(load(tmp_path).parts.train, SMILES, strict=True):
        made = smiles_to_data(smiles, features="zinc")
        assert torch.equal(data.x, made.x)
        assert bonds_of(data) == bonds_of(made)


def bonds_of(data):
    both = *data.edge_index.tolist(), data.edge_attr.flatten().tolist()
    return sorted(zip(*both, strict=True))


def test_other_features_are_refused(tmp_path):
    write_zinc(tmp_path)
    data, split = DataConfig(name="zinc", path=str(tmp_path)), SplitConfig()
    for features, message in [
        (FeaturesConfig(kind="ogb"), "hold graphs, not molecules: their features are of kind zinc"),
        (FeaturesConfig(kind="zinc", hydrogens=True), "no further hydrogens"),
    ]:
        with pytest.raises(UserError, match=message):
            load_data(data, split, features, progress=False)
    with pytest.raises(UserError, match="no scaffolds"):
        load_data(data, SplitConfig(type="scaffold"), progress=False)
    # The default of configurations is taken for no wish.
    assert load_data(data, split, FeaturesConfig(), progress=False).features.kind == "zinc"


def test_the_checksum_sees_graphs_targets_and_lists(tmp_path):
    before = load(write_zinc(tmp_path / "a")).checksum
    assert load(write_zinc(tmp_path / "b")).checksum == before
    assert load(write_zinc(tmp_path / "c", index={"val": [1, 0]})).checksum != before
    molecules = [zinc_molecule(SMILES[i % 7], i + 0.5) for i in range(7)]
    molecules[0]["atom_type"][0] = 5
    (tmp_path / "b" / "train.pickle").write_bytes(pickle.dumps(molecules))
    assert load(tmp_path / "b").checksum != before


def bad(folder, **changes):
    molecule = zinc_molecule("CCO", 1.0) | changes
    (folder / "val.pickle").write_bytes(pickle.dumps([molecule]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"atom_type": torch.tensor([0, 0, 28])}, "atom type that is not one of 0 to 27"),
        ({"bond_type": torch.full((3, 3), 4)}, "bond type that is not one of 0 to 3"),
        ({"bond_type": torch.zeros(2, 2)}, r"\[3\] atoms, \[2, 2\] bonds"),
        ({"logP_SA_cycle_normalized": torch.tensor([torch.nan])}, "one number"),
        ({"atom_type": torch.tensor([0.5, 0, 1])}, "are whole numbers"),
        ({"bond_type": torch.full((3, 3), torch.nan)}, "are whole numbers"),
        ({"atom_type": None}, "record of tensors: atom_type"),
    ],
)
def test_damaged_molecules_are_named(tmp_path, changes, message):
    write_zinc(tmp_path, index={"val": [0]})
    bad(tmp_path, **changes)
    with pytest.raises(UserError, match=rf"val\.pickle\[0\].*{message}"):
        load(tmp_path)


def test_bad_files_are_told(tmp_path):
    write_zinc(tmp_path, index={"val": [0, 9]})
    with pytest.raises(UserError, match=r"val\.index names entry 9 .*there are 4"):
        load(tmp_path)
    (tmp_path / "val.index").write_text("0,0\n")
    with pytest.raises(UserError, match="names entry 0 more than once"):
        load(tmp_path)
    (tmp_path / "val.index").write_text("<html>")
    with pytest.raises(UserError, match="no list of numbers"):
        load(tmp_path)
    whole = (tmp_path / "train.pickle").read_bytes()
    (tmp_path / "train.pickle").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UserError, match=r"train\.pickle is no complete pickle"):
        load(tmp_path)
    (tmp_path / "train.pickle").write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(UserError, match="holds a dictionary with a, not the list of molecules"):
        load(tmp_path)


def test_computed_targets_are_the_published_ones():
    rows = list(TableReader(table("zinc12k_val.csv.gz")))
    for smiles, y, *_ in rows[::20]:
        assert zinc_target(parse_smiles(smiles)) == pytest.approx(float(y), abs=2e-6)
