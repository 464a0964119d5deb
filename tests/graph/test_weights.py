"""One rule on edge weights, on every path; features are numbers."""

import networkx as nx
import pytest
import torch
from torch_geometric.data import Batch, Data

import ogeaug.spectrum.solve as eigen
from ogeaug import AddSpectrum, OGEAug, compute_spectrum
from ogeaug.encodings import ENCODINGS
from ogeaug.encodings.latent import LatentOGEAug
from ogeaug.graph.edges import neighbours
from ogeaug.spectrum.pyg import read_spectra
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.solvers import SOLVERS
from ogeaug.transforms.add_hodge import AddHodge
from ogeaug.transforms.add_random_walk import AddRandomWalk
from tests.graphs import HARD, to_data

EDGES = HARD["weighted"].edge_index
FIRST = (EDGES.sum(0) == EDGES[:, 0].sum()) & (EDGES.prod(0) == EDGES[:, 0].prod())


def weighted(weight, others=1.0, dtype=torch.float64) -> Data:
    """A graph whose first edge has this weight."""
    value = torch.where(FIRST, torch.tensor(weight, dtype=torch.float64), others).to(dtype)
    return Data(edge_index=EDGES, edge_weight=value, num_nodes=12, x=torch.ones(12, 3))


def latent():
    return LatentOGEAug(4, in_channels=3, hidden_channels=4, num_layers=1)


def stored(data):
    """Spectra on the data are no excuse."""
    changed = AddSpectrum()(weighted(1.0))
    changed.edge_weight = data.edge_weight
    del changed["spectrum_recipe"]
    return read_spectra(changed, SpectrumOptions(), training=False)


PATHS = {
    "compute_spectrum": lambda d: compute_spectrum(d.edge_index, 12, d.edge_weight),
    "sym": lambda d: compute_spectrum(d.edge_index, 12, d.edge_weight, normalization="sym"),
    "AddSpectrum": AddSpectrum(),
    "AddRandomWalk": AddRandomWalk(3),
    "walks on edges": AddRandomWalk(3, edges="uniform"),
    "AddHodge": AddHodge(2),
    "batch": lambda d: OGEAug(4, hidden_channels=4)(Batch.from_data_list([d, d])),
    "stored": stored,
    "latent": lambda d: latent()(d),
}


@pytest.mark.parametrize("native", [True, False], ids=["native", "numpy"])
@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS.keys())
@pytest.mark.parametrize(
    "weight", [1.0001e12, 1e149, 1e150, 1.7e308, torch.inf, -torch.inf, torch.nan]
)
def test_weights_that_are_refused(monkeypatch, native, path, weight):
    if not native:
        monkeypatch.setattr(eigen, "SOLVERS", SOLVERS[-1:])
    message = r"edge 0 \(0 -> \d+\) has weight .*; weights must be finite, and at most 1e\+12"
    with pytest.raises(ValueError, match=message):
        path(weighted(weight))


@pytest.mark.parametrize("native", [True, False], ids=["native", "numpy"])
@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS.keys())
def test_complex_weights_are_refused(monkeypatch, native, path):
    """Some paths took the real part without a word."""
    if not native:
        monkeypatch.setattr(eigen, "SOLVERS", SOLVERS[-1:])
    with pytest.raises(TypeError, match=r"edge weights are real numbers, got torch.complex64"):
        path(weighted(1.0, dtype=torch.complex64))


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS.keys())
def test_weights_up_to_the_largest_are_taken(path):
    path(weighted(1e12))
    path(weighted(1e12, 1e12))


ODD = {
    "largest": weighted(1e12),
    "all largest": weighted(1e12, 1e12),
    "subnormal": weighted(5e-324),
    "all subnormal": weighted(5e-324, 5e-324),
    "small": weighted(1e-29),
    "zero": weighted(0.0),
    "all zero": weighted(0.0, 0.0),
    "negative": weighted(-1e-3),
    "integer": weighted(3.0, dtype=torch.int64),
    "bool": weighted(0.0, dtype=torch.bool),
    "float16": weighted(65504.0, 65504.0, dtype=torch.float16),
    "bfloat16": weighted(3.0, dtype=torch.bfloat16),
}


DIVIDES = ("edge_rwse", "hodge1_lap")  # see test_weights_that_cannot_be_divided_by


@pytest.mark.parametrize("name", ENCODINGS)
def test_features_are_numbers(name):
    torch.manual_seed(0)
    encode = (latent() if name == "latent" else ENCODINGS[name](4)).eval()
    for weight, data in ODD.items():
        if weight == "negative" or ("subnormal" in weight and name in DIVIDES):
            continue
        assert encode(data.clone()).isfinite().all(), weight


def test_weights_may_want_gradients():
    data = weighted(2.0)
    data.edge_weight.requires_grad_()
    OGEAug(4, hidden_channels=4).double()(AddSpectrum()(data)).sum().backward()
    assert data.edge_weight.grad.isfinite().all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.int64, torch.float32])
def test_the_kind_of_number_does_not_matter(dtype):
    """The mean of the two directions' weights 1 and 2 is not an integer."""
    edges = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    weight = torch.tensor([1, 2, 1, 1], dtype=dtype)
    assert neighbours(edges, 3, weight)[1].tolist() == [1.5, 1.5, 1.0, 1.0]
    exact = compute_spectrum(edges, 3, weight.double())
    assert torch.equal(compute_spectrum(edges, 3, weight).eigvals, exact.eigvals)


def test_a_node_that_hardly_belongs_to_its_random_walk():
    data = to_data(nx.path_graph(4))
    weight = torch.tensor([1.0, 1.0, 1e-200] * 2, dtype=torch.float64)
    for normalization in (None, "sym"):
        compute_spectrum(data.edge_index, 4, weight, normalization=normalization)
    with pytest.raises(ValueError, match=r"the weights at node 3 sum to less than 1e-12 of"):
        compute_spectrum(data.edge_index, 4, weight, normalization="rw")


@pytest.mark.parametrize("transform", [AddHodge(2), AddRandomWalk(3, edges="endpoint")], ids=str)
def test_weights_that_cannot_be_divided_by(transform):
    with pytest.raises(ValueError, match=r"has weight 1e-31; .* need 0 or at least 1e-30"):
        transform(weighted(1e-31))


@pytest.mark.parametrize(
    ("key", "value"),
    [("eigvals", 1e30), ("eigvals", torch.nan), ("eigvecs", 1e200), ("eigval_cutoff", torch.nan)],
)
def test_stored_spectra_that_would_give_no_features(key, value):
    data = AddSpectrum()(HARD["path"].clone())
    data[key][-1] = value
    with pytest.raises(ValueError, match="NaN"):
        OGEAug(4, hidden_channels=4)(data)


def test_noise_is_bounded():
    with pytest.raises(ValueError, match=r"at most 1e\+12\), got 1e\+300"):
        AddSpectrum(noise=1e300)


@pytest.mark.parametrize(("columns", "hint"), [(1, True), (2, False)])
def test_only_a_column_can_be_squeezed(columns, hint):
    edge_index = torch.tensor([[0, 1], [1, 0]])
    with pytest.raises(ValueError, match=r"one weight per edge") as refused:
        compute_spectrum(edge_index, 2, torch.ones(2, columns))
    assert ("squeeze" in str(refused.value)) == hint
