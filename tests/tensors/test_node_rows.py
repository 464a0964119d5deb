"""Networks on rows: sums over neighbours, and memory."""

import pytest
import torch

from ogeaug.encodings import make_encoding
from ogeaug.graph.edges import neighbours
from ogeaug.spectrum import memory
from ogeaug.tensors import node_rows as module
from ogeaug.tensors.node_rows import lay_out_rows
from tests.graphs import HARD


def rows_of(data, columns, weight):
    edges, weight = neighbours(data.edge_index, data.num_nodes, weight)
    sizes, count = torch.tensor([data.num_nodes]), torch.tensor([columns])
    return lay_out_rows(sizes, count, edges, weight, torch.float64), edges, weight


@pytest.mark.parametrize("learned", [False, True])
@pytest.mark.parametrize("graph", ["weighted", "grid", "one node", "no edges"])
def test_sums_are_those_of_a_dense_matrix(graph, learned):
    data = HARD[graph]
    weight = torch.rand(data.num_edges, dtype=torch.float64).requires_grad_() if learned else None
    rows, edges, weight = rows_of(data, 3, weight if learned else data.get("edge_weight"))
    n = data.num_nodes
    A = torch.zeros(n, n, dtype=torch.float64)
    A[edges[0], edges[1]] = 1.0 if weight is None else weight.detach().double()
    h = torch.randn(len(rows), 2, dtype=torch.float64)
    expected = torch.einsum("ij,jcl->icl", A, h.view(n, 3, 2)).reshape(-1, 2)
    torch.testing.assert_close(rows.sum_neighbours(h), expected)


def test_gradients_of_first_and_second_order():
    rows, _, _ = rows_of(HARD["weighted"], 2, HARD["weighted"].edge_weight)
    h = torch.randn(len(rows), 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(rows.sum_neighbours, h)
    assert torch.autograd.gradgradcheck(lambda h: rows.sum_neighbours(h).pow(3), h)


def test_weights_that_learn_get_a_gradient():
    data = HARD["grid"]
    weight = torch.ones(data.num_edges, dtype=torch.float64, requires_grad=True)
    rows, _, _ = rows_of(data, 2, weight)
    rows.sum_neighbours(torch.ones(len(rows), 1, dtype=torch.float64)).sum().backward()
    assert weight.grad is not None
    assert (weight.grad == 2).all()  # two columns


@pytest.mark.parametrize("network", ["ours", "authors"])
@pytest.mark.parametrize("name", ["spe", "signnet"])
def test_what_does_not_fit_into_memory_is_refused(name, network, monkeypatch):
    monkeypatch.setattr(module, "MATTERS", 0)
    monkeypatch.setattr(memory, "memory_bytes", lambda: 1000)
    encode = make_encoding(name, 4, hidden_channels=8, num_layers=2, network=network).train()
    with pytest.raises(MemoryError, match=r"2 layers of 8 channels .*smaller batches"):
        encode(HARD["grid"])
    with torch.no_grad():  # nothing is kept
        encode(HARD["grid"])
