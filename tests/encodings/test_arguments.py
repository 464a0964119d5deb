"""Mistakes in arguments of encodings are told in our words, not in torch's."""

import inspect

import pytest
import torch
from torch_geometric.data import Data

from ogeaug import OGEAug
from ogeaug.encodings import ENCODINGS
from ogeaug.encodings.latent import LatentOGEAug

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


@pytest.mark.parametrize("training", [True, False])
def test_a_batch_norm_takes_a_graph_of_one_node(training):
    alone = Data(edge_index=torch.zeros(2, 0, dtype=torch.long), num_nodes=1)
    encoding = OGEAug(4, hidden_channels=4, num_layers=1, norm="batch").train(training)
    out = encoding(alone)
    assert out.isfinite().all()
    out.sum().backward()
