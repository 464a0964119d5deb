"""Data sets that are generated: sizes, seeds, what they fix."""

import pytest

from ogeaug.data.config import DataConfig, SplitConfig
from ogeaug.data.load import load_data, read_data, split_data
from ogeaug.data.sets import DATASETS
from ogeaug.model.config import FeaturesConfig, TaskConfig
from ogeaug.training.digest import digest_parts


def load(name, seed=0, **options):
    return load_data(DataConfig(name=name, **options), SplitConfig(seed=seed), progress=False)


@pytest.mark.parametrize(
    ("name", "counts", "digest"),
    [
        ("pattern", (7, 1, 1), "0b1a"),
        ("cluster", (7, 1, 1), "45b2"),
    ],
)
def test_the_same_graphs_as_ever(name, counts, digest):
    found = load(name, limit=7)
    assert tuple(len(found.parts.part(part)) for part in ("train", "val", "test")) == counts
    assert digest_parts(found.parts).startswith(digest)
    known = DATASETS[name]
    assert (found.features.kind, found.features.node_sizes) == ("own", list(known.node_sizes))
    assert found.task == TaskConfig(type="node_classification", num_classes=known.num_classes)
    assert (found.split, found.skipped) == (None, [])
    for data in found.parts.train:
        assert int(data.x.max()) < known.node_sizes[0]
        assert int(data.y.max()) < known.num_classes


def test_published_sizes():
    assert DATASETS["pattern"].counts(DataConfig()) == (10_000, 2_000, 2_000)
    assert DATASETS["cluster"].counts(DataConfig()) == (10_000, 1_000, 1_000)


@pytest.mark.parametrize("name", ["pattern", "cluster"])
def test_the_checksum_is_what_the_graphs_depend_on(name):
    one, same, other, more = (
        load(name, limit=3),
        load(name, limit=3),
        load(name, 1, limit=3),
        load(name, limit=4),
    )
    assert one.checksum == same.checksum
    assert digest_parts(one.parts) == digest_parts(same.parts)
    for changed in (other, more):
        assert changed.checksum != one.checksum
        assert digest_parts(changed.parts) != digest_parts(one.parts)
    assert not one.parts.train[0].edge_index.equal(one.parts.val[0].edge_index)


def test_members_of_an_ensemble_share_them():
    split, features, task = SplitConfig(), FeaturesConfig(), TaskConfig()
    read = read_data(DataConfig(name="cluster", limit=3), split, features, task)
    assert split_data(read, split).parts is split_data(read, split).parts
