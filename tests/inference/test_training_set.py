"""The training molecules of a run."""

import shutil

import pytest

from ogeaug.data.similarity import Fingerprints
from ogeaug.errors import UserError
from ogeaug.inference.training_set import read_training_set


def test_the_training_part_and_its_targets(run):
    found = read_training_set(run)
    parts = (run / "split.csv").read_text(encoding="utf-8")
    assert len(found.smiles) == parts.count(",train")
    assert all(float(y) == len(s) for s, (y,) in zip(found.smiles, found.targets, strict=True))
    assert read_training_set(run, most=3).left_out == len(found.smiles) - 3


def test_a_molecule_of_the_training_part_is_nearest_to_itself(run):
    smiles = read_training_set(run).smiles
    place, similarity = Fingerprints(smiles).nearest(smiles[5], 1)[0]
    assert similarity == 1
    assert Fingerprints(smiles).nearest(smiles[5], 3)[0][0] == place <= 5


def test_molecules_that_cannot_be_read_are_like_no_other():
    assert Fingerprints(["no", "CCO"]).nearest("CCO", 5) == [(1, 1.0)]


def test_a_table_that_is_gone_is_told(run, tmp_path):
    copy = tmp_path / "run"
    shutil.copytree(run, copy)
    text = (copy / "config.yaml").read_text(encoding="utf-8")
    gone = text.replace(str(run.parent / "my.csv"), "gone.csv")
    (copy / "config.yaml").write_text(gone, encoding="utf-8")
    with pytest.raises(UserError, match=r"no file gone.csv"):
        read_training_set(copy)
    (copy / "split.csv").unlink()
    with pytest.raises(UserError, match=r"no split.csv"):
        read_training_set(copy)
