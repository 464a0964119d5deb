import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch_geometric.data import Batch

from ogeaug import compute_spectrum
from ogeaug.graph.edges import adjacency
from ogeaug.graph.laplacian import laplacian
from ogeaug.spectrum import solve as eigen
from ogeaug.spectrum.solve import Disturbance, SpectrumOptions, compute_spectra
from ogeaug.spectrum.solvers import SOLVERS
from ogeaug.spectrum.solvers.base import Solution
from tests.graphs import HARD, graphs


def matrix(data, normalization=None):
    weight = None if "edge_weight" not in data else data.edge_weight.double().numpy()
    adj = adjacency(data.edge_index.numpy(), data.num_nodes, weight)
    return torch.from_numpy(laplacian(adj, normalization))


def spectrum_of(data, **options):
    return compute_spectrum(
        data.edge_index, data.num_nodes, data.get("edge_weight", None), **options
    )


@given(graphs(), st.sampled_from([None, "sym"]))
def test_eigenpairs(data, normalization):
    spectrum = spectrum_of(data, normalization=normalization)
    vals, vecs = spectrum.eigvals, spectrum.eigvecs
    assert vals.dtype == vecs.dtype == torch.float64
    assert (vals.diff() >= 0).all()
    torch.testing.assert_close(vecs.T @ vecs, torch.eye(data.num_nodes, dtype=torch.float64))
    torch.testing.assert_close(matrix(data, normalization) @ vecs, vecs * vals, atol=1e-9, rtol=0)
    assert spectrum.cutoff == math.inf


@given(graphs(), st.integers(1, 14))
def test_truncation_never_cuts_an_eigenspace(data, k):
    full, spectrum = spectrum_of(data), spectrum_of(data, k=k)
    kept, zeros = spectrum.num_eigvals, int((full.eigvals < 1e-9).sum())
    assert zeros <= kept <= max(k, zeros)
    torch.testing.assert_close(spectrum.eigvals, full.eigvals[:kept], atol=1e-9, rtol=0)
    if k >= data.num_nodes:
        assert kept == data.num_nodes
        assert spectrum.cutoff == math.inf
    elif kept == data.num_nodes:  # no edges
        assert spectrum.cutoff == math.inf
    else:
        assert spectrum.cutoff == pytest.approx(float(full.eigvals[kept]), abs=1e-7)
        assert kept == 0 or spectrum.eigvals[-1] < spectrum.cutoff - 1e-10
        # Nothing was dropped but the eigenspace at the cut.
        assert ((full.eigvals[kept:k] - spectrum.cutoff).abs() < 1e-7).all()


def test_cut_eigenspace_is_left_out_whole():
    spectrum = spectrum_of(HARD["cycle"], k=4)  # 0, a pair, and half of a pair
    assert spectrum.num_eigvals == 3
    assert spectrum.cutoff == pytest.approx(2 - 2 * math.cos(2 * math.pi * 2 / 12))


@pytest.mark.parametrize("options", [{}, {"k": 3}, {"normalization": "rw"}])
def test_batch_equals_one_by_one(options):
    data = [d for name, d in HARD.items() if name != "weighted"]
    batch = Batch.from_data_list(data)
    sizes = torch.tensor([d.num_nodes for d in data])
    together = compute_spectra(batch.edge_index, sizes, options=SpectrumOptions(**options))
    for d, found in zip(data, together, strict=True):
        alone = spectrum_of(d, **options)
        assert torch.equal(found.eigvals, alone.eigvals)
        assert torch.equal(found.eigvecs, alone.eigvecs)
        assert found.cutoff == alone.cutoff


def test_edges_of_a_batch_may_come_in_any_order():
    batch = Batch.from_data_list([HARD["path"], HARD["star"]])
    sizes = torch.tensor([9, 10])
    shuffled = batch.edge_index[:, torch.randperm(batch.num_edges)]
    for a, b in zip(
        compute_spectra(batch.edge_index, sizes), compute_spectra(shuffled, sizes), strict=True
    ):
        assert torch.equal(a.eigvals, b.eigvals)


def test_noise_follows_torchs_generator():
    torch.manual_seed(1)
    first = spectrum_of(HARD["path"], noise=1e-5)
    second = spectrum_of(HARD["path"], noise=1e-5)
    torch.manual_seed(1)
    again = spectrum_of(HARD["path"], noise=1e-5)
    assert torch.equal(first.eigvals, again.eigvals)
    assert not torch.equal(first.eigvals, second.eigvals)
    torch.testing.assert_close(first.eigvals, spectrum_of(HARD["path"]).eigvals, atol=0.05, rtol=0)


def test_permutation_is_undone():
    data = HARD["weighted"]
    spectrum = spectrum_of(data, permute=True)
    assert not torch.equal(spectrum.eigvecs, spectrum_of(data).eigvecs)
    torch.testing.assert_close(
        matrix(data) @ spectrum.eigvecs, spectrum.eigvecs * spectrum.eigvals, atol=1e-9, rtol=0
    )


def test_permutation_changes_the_basis_of_an_eigenspace():
    a, b = (spectrum_of(HARD["complete"], permute=True).eigvecs for _ in range(2))
    assert (a.abs() - b.abs()).abs().max() > 0.01


def test_negative_weights():
    square = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
    fine = torch.tensor([1.0, 1.0, 1.0, -0.2])  # still positive semi-definite
    assert compute_spectrum(square, 4, fine).eigvals[0] > -1e-9
    with pytest.raises(ValueError, match=r"the graph: negative edge weights give .* eigenvalue -"):
        compute_spectrum(square, 4, torch.tensor([1.0, 1.0, 1.0, -3.0]))
    with pytest.raises(ValueError, match="node 0 has negative degree -2"):
        compute_spectrum(square, 4, torch.tensor([1.0, 1.0, 1.0, -3.0]), normalization="sym")
    with pytest.raises(ValueError, match="graph 1 of the batch: negative edge weights"):
        compute_spectra(
            torch.cat([square, square + 4], 1),
            torch.tensor([4, 4]),
            torch.tensor([1.0] * 7 + [-3.0]),
            disturbance=Disturbance(noise=1e-5),
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k must be at least 1"),
        ({"normalization": "symmetric"}, "one of 'sym', 'rw', got 'symmetric'"),
        ({"directed": "yes"}, "one of 'symmetrize', 'refuse', got 'yes'"),
        ({"noise": -1.0}, "variance and must be at least 0"),
        ({"noise": math.nan}, "variance and must be at least 0"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        spectrum_of(HARD["path"], **options)


@pytest.mark.parametrize("num_nodes", [0, -1, 2.0, True, None, "2"])
def test_bad_numbers_of_nodes(num_nodes):
    with pytest.raises((ValueError, TypeError), match="num_nodes must be"):
        compute_spectrum(torch.tensor([[0], [1]]), num_nodes)


def test_numbers_may_be_of_numpy_or_torch():
    edge = torch.tensor([[0], [1]])
    assert compute_spectrum(edge, np.int64(2), k=np.int64(1)).num_eigvals == 1
    assert compute_spectrum(edge, torch.tensor(2)).num_eigvals == 2


def test_weights_that_overflow():
    weight = torch.full((2,), 1e308, dtype=torch.float64)
    with pytest.raises(ValueError, match=r"edge 0 \(0 -> 1\) has weight 1e\+308; .*at most 1e\+12"):
        compute_spectrum(torch.tensor([[0, 1], [1, 2]]), 3, weight)


def test_bad_batches():
    with pytest.raises(ValueError, match=r"edge 0 \(0 -> 2\) joins graph 0 and graph 1"):
        compute_spectra(torch.tensor([[0], [2]]), torch.tensor([2, 2]))
    with pytest.raises(ValueError, match="graph 1 of the batch has no nodes"):
        compute_spectra(torch.tensor([[0], [1]]), torch.tensor([2, 0]))
    with pytest.raises(ValueError, match=r"edge_weight must be \[1\]"):
        compute_spectra(torch.tensor([[0], [1]]), torch.tensor([2]), torch.ones(3))


def test_lapack_failure_names_the_graph(monkeypatch):
    eigh = np.linalg.eigh

    def fails_on_stars(matrix):
        if (np.diag(matrix) == 9).any():
            raise np.linalg.LinAlgError("Eigenvalues did not converge")
        return eigh(matrix)

    monkeypatch.setattr(np.linalg, "eigh", fails_on_stars)
    monkeypatch.setattr(eigen, "SOLVERS", SOLVERS[-1:])  # the others leave failures to it
    batch = Batch.from_data_list([HARD["path"], HARD["star"]])
    with pytest.raises(ValueError, match=r"graph 1 of the batch \(10 nodes\): LAPACK's eigh did"):
        compute_spectra(batch.edge_index, torch.tensor([9, 10]))


class Lowest:
    """A solver of the few lowest eigenpairs, as a sparse one would be; for large graphs only."""

    def __init__(self, eigvals, eigvecs):
        self.eigvals, self.eigvecs, self.asked = eigvals, eigvecs, []

    def can(self, problem):
        return problem.sizes[0] > 11 and problem.options.k is not None and not problem.disturbance

    def solve(self, problem):
        self.asked.append(problem)
        k = problem.options.k + 2
        found = self.eigvecs[:, :k].flatten()
        return Solution(self.eigvals[:k], found, problem.sizes, [k], [float(self.eigvals[k])])


@pytest.mark.parametrize("k", [4, 5])
def test_a_solver_of_the_lowest_is_one_more_line(monkeypatch, k):
    """What it finds is cut by the same rule; what it cannot do is left to the next."""
    cycle = HARD["cycle"]
    full = spectrum_of(cycle)
    lowest = Lowest(full.eigvals, full.eigvecs)
    monkeypatch.setattr(eigen, "SOLVERS", (lowest, *SOLVERS))
    found, batch = spectrum_of(cycle, k=k), SpectrumOptions(k)
    together = compute_spectra(cycle.edge_index, torch.tensor([12]), options=batch)
    assert len(lowest.asked) == 2
    spectrum_of(cycle), spectrum_of(cycle, k=k, noise=1e-5), spectrum_of(HARD["path"], k=k)
    assert len(lowest.asked) == 2
    monkeypatch.setattr(eigen, "SOLVERS", SOLVERS)
    expected = spectrum_of(cycle, k=k)
    assert found.digest == expected.digest
    for one in (found, *together):
        assert torch.equal(one.eigvals, expected.eigvals)
        assert torch.equal(one.eigvecs, expected.eigvecs)
        assert one.cutoff == expected.cutoff
