"""The fast way to the spectra gives what the careful way gives, and leaves it what is odd."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch_geometric.data import Batch, Data

from ogeaug import compute_spectrum
from ogeaug.native import build
from ogeaug.spectrum import solve as eigen
from ogeaug.spectrum.noise import draw
from ogeaug.spectrum.solve import Disturbance, SpectrumOptions, compute_spectra
from ogeaug.spectrum.solvers import SOLVERS, lapack
from ogeaug.spectrum.solvers.base import Problem
from ogeaug.spectrum.solvers.native import Native, decompose
from tests.graphs import HARD, graphs

pytestmark = pytest.mark.skipif(not build.available(), reason="no C++ compiler here")
UNWEIGHTED = [HARD[name] for name in HARD if name != "weighted"]


@pytest.fixture(autouse=True)
def _built():
    assert build.load_if_built() is not None


def whole(eigvals, eigvecs):
    """The matrix that was decomposed, which no choice of eigenvectors changes."""
    return eigvecs * eigvals @ eigvecs.T


@given(graphs(), st.booleans(), st.sampled_from([0.0, 1e-3]), st.integers(0, 100))
def test_equals_the_careful_way(data, permute, noise, seed):
    torch.manual_seed(seed)
    n, weight = data.num_nodes, data.get("edge_weight", None)
    problem = Problem(data.edge_index, [n], weight, disturbance=Disturbance(noise, permute))
    found = Native().solve(problem)
    eigvals, eigvecs = found.eigvals, found.eigvecs.view(n, n)
    ((vals, vecs),) = lapack.decompose(problem)
    torch.testing.assert_close(eigvals, vals, atol=1e-10, rtol=1e-10)
    torch.testing.assert_close(whole(eigvals, eigvecs), whole(vals, vecs), atol=1e-9, rtol=1e-9)
    one = torch.eye(n, dtype=torch.float64)
    torch.testing.assert_close(eigvecs.T @ eigvecs, one, atol=1e-12, rtol=0)


@pytest.mark.parametrize("n", [27, 28, 29, 200])
def test_both_of_lapacks_solvers(n):
    torch.manual_seed(n)
    one_way = torch.randint(0, n, (2, 3 * n))
    edges = torch.cat([one_way, one_way.flip(0)], 1)
    problem = Problem(edges, [n], None, disturbance=Disturbance(1e-3, True))
    found = Native().solve(problem)
    ((vals, vecs),) = lapack.decompose(problem)
    torch.testing.assert_close(found.eigvals, vals, atol=1e-10, rtol=1e-10)
    torch.testing.assert_close(
        whole(found.eigvals, found.eigvecs.view(n, n)), whole(vals, vecs), atol=1e-9, rtol=1e-9
    )


@pytest.mark.parametrize("k", [None, 3])
def test_batches_equal_the_careful_way(k, monkeypatch):
    batch = Batch.from_data_list(UNWEIGHTED)
    sizes = torch.tensor([data.num_nodes for data in UNWEIGHTED])

    def spectra():
        torch.manual_seed(0)
        disturbance = Disturbance(1e-3, True)
        return compute_spectra(batch.edge_index, sizes, None, SpectrumOptions(k), disturbance)

    fast = spectra()
    monkeypatch.setattr(eigen, "SOLVERS", SOLVERS[-1:])
    careful = spectra()
    assert fast.num_nodes.tolist() == careful.num_nodes.tolist()
    assert fast.num_eigvals.tolist() == careful.num_eigvals.tolist()
    torch.testing.assert_close(fast.eigvals, careful.eigvals, atol=1e-10, rtol=0)
    torch.testing.assert_close(fast.eigvecs.abs(), careful.eigvecs.abs(), atol=1e-6, rtol=0)
    torch.testing.assert_close(fast.cutoff, careful.cutoff)


def test_noise_has_its_variance():
    sizes = [30] * 20
    edges = torch.empty(2, 0, dtype=torch.long)
    found = decompose(edges, sizes, None, draw(sizes, 1e-5, False))
    vals, vecs = found.eigvals.view(20, 30), found.eigvecs.view(20, 30, 30)
    matrices = vecs * vals.unsqueeze(1) @ vecs.mT
    below = matrices[:, *torch.tril_indices(30, 30)]
    assert float(below.var()) == pytest.approx(1e-5, rel=0.05)
    assert abs(float(below.mean())) < 4 * (1e-5 / below.numel()) ** 0.5


@pytest.mark.parametrize(
    ("edges", "weight"),
    [
        ([[0, 1], [1, 5]], None),  # outside
        ([[0, -1], [1, 0]], None),
        ([[0, 1], [1, 2]], None),  # one way only
        ([[0, 1], [1, 0]], [1.0, 2.0]),  # unequal weights
        ([[0, 1], [1, 0]], [-1.0, -1.0]),
        ([[0, 1], [1, 0]], [float("nan"), 1.0]),
        ([[0, 1], [1, 0]], [1.0]),
        ([[0.0, 1.0], [1.0, 0.0]], None),
        ([[0, 1, 1, 0]], None),
    ],
)
def test_leaves_odd_graphs_to_the_careful_way(edges, weight):
    edges = torch.tensor(edges)
    weight = None if weight is None else torch.tensor(weight)
    problem = Problem(edges, [3], weight)
    assert not Native().can(problem) or Native().solve(problem) is None


def test_leaves_an_empty_graph_to_the_careful_way():
    edges = torch.empty(2, 0, dtype=torch.long)
    assert not Native().can(Problem(edges, [2, 0], None))


def test_odd_graphs_are_still_decomposed():
    path = torch.tensor([[0, 1], [1, 2]])  # listed one way
    torch.testing.assert_close(
        compute_spectrum(path, 3).eigvals, torch.tensor([0.0, 1.0, 3.0], dtype=torch.float64)
    )


def test_a_default_device_does_not_matter():
    data: Data = HARD["path"]
    with torch.device("meta"):
        spectrum = compute_spectrum(data.edge_index, data.num_nodes, noise=1e-5, permute=True)
    assert spectrum.eigvals.device.type == "cpu"
