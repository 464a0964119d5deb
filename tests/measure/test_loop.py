"""On a loop around a graph with repeated eigenvalues, stable encodings move with its size."""

import networkx as nx
import pytest
import torch

from ogeaug.encodings import make_encoding
from ogeaug.measure import distance_to_others, loop_path
from ogeaug.measure.named_graphs import from_networkx

RING = from_networkx(nx.cycle_graph(12))


def largest(name, size):
    torch.manual_seed(0)
    encode = make_encoding(name, 8).double().eval()
    moved = loop_path(encode, RING, size=size, steps=12, generator=torch.Generator().manual_seed(0))
    assert moved[-1] < 1e-6  # back at the start
    return max(moved) / distance_to_others(encode, RING)


@pytest.mark.parametrize("name", ["oge_aug", "general", "spe", "rwse"])
def test_stable_encodings_shrink_with_the_loop(name):
    assert largest(name, 1e-3) < 0.02
    assert largest(name, 1e-5) < 2e-4


@pytest.mark.parametrize(("name", "least"), [("lap_pe", 0.5), ("signnet", 0.01)])
def test_others_do_not(name, least):
    assert largest(name, 1e-3) > least
    assert largest(name, 1e-5) > least


def test_bad_arguments():
    with pytest.raises(ValueError, match="a loop has"):
        loop_path(make_encoding("rwse", 8), RING, steps=1)
