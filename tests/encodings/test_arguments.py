"""Mistakes in arguments of encodings are told in our words, not in torch's."""

import inspect

import pytest
import torch
from torch_geometric.data import Data

from ogeaug import AddSpectrum, OGEAug
from ogeaug.encodings import ENCODINGS
from ogeaug.encodings.edge_rwse import EdgeRWSE
from ogeaug.encodings.hodge1_lap import Hodge1Lap
from ogeaug.encodings.latent import LatentOGEAug
from ogeaug.encodings.rwse import RWSE
from ogeaug.transforms.add_random_walk import AddRandomWalk

COUNTS = ("in_channels", "edge_channels", "hidden_channels", "num_layers", "order", "k", "steps")
KINDS = {name: ENCODINGS[name] for name in ENCODINGS} | {"latent": LatentOGEAug}
CASES = [
    (name, count)
    for name, kind in KINDS.items()
    for count in ("out_channels", *COUNTS)
    if count in inspect.signature(kind).parameters
]


@pytest.mark.parametrize(("name", "count"), CASES)
def test_counts_are_whole_numbers_from_one(name, count):
    needed = {"out_channels": 4} | ({"in_channels": 3} if name == "latent" else {})
    for value in (2.0, "8", True):
        with pytest.raises(TypeError, match=f"{count} must be a whole number, got {value!r}"):
            KINDS[name](**needed | {count: value})
    for value in (-2, 0):
        with pytest.raises(ValueError, match=f"{count} must be at least 1, got {value}"):
            KINDS[name](**needed | {count: value})


@pytest.mark.parametrize("reading", [None, 3])
def test_a_reading_is_a_word_or_a_mapping(reading):
    with pytest.raises(TypeError, match="reading must be one of ours, printed"):
        OGEAug(4, reading=reading)


@pytest.mark.parametrize("key", ["edge_index", "edge_weight", "eigvals", "eigvecs"])
def test_lists_are_no_tensors(key):
    data = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2)
    data[key] = [1.0, 1.0]
    with pytest.raises(TypeError, match=rf"data.{key} must be a tensor, got list"):
        OGEAug(4, hidden_channels=4, num_layers=1)(data)
    if key in ("edge_index", "edge_weight"):
        for take in (RWSE(4), EdgeRWSE(4), Hodge1Lap(4), AddSpectrum(), AddRandomWalk(3)):
            with pytest.raises(TypeError, match=rf"data.{key} must be a tensor, got list"):
                take(data.clone())


def test_no_graph_at_all():
    for take in (OGEAug(4, hidden_channels=4, num_layers=1), RWSE(4), EdgeRWSE(4), Hodge1Lap(4)):
        with pytest.raises(TypeError, match="an encoding takes a PyG Data or Batch, got None"):
            take(None)
        empty = Data(edge_index=torch.zeros(2, 0, dtype=torch.long), num_nodes=0)
        empty.ptr, empty.batch = torch.tensor([0]), torch.zeros(0, dtype=torch.long)
        with pytest.raises(ValueError, match="the batch has no graphs"):
            take(empty)


@pytest.mark.parametrize("training", [True, False])
def test_a_batch_norm_takes_a_graph_of_one_node(training):
    alone = Data(edge_index=torch.zeros(2, 0, dtype=torch.long), num_nodes=1)
    encoding = OGEAug(4, hidden_channels=4, num_layers=1, norm="batch").train(training)
    out = encoding(alone)
    assert out.isfinite().all()
    out.sum().backward()
