"""Heads of graphs: poolings by hand, and what each node adds to them."""

import pytest
import torch
from torch_geometric.data import Data

from ogeaug.tasks.heads import POOLING, TYPICAL, GraphHead

X = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
BATCH = torch.tensor([0, 0, 1])


def test_half_of_the_channels_as_sum_the_others_as_mean():
    pooled = POOLING["sum_mean"](X, BATCH, 3)  # the last graph has no nodes
    by_hand = [[5 / TYPICAL, 3.5, 4.5], [7 / TYPICAL, 8.0, 9.0], [0.0, 0.0, 0.0]]
    torch.testing.assert_close(pooled, torch.tensor(by_hand))


def test_one_channel():
    assert POOLING["sum_mean"](X[:, :1], BATCH, 2).tolist() == [[2.5], [7.0]]


@pytest.mark.parametrize("pooling", POOLING)
@pytest.mark.parametrize("channels", [1, 4, 5])
def test_shares_of_nodes_add_up_to_what_is_pooled(pooling, channels):
    x = torch.randn(6, channels, generator=torch.Generator().manual_seed(0))
    pooled = POOLING[pooling](x, torch.zeros(6, dtype=torch.long), 1)[0]
    torch.testing.assert_close(GraphHead(channels, 1, pooling=pooling).shares(x).sum(0), pooled)


@pytest.mark.parametrize("pooling", POOLING)
def test_a_graph_alone_or_in_a_batch(pooling):
    head = GraphHead(3, 2, pooling=pooling)
    both = head(X, Data(), BATCH)
    torch.testing.assert_close(both[:1], head(X[:2], Data(), BATCH[:2]))
