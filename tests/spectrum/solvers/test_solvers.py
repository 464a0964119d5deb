"""Each solver gives what LAPACK gives, in whatever it says that it can do."""

import itertools
import math

import pytest
import torch

from ogeaug.spectrum.options import Disturbance, SpectrumOptions
from ogeaug.spectrum.solvers import SOLVERS, lapack
from ogeaug.spectrum.solvers.base import Problem
from ogeaug.spectrum.solvers.sparse import solver as sparse
from tests.graphs import HARD

NAMES = ["disconnected", "star", "grid", "weighted", "200 nodes"]
OPTIONS = [SpectrumOptions(k, n) for k in (None, 1, 3) for n in (None, "sym", "rw")]
DISTURBANCES = [Disturbance(), Disturbance(1e-3, permute=True)]
SOLVED = [solver for solver in SOLVERS if not isinstance(solver, lapack.Lapack)]


@pytest.fixture(autouse=True)
def _small_graphs_too(monkeypatch):
    monkeypatch.setattr(sparse, "LARGE", 1)


def below(eigvals, eigvecs, cutoff):
    """A matrix that no choice of eigenvectors changes, not even of those at the cutoff."""
    weight = eigvals + 1 if math.isinf(cutoff) else (cutoff - eigvals).clamp(min=0)
    return eigvecs * weight @ eigvecs.T


@pytest.mark.parametrize("solver", SOLVED, ids=lambda solver: type(solver).__name__)
@pytest.mark.parametrize("name", NAMES)
def test_equals_lapack_in_all_that_it_can(solver, name):
    data = HARD[name]
    n, weight, done = data.num_nodes, data.get("edge_weight", None), 0
    for options, disturbance in itertools.product(OPTIONS, DISTURBANCES):
        problem = Problem(data.edge_index, [n], weight, options, disturbance)
        found = solver.solve(problem) if solver.can(problem) else None
        if found is None:
            continue
        ((eigvals, eigvecs),) = lapack.decompose(problem)
        count, cutoff, done = found.counts[0], found.cutoff[0], done + 1
        assert count >= min(n, (options.k or n) + (options.k is not None))
        torch.testing.assert_close(found.eigvals, eigvals[:count], atol=1e-9, rtol=1e-9)
        if count == n:
            assert math.isinf(cutoff)
        else:
            assert eigvals[count - 1] - 1e-9 <= cutoff <= eigvals[count] + 1e-9
        torch.testing.assert_close(
            below(found.eigvals, found.eigvecs.view(n, count), cutoff),
            below(eigvals, eigvecs, cutoff),
            atol=1e-8,
            rtol=1e-8,
        )
    if not done:
        pytest.skip("no such graph is for this solver")
