"""The door: names and paths in, graphs, splits and features out; nothing is converted twice."""

import hashlib
from collections import Counter

import pytest
import torch
from rdkit import Chem

from ogeaug.data import load_data
from ogeaug.data.config import DataConfig, SplitConfig
from ogeaug.data.load import read_data, split_data
from ogeaug.data.nci import nci_smiles
from ogeaug.data.penalised_logp import zinc_target
from ogeaug.data.sets.files import Package
from ogeaug.errors import UserError
from ogeaug.model.config import FeaturesConfig, TaskConfig
from tests.training.tiny import write_csv

RINGS = ["C1CC1", "C1CCC1", "C1CCCC1", "C1CCCCC1", "c1ccccc1", "c1ccncc1", "C1CCCCCCC1"]
SMILES = [f"{'C' * length}{ring}" for length in (1, 2, 5, 9) for ring in RINGS]
ROWS = [f"{smiles},{i}" for i, smiles in enumerate(SMILES)]


@pytest.fixture
def parsed(monkeypatch):
    """How often each SMILES was parsed."""
    count: Counter[str] = Counter()
    real = Chem.MolFromSmiles

    def counting(smiles, *arguments, **options):
        count[smiles] += 1
        return real(smiles, *arguments, **options)

    monkeypatch.setattr(Chem, "MolFromSmiles", counting)
    return count


@pytest.fixture
def zinc250k(monkeypatch, tmp_path):
    """The file of the package, without the package."""
    (tmp_path / "zinc250k.smiles").write_text("\n".join(SMILES) + "\n")
    monkeypatch.setattr(Package, "find", lambda self: [tmp_path / name for name in self.files])


def test_a_smiles_is_parsed_once(parsed, zinc250k, tmp_path):
    scaffolds = SplitConfig(type="scaffold", sizes=(0.5, 0.25, 0.25))
    few = DataConfig(name="zinc", max_atoms=12)  # sizes, features, target, scaffold
    zinc = load_data(few, scaffolds, progress=False)
    assert zinc.skipped
    assert zinc.parts.train
    assert parsed == Counter(SMILES)
    parsed.clear()
    load_data(write_csv(tmp_path / "t.csv", rows=ROWS), scaffolds, progress=False)
    assert parsed == Counter(SMILES)


def test_of_nci_too(parsed):
    known = Counter(nci_smiles())  # parses them all: to know which can be
    parsed.clear()
    load_data(DataConfig(name="nci", limit=40), progress=False)
    assert {smiles: parsed[smiles] for smiles in known} == known


def test_a_computed_target_stays_a_number(monkeypatch, zinc250k):
    def no_text(cell):
        raise AssertionError(f"{cell} was read as text")

    monkeypatch.setattr("ogeaug.data.targets.number", no_text)
    zinc = load_data("zinc", progress=False)
    assert zinc.task.targets == ["y"]
    for part in ("train", "val", "test"):
        for data in zinc.parts.part(part):
            assert data.y.item() == zinc_target(Chem.MolFromSmiles(SMILES[int(data.row)]))


def test_the_checksum_of_a_computed_column_is_that_of_its_text(zinc250k):
    """Also of rows that are left out."""
    parts = (["train"] * 10 + ["val", "test"]) * 3
    rows = [
        [smiles, repr(zinc_target(Chem.MolFromSmiles(smiles))), part]
        for smiles, part in zip(SMILES, parts, strict=False)
    ]
    wanted = hashlib.sha256(repr((["smiles", "y", "split"], rows)).encode()).hexdigest()
    assert load_data("zinc", progress=False).checksum == wanted
    split = SplitConfig(sizes=(0.5, 0.5, 0))
    some = load_data(DataConfig(name="zinc", max_atoms=12), split, progress=False)
    assert some.skipped
    assert some.checksum == wanted


def test_the_checksum_of_a_table_is_that_of_its_cells(tmp_path):
    path = write_csv(tmp_path / "t.csv", rows=ROWS)
    rows = [line.split(",") for line in path.read_text().splitlines()]
    wanted = hashlib.sha256(repr((rows[0], rows[1:])).encode()).hexdigest()
    assert load_data(path, progress=False).checksum == wanted


def test_a_set_has_its_own_split_and_features(zinc250k):
    zinc = load_data("zinc", progress=False)
    assert zinc.features.kind == "zinc"
    assert zinc.split.val == [10, 22]
    chosen = load_data("zinc", SplitConfig(), FeaturesConfig(), progress=False)
    assert (chosen.features.kind, len(chosen.split.val)) == ("molecule", 3)


def test_a_target_of_classes_is_none_of_numbers(zinc250k):
    with pytest.raises(UserError, match=r"target 'y' of zinc holds .* classes is one of 0, 1"):
        load_data("zinc", task=TaskConfig(type="classification"), progress=False)


def test_a_path_or_a_name(tmp_path):
    path = write_csv(tmp_path / "t.csv", rows=ROWS)
    found = load_data(str(path), progress=False)
    assert (len(found.split.train), found.task.targets) == (22, ["y"])
    assert found.statistics()["train"]["graphs"] == 22
    with pytest.raises(UserError, match="there is no file tox21"):
        load_data("tox21", progress=False)


def test_statistics_count_an_edge_once(tmp_path):
    path = write_csv(
        tmp_path / "t.csv", rows=[f"{s},{i}" for i, s in enumerate(["CC", "CCCC"] * 2)]
    )
    found = load_data(path, SplitConfig(sizes=(0.5, 0.5, 0)), progress=False).statistics()
    assert list(found) == ["train", "val"]
    assert sum(found[part]["nodes"] * 2 for part in found) == 12
    assert sum(found[part]["edges"] * 2 for part in found) == 8


def test_folds_of_one_reading_are_those_of_each(tmp_path):
    data = DataConfig(path=str(write_csv(tmp_path / "t.csv", rows=ROWS)))
    split, features, task = SplitConfig(num_folds=4), FeaturesConfig(), TaskConfig()
    read = read_data(data, split, features, task, progress=False)
    for fold in range(4):
        wanted = split.model_copy(update={"fold": fold})
        one, other = split_data(read, wanted), load_data(data, wanted, progress=False)
        assert one.split == other.split
        pairs = zip(one.parts.test, other.parts.test, strict=True)
        assert all(torch.equal(a.x, b.x) and torch.equal(a.y, b.y) for a, b in pairs)
