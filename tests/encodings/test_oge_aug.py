import copy
import resource

import networkx as nx
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch_geometric.data import Batch, Data

from ogeaug import AddSpectrum, OGEAug, compute_spectrum
from ogeaug.measure.invariance import permute_nodes
from ogeaug.tensors.rows import layout
from tests.conftest import TOLERANCE
from tests.graphs import HARD, graphs, to_data
from tests.oracle import dense_oge_aug


def small(**options):
    return OGEAug(6, **({"hidden_channels": 8, "num_layers": 3} | options))


def dense(model, data):
    options = model.spectrum
    spectrum = compute_spectrum(
        data.edge_index, data.num_nodes, data.get("edge_weight", None), k=options.k
    )
    return dense_oge_aug(model, data, spectrum.eigvals, spectrum.eigvecs, spectrum.cutoff)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("delta", [0.05, 0.5, 5.0])
@pytest.mark.parametrize("name", [name for name in HARD if name != "200 nodes"])
def test_equals_the_dense_oracle(name, delta, order, dtype, tolerance):
    model = small(order=order, delta=delta).to(dtype).eval()
    expected = dense(model, HARD[name])
    torch.testing.assert_close(model(HARD[name]), expected, rtol=tolerance, atol=tolerance)


@given(graphs(), st.sampled_from([0.05, 0.5]), st.sampled_from([None, 3, 6]))
def test_equals_the_dense_oracle_on_any_graph(data, delta, k):
    model = small(delta=delta, k=k, in_channels=2).double().eval()
    data.x = torch.randn(data.num_nodes, 2)
    tolerance = TOLERANCE[torch.float64]
    torch.testing.assert_close(model(data), dense(model, data), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("kernel", ["auto", "torch"])
@pytest.mark.parametrize("readout", ["last", "every"])
@pytest.mark.parametrize("message_norm", [None, "sym"])
@pytest.mark.parametrize("name", ["star", "weighted", "grid"])
def test_readout_and_messages_equal_the_dense_oracles(name, message_norm, readout, kernel):
    model = small(readout=readout, message_norm=message_norm, kernel=kernel).double()
    model(HARD["grid"])  # running statistics
    model.eval()
    expected = dense(model, HARD[name])
    torch.testing.assert_close(model(HARD[name]), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("bad", [{"readout": "some"}, {"message_norm": "rw"}])
def test_unknown_readouts_and_messages_are_refused(bad):
    with pytest.raises(ValueError, match="choose"):
        small(**bad)


@pytest.mark.parametrize("options", [{}, {"readout": "every", "message_norm": "sym"}])
def test_gradients_equal_the_dense_oracles(options):
    model = small(delta=0.5, **options).double().eval()
    batch = [HARD[name] for name in ("complete", "path", "star", "weighted")]
    sum(model(data).square().sum() for data in batch).backward()
    found = {name: p.grad.clone() for name, p in model.named_parameters()}
    model.zero_grad()
    sum(dense(model, data).square().sum() for data in batch).backward()
    for name, p in model.named_parameters():
        torch.testing.assert_close(found[name], p.grad, rtol=1e-9, atol=1e-9, msg=name)


def test_gradient_by_finite_differences():
    model = small(hidden_channels=4, num_layers=2, in_channels=2).double()
    data = HARD["star"].clone()
    data.x = torch.randn(10, 2, dtype=torch.float64, requires_grad=True)
    inputs = (data.x, *model.parameters())
    assert torch.autograd.gradcheck(lambda *_: model(data), inputs, fast_mode=True)


@pytest.mark.parametrize("order", [1, 2])
def test_rook_and_shrikhande_graphs(order):
    """Order 2 tells them apart, which 3-WL cannot; order 1 cannot."""
    model = small(order=order).double().eval()
    rook, shrikhande = model(HARD["rook"]).sum(0), model(HARD["shrikhande"]).sum(0)
    copy = model(permute_nodes(HARD["rook"], torch.randperm(16))).sum(0)
    noise = (rook - copy).abs().max()
    assert noise < 1e-9 * rook.abs().max()
    difference = (rook - shrikhande).abs().max()
    assert (difference > 1e-4 * rook.abs().max()) == (order == 2)


def test_training_noise_never_reaches_evaluation():
    model = small()
    disturb = AddSpectrum(noise=1e-3, permute=True)
    exact = model.eval()(HARD["path"])
    assert torch.equal(model(disturb(HARD["path"])), exact)
    batch = Batch.from_data_list([disturb(HARD["path"]), disturb(HARD["star"])])
    torch.testing.assert_close(model(batch)[:9], exact)
    model.train()
    first, second = model(disturb(HARD["path"])), model(disturb(HARD["path"]))
    assert (first - second).abs().max() > 1e-4
    assert (first - exact).abs().max() > 1e-4


def test_evaluation_without_noise_keeps_the_other_options():
    model = small().eval()
    noisy = AddSpectrum(3, "sym", noise=1e-3)(HARD["path"])
    assert torch.equal(model(noisy), model(AddSpectrum(3, "sym")(HARD["path"])))


def test_unit_weights_are_no_weights():
    model = small().double().eval()
    data = HARD["grid"].clone()
    data.edge_weight = torch.ones(data.num_edges)
    torch.testing.assert_close(model(data), model(HARD["grid"]))


def test_one_directional_edges_loops_and_copies():
    model = small().double().eval()
    edges = HARD["path"].edge_index
    half = Data(edge_index=edges[:, edges[0] < edges[1]], num_nodes=9)
    loops = Data(edge_index=torch.cat([edges, torch.tensor([[3], [3]])], 1), num_nodes=9)
    torch.testing.assert_close(model(half), model(HARD["path"]))
    torch.testing.assert_close(model(loops), model(HARD["path"]))
    twice = Data(edge_index=torch.cat([edges, edges], 1), num_nodes=9)
    double = HARD["path"].clone().update({"edge_weight": torch.full((16,), 2.0)})
    torch.testing.assert_close(model(twice), model(double))


@pytest.mark.parametrize("kernel", ["auto", "torch"])
def test_edges_may_be_narrow_integers(kernel):
    encode, data = OGEAug(4, hidden_channels=8, num_layers=2, kernel=kernel).eval(), HARD["grid"]
    narrow = Data(edge_index=data.edge_index.int(), num_nodes=data.num_nodes)
    assert torch.equal(encode(narrow), encode(data))
    assert torch.equal(encode(AddSpectrum()(narrow)), encode(data))


def test_node_features_are_used():
    model = small(in_channels=3).eval()
    data = HARD["path"].clone().update({"x": torch.zeros(9, 3)})
    other = HARD["path"].clone().update({"x": torch.ones(9, 3)})
    assert (model(data) - model(other)).abs().max() > 1e-3
    assert torch.equal(small().eval()(HARD["path"]).isfinite().all(), torch.tensor(True))


def test_state_dict_round_trip():
    model, other = small(norm="batch"), small(norm="batch")
    model(HARD["path"])  # moves the running statistics
    other.load_state_dict(copy.deepcopy(model.state_dict()))
    assert torch.equal(model.eval()(HARD["path"]), other.eval()(HARD["path"]))


def test_reset_parameters():
    model = small()
    before = copy.deepcopy(model.state_dict())
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(7)
    model.reset_parameters()
    for name, parameter in model.named_parameters():
        assert not (parameter == 7).any(), name
        scalar = ".c" in name or "norm0" in name
        assert torch.equal(parameter, before[name]) == scalar, name


def test_repr_tells_all_options():
    text = repr(OGEAug(6, order=1, delta=0.1, smoothing="hat", k=9, norm="batch"))
    for part in ("6", "order=1", "Hat(delta=0.1)", "k=9", "norm='batch'", "num_layers=4"):
        assert part in text


def test_large_graphs_by_few_eigenvectors(monkeypatch):
    """Messages by adjacency matrix, where there are many, equal those by index."""
    path = Data(edge_index=torch.stack([torch.arange(399), torch.arange(1, 400)]), num_nodes=400)
    model = small(k=16, kernel="torch").double().eval()
    batch = Batch.from_data_list([HARD["complete"], path, HARD["star"]])
    by_matrix = model(batch)
    monkeypatch.setattr(layout, "MANY", 10**9)
    torch.testing.assert_close(by_matrix, model(batch))


def test_memory_follows_the_pairs_not_the_edges():
    """A complete graph has n^2 edges and n^2 pairs: n^4 messages must never exist at once."""
    model = small(hidden_channels=4, num_layers=2, kernel="torch")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    model(to_data(nx.complete_graph(60))).sum().backward()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024  # MiB
    assert grown < 600  # one gather of all messages alone would be 200 MiB, its indices 200


def test_autocast_keeps_full_precision():
    model = small(in_channels=2).eval()
    data = HARD["path"].clone().update({"x": torch.ones(9, 2)})
    expected = model(data)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(model(data), expected)


def test_smoothing_with_a_gap():
    """Pairs may span eigenvalues that neither of them sees."""

    def hump(x):
        far = ((x - 0.3) * (0.5 - x) * 50).clamp(0, 1)
        return torch.where(x < 0.1, 1 - x / 0.1, torch.where(x > 0.3, far, 0.0))

    for kernel in ("torch", "auto"):
        model = small(smoothing=hump, delta=0.5, kernel=kernel).double().eval()
        for name in ("path", "random regular", "weighted"):
            torch.testing.assert_close(model(HARD[name]), dense(model, HARD[name]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"delta": 0}, "delta must be positive"),
        ({"order": 7}, "order 7 is not supported; choose from"),
        ({"num_layers": 0}, "num_layers must be at least 1"),
        ({"hidden_channels": 2}, "hidden_channels=2 is too few"),
        ({"norm": "group"}, "unknown norm 'group'; choose from layer, batch"),
        ({"smoothing": "cos"}, "unknown smoothing 'cos'"),
        ({"k": 0}, "k must be at least 1"),
        ({"normalization": "l2"}, "one of 'sym', 'rw', got 'l2'"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        small(**options)
    with pytest.raises(ValueError, match="out_channels must be at least 1"):
        OGEAug(0)


def test_bad_features():
    model = small(in_channels=3)
    with pytest.raises(ValueError, match="in_channels=3, but the data has no x"):
        model(HARD["path"])
    with pytest.raises(ValueError, match=r"data.x must be \[9, 3\], got \[9, 2\]"):
        model(HARD["path"].clone().update({"x": torch.zeros(9, 2)}))
    with pytest.raises(TypeError, match="embed categories first"):
        model(HARD["path"].clone().update({"x": torch.zeros(9, 3, dtype=torch.long)}))
    with pytest.raises(ValueError, match=r"edge 0 \(0 -> 99\) names a node outside"):
        small()(Data(edge_index=torch.tensor([[0], [99]]), num_nodes=9))
    batch = Batch.from_data_list([HARD["path"], HARD["star"]])
    batch.edge_index[1, -1] = 99
    with pytest.raises(ValueError, match=r"the batch: edge 33 \(18 -> 99\) names a node"):
        small()(batch)


def test_data_on_another_device():
    with pytest.raises(ValueError, match="the data is on cpu, the encoding on meta; move one"):
        small().to("meta")(HARD["path"])
