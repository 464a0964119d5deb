"""The benchmark of small sets: its splits, and what it makes of missing labels."""

import csv
import gzip
import math

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the benchmarks' extra is not installed")
from benchmarks.small_sets import Figures, Set, forest
from tests.training.tiny import molecules


def write(path, columns, rows):
    with gzip.open(path, "wt", newline="") as file:
        csv.writer(file).writerows([columns, *rows])


def test_splits_are_those_of_random_state(tmp_path):
    write(tmp_path / "esol.csv.gz", ["smiles", "y"], [[s, len(s)] for s in molecules(30)])
    data = Set("esol", tmp_path, 1, tmp_path)
    order = np.random.RandomState(1).permutation(30)
    assert set(data.parts[order[:24]]) == {"train"}
    assert set(data.parts[order[24:27]]) == {"val"}
    assert set(data.parts[order[27:]]) == {"test"}
    with data.file.open() as file:
        assert [row["split"] for row in csv.DictReader(file)] == list(data.parts)
    assert data.score(data.y[data.parts == "test"] + 2) == pytest.approx(2)


def test_missing_labels_count_for_nothing(tmp_path):
    rows = [[s, i % 2, "" if i % 3 else (i // 3) % 2] for i, s in enumerate(molecules(40))]
    write(tmp_path / "tox21.csv.gz", ["smiles", "a", "b"], rows)
    data = Set("tox21", tmp_path, 0, tmp_path)
    assert data.targets == ["a", "b"]
    y = data.y[data.parts == "test"]
    right = np.where(np.isnan(y), 0.5, y)
    assert data.score(right) == 1
    assert data.score(-right) == 0
    figure, seconds = forest(data, [], False)
    assert 0 <= figure <= 1
    assert seconds > 0
    assert math.isfinite(figure)


def test_figures_are_kept_by_what_was_changed(tmp_path):
    key = {"set": "esol", "seed": 0, "model": "default", "changes": []}
    assert Figures(tmp_path / "f.json").get(key, lambda: (0.5, 3)) == (0.5, 3)
    again = Figures(tmp_path / "f.json")
    assert again.get(key, lambda: (0.1, 1)) == (0.5, 3)
    assert again.get(key | {"changes": ["training.epochs=3"]}, lambda: (0.2, 2)) == (0.2, 2)
