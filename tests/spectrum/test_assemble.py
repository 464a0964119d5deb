"""The fast way to the Laplacians gives what the careful way gives, and leaves it what is odd."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch_geometric.data import Batch

from ogeaug import compute_spectrum
from ogeaug.native import build
from ogeaug.spectrum import stacks
from ogeaug.spectrum.assemble import assemble, draw
from ogeaug.spectrum.eigen import Disturbance, compute_spectra
from tests.graphs import HARD, graphs

pytestmark = pytest.mark.skipif(not build.available(), reason="no C++ compiler here")


@pytest.fixture(autouse=True)
def _built():
    build.load_if_built.cache_clear()  # it may have been asked before the core was there
    assert build.load_if_built() is not None


def carefully(function):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stacks, "assemble", lambda *_: None)
        return function()


@given(graphs(), st.booleans(), st.sampled_from([0.0, 1e-3]), st.integers(0, 100))
def test_equals_the_careful_way(data, permute, noise, seed):
    def make(way):
        torch.manual_seed(seed)
        drawn = draw([data.num_nodes], noise, permute)
        weight = data.get("edge_weight", None)
        arguments = data.edge_index, [data.num_nodes], weight
        if way == "fast":
            return stacks.stack_fast(*arguments, drawn)
        return stacks.stack_carefully(*arguments, None, "symmetrize", drawn)

    (fast,), (careful,) = make("fast"), make("careful")
    below = np.tril_indices(data.num_nodes)
    np.testing.assert_allclose(
        fast.matrices[0][below], careful.matrices[0][below], atol=1e-12, rtol=0
    )


def test_batches_equal_the_careful_way():
    batch = Batch.from_data_list([HARD[name] for name in HARD if name != "weighted"])
    sizes = torch.tensor([HARD[name].num_nodes for name in HARD if name != "weighted"])

    def spectra():
        torch.manual_seed(0)
        disturbance = Disturbance(1e-3, True)
        return compute_spectra(batch.edge_index, sizes, disturbance=disturbance)

    fast, careful = spectra(), carefully(spectra)
    torch.testing.assert_close(fast.eigvals, careful.eigvals, atol=1e-10, rtol=0)
    torch.testing.assert_close(fast.eigvecs.abs(), careful.eigvecs.abs(), atol=1e-6, rtol=0)


def test_noise_has_its_variance():
    drawn = draw([30] * 20, 1e-5, False)
    edges = torch.empty(2, 0, dtype=torch.long)
    flat = assemble(edges, None, [30] * 20, [900 * g for g in range(20)], drawn)
    below = flat.reshape(20, 30, 30)[:, *np.tril_indices(30)]
    assert below.var() == pytest.approx(1e-5, rel=0.05)
    assert not flat.reshape(20, 30, 30)[:, *np.triu_indices(30, 1)].any()


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
    assert assemble(edges, weight, [3], [0], draw([3], 0.0, False)) is None


def test_odd_graphs_are_still_decomposed():
    path = torch.tensor([[0, 1], [1, 2]])  # listed one way
    torch.testing.assert_close(
        compute_spectrum(path, 3).eigvals, torch.tensor([0.0, 1.0, 3.0], dtype=torch.float64)
    )
