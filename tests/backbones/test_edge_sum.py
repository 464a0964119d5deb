"""What GINE sums up: the core and PyTorch against a loop over the edges."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch_geometric.nn import GINEConv as PlainGINEConv

from ogeaug.backbones import edge_sum as module
from ogeaug.backbones.edge_sum import EdgeSum, at_hand, edge_sum, plain_edge_sum
from ogeaug.backbones.gine import GINEConv
from ogeaug.native import build
from tests.graphs import HARD

WAYS = [plain_edge_sum]
if build.available():
    WAYS.append(EdgeSum.apply)


def by_edge(x, edges, e):
    out = x.clone()
    for number, (j, i) in enumerate(edges.T.tolist()):  # a message from j to i
        out[i] = out[i] + (x[j] + e[number]).relu()
    return out


def draw(n, edges, h, dtype):
    generator = torch.Generator().manual_seed(n + h)
    x = torch.randn(n, h, generator=generator, dtype=dtype)
    return x, torch.randn(edges.size(1), h, generator=generator, dtype=dtype)


@pytest.mark.parametrize("way", WAYS)
@given(data=st.data())
def test_is_the_loop_for_any_edges(way, data):
    """Loops, parallel edges and edges of one direction included; widths around those of vectors."""
    n = data.draw(st.integers(1, 5))
    ends = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    pairs = data.draw(st.lists(ends, max_size=12))
    edges = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2).T
    h = data.draw(st.sampled_from([1, 3, 8, 16, 17, 33]))
    x, e = (t.requires_grad_() for t in draw(n, edges, h, torch.float64))
    found, expected = way(x, edges, e), by_edge(x, edges, e)
    torch.testing.assert_close(found, expected)
    g = torch.randn_like(expected)
    ours = torch.autograd.grad(found, (x, e), g)
    theirs = torch.autograd.grad(expected, (x, e), g, materialize_grads=True)
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("name", sorted(HARD))
def test_is_that_of_pyg(name, dtype, tolerance):
    graph = HARD[name]
    x, e = draw(graph.num_nodes, graph.edge_index, 8, dtype)
    conv = GINEConv(torch.nn.Linear(8, 8)).to(dtype)
    plain = PlainGINEConv(torch.nn.Linear(8, 8)).to(dtype)
    plain.load_state_dict(conv.state_dict())
    found, expected = (c(x, graph.edge_index, e) for c in (conv, plain))
    torch.testing.assert_close(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.skipif(len(WAYS) == 1, reason="no C++ compiler here")
def test_the_core_is_taken_where_it_can_be(monkeypatch):
    edges = HARD["star"].edge_index
    x, e = draw(HARD["star"].num_nodes, edges, 4, torch.float32)
    assert at_hand(x, edges, e)
    others = [(x.half(), edges, e.half()), (x, edges, e.double()), (x, edges.int(), e)]
    assert not any(at_hand(*tensors) for tensors in others)
    assert not at_hand(x.to("meta"), edges.to("meta"), e.to("meta"))
    monkeypatch.setattr(module, "available", lambda: False)
    assert not at_hand(x, edges, e)


@pytest.mark.skipif(len(WAYS) == 1, reason="no C++ compiler here")
def test_nothing_unchecked_enters_the_core():
    x, edges = torch.zeros(3, 2), torch.tensor([[0, 1], [1, 3]])
    with pytest.raises(ValueError, match="edge 1 joins 1 and 3, but there are 3 nodes"):
        edge_sum(x, edges, torch.zeros(2, 2))
    with pytest.raises(ValueError, match="takes e as 4 numbers"):
        edge_sum(x, edges, torch.zeros(2, 3))
    turned = torch.zeros(2, 3).T
    assert edge_sum(turned, edges[:, :1], torch.zeros(1, 4)[:, ::2]).shape == (3, 2)


def test_a_graph_without_edges_or_nodes():
    none = torch.empty(2, 0, dtype=torch.long)
    for n in (0, 2):
        x = torch.ones(n, 3, requires_grad=True)
        out = edge_sum(x, none, torch.empty(0, 3))
        out.sum().backward()
        assert torch.equal(out, x)
        assert torch.equal(x.grad, torch.ones(n, 3))
