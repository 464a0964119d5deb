import math

import pytest
from rdkit.Chem.Scaffolds.MurckoScaffold import MurckoScaffoldSmiles

from ogeaug.data.nci import nci_smiles
from ogeaug.data.splits import (
    PARTS,
    column_split,
    fold_split,
    random_split,
    scaffold_split,
    write_split,
)
from ogeaug.errors import UserError

SIZES = (0.8, 0.1, 0.1)


def assert_partition(split, n):
    assert sorted(split.train + split.val + split.test) == list(range(n))


def test_random_is_seeded_and_complete():
    split = random_split(100, SIZES, seed=1)
    assert_partition(split, 100)
    assert (len(split.train), len(split.val), len(split.test)) == (80, 10, 10)
    assert split == random_split(100, SIZES, seed=1)
    assert split != random_split(100, SIZES, seed=2)


def test_scaffolds_stay_together():
    smiles = nci_smiles()[:300]
    split = scaffold_split(smiles, SIZES, seed=0)
    assert_partition(split, 300)
    assert len(split.val) > 15
    assert len(split.test) > 15
    homes = [{MurckoScaffoldSmiles(smiles[i]) for i in split.part(part)} for part in PARTS]
    assert not homes[0] & homes[1]
    assert not homes[0] & homes[2]
    assert not homes[1] & homes[2]


def test_column():
    split = column_split(["train", "valid", "TEST", "train"], "part")
    assert split.part("train") == [0, 3]
    assert (split.val, split.test) == ([1], [2])
    with pytest.raises(UserError, match="holds 'x' in row 1"):
        column_split(["x"], "part")
    with pytest.raises(UserError, match="holds 'x' in row 8"):  # rows before it were skipped
        column_split(["train", "x"], "part", [3, 7])


def test_folds_test_every_row_once():
    splits = [fold_split(20, 5, fold, seed=3) for fold in range(5)]
    for split in splits:
        assert_partition(split, 20)
    assert sorted(row for split in splits for row in split.test) == list(range(20))


def test_two_folds_leave_nothing_to_train():
    with pytest.raises(UserError, match="at least 3 folds"):
        fold_split(20, 2, 0, seed=0)


@pytest.mark.parametrize(
    "sizes", [(0.5, 0.1, 0.1), (1.0, 0.0, 0.0), (1.2, -0.1, -0.1), (0.8, math.nan, 0.1)]
)
def test_impossible_sizes(sizes):
    with pytest.raises(UserError, match="sum to 1"):
        random_split(100, sizes, seed=0)


def test_too_few_rows():
    with pytest.raises(UserError, match="too few to split"):
        random_split(2, SIZES, seed=0)
    assert_partition(random_split(3, SIZES, seed=0), 3)


def test_is_saved(tmp_path):
    write_split(random_split(3, SIZES, seed=0), tmp_path / "split.csv")
    lines = (tmp_path / "split.csv").read_text().split()
    assert lines[0] == "row,part"
    assert len(lines) == 4
