"""What GINE sums up: the core and PyTorch against a loop over the edges."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch._subclasses.fake_tensor import FakeTensorMode
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
    with torch.no_grad():  # a core that is there is taken, none is built
        assert at_hand(x, edges, e)
        monkeypatch.setattr(module, "load_if_built", lambda: None)
        assert not at_hand(x, edges, e)


@pytest.mark.skipif(len(WAYS) == 1, reason="no C++ compiler here")
def test_nothing_unchecked_enters_the_core():
    x, edges = torch.zeros(3, 2), torch.tensor([[0, 1], [1, 3]])
    with pytest.raises(ValueError, match="edge 1 joins 1 and 3, but there are 3 nodes"):
        edge_sum(x, edges, torch.zeros(2, 2))
    turned = torch.zeros(2, 3).T
    assert edge_sum(turned, edges[:, :1], torch.zeros(1, 4)[:, ::2]).shape == (3, 2)


@pytest.mark.parametrize("way", WAYS)
def test_nan_goes_on_as_in_pytorch(way):
    edges, inf = torch.tensor([[0, 1], [1, 0]]), float("inf")
    x = torch.tensor([[0.0, inf, float("nan")], [1.0, -1.0, -inf]], requires_grad=True)
    e = torch.tensor([[float("nan"), -inf, 0.0], [0.0, 1.0, inf]], requires_grad=True)
    found, expected = way(x, edges, e), by_edge(x, edges, e)
    torch.testing.assert_close(found, expected, equal_nan=True)
    ours = torch.autograd.grad(found, (x, e), torch.ones_like(x))
    theirs = torch.autograd.grad(expected, (x, e), torch.ones_like(x))
    torch.testing.assert_close(ours, theirs, equal_nan=True)


@pytest.mark.parametrize("way", WAYS)
def test_derivatives_in_every_way(way):
    edges = HARD["star"].edge_index
    x, e = (t.requires_grad_() for t in draw(HARD["star"].num_nodes, edges, 2, torch.float64))
    assert torch.autograd.gradcheck(lambda *t: way(t[0], edges, t[1]), (x, e))
    assert torch.autograd.gradgradcheck(lambda *t: way(t[0], edges, t[1]).square(), (x, e))
    jacobian = torch.autograd.functional.jacobian
    one_by_one, at_once = (jacobian(lambda t: way(t, edges, e), x, vectorize=v) for v in (0, 1))
    torch.testing.assert_close(one_by_one, at_once)


def test_functions_of_torch_func_take_the_plain_way():
    edges = HARD["star"].edge_index
    x, e = draw(HARD["star"].num_nodes, edges, 2, torch.float64)
    expected = plain_edge_sum(x, edges, e)
    found = torch.vmap(lambda t: edge_sum(t, edges, e))(torch.stack([x, 2 * x]))[0]
    torch.testing.assert_close(found, expected)
    gradient = torch.func.grad(lambda t: edge_sum(t, edges, e).sum())(x)
    assert gradient.shape == x.shape


@pytest.mark.parametrize(
    ("x", "edges", "e"),
    [
        ((3, 2), (2, 2), (2, 3)),
        ((3, 2), (2, 2), (2, 1)),
        ((3, 2), (2, 2), (4,)),
        ((3,), (2, 2), (2,)),
        ((3, 2), (1, 2, 2), (2, 2)),
        ((3, 2), (3, 2), (2, 2)),
        ((3, 2), (4,), (2, 2)),
        ((3, 2), (), (2, 2)),
    ],
)
def test_other_shapes_are_refused_in_both_ways(x, edges, e, monkeypatch):
    for there in (True, False):
        monkeypatch.setattr(module, "at_hand", lambda *_, there=there: there)
        with pytest.raises(ValueError, match=r"takes x \[N, h\].* got \[3"):
            edge_sum(torch.zeros(x), torch.zeros(edges, dtype=torch.long), torch.zeros(e))


def test_stand_ins_for_tensors_never_enter_the_core():
    with FakeTensorMode():
        edges = torch.zeros(2, 1, dtype=torch.long)
        assert edge_sum(torch.zeros(3, 2), edges, torch.zeros(1, 2)).shape == (3, 2)
    turned = torch._neg_view(torch.ones(3, 2))
    edges = torch.tensor([[0], [1]])
    torch.testing.assert_close(
        edge_sum(turned, edges, torch.full((1, 2), 3.0)),
        torch.tensor([[-1.0] * 2, [1.0] * 2, [-1.0] * 2]),
    )


def test_edges_can_be_masked_by_an_explainer():
    conv = GINEConv(torch.nn.Linear(2, 2))
    x, edges, e = torch.ones(2, 2), torch.tensor([[0], [1]]), torch.ones(1, 2)
    plain = conv(x, edges, e)
    conv.explain, conv._edge_mask = True, torch.nn.Parameter(torch.tensor([-100.0]))
    conv._loop_mask, conv._apply_sigmoid = torch.ones(1, dtype=torch.bool), True
    masked = conv(x, edges, e)
    torch.testing.assert_close(masked[1], conv.nn(x)[1])  # as if the edge were not there
    assert not torch.allclose(masked[1], plain[1])


def test_a_graph_without_edges_or_nodes():
    none = torch.empty(2, 0, dtype=torch.long)
    for n in (0, 2):
        x = torch.ones(n, 3, requires_grad=True)
        out = edge_sum(x, none, torch.empty(0, 3))
        out.sum().backward()
        assert torch.equal(out, x)
        assert torch.equal(x.grad, torch.ones(n, 3))
