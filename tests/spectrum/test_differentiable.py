"""Gradients through the decomposition, against finite differences of invariant functions of L."""

import networkx as nx
import pytest
import torch

from ogeaug.spectrum.differentiable import differentiable_eigh

GRAPHS = {
    "cycle": nx.cycle_graph(8),
    "star": nx.star_graph(7),
    "complete": nx.complete_graph(6),
    "two cycles": nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(4)),
    "no edges": nx.empty_graph(4),
    "path": nx.path_graph(6),
}


def invariant(eigvals, eigvecs):
    """Of matrix functions, of smoothed projections and of a third power: nothing linear."""
    n = len(eigvecs)
    mix = torch.sin(torch.arange(n * n, dtype=torch.float64)).view(n, n)
    first = ((eigvecs * torch.exp(-eigvals)) @ eigvecs.T * mix).sum()
    rho = 0.5 + 0.5 * torch.cos((eigvals[:, None] - eigvals).clamp(-3, 3) * torch.pi / 3)
    pairs = torch.einsum("ik,il,kl,jk,jl,ij->", eigvecs, eigvecs, rho**2, eigvecs, eigvecs, mix)
    return first.square() + pairs + (eigvals**3).sum() / 10


def laplacian(graph):
    return torch.from_numpy(nx.laplacian_matrix(graph).toarray()).double()


def value_at(matrix):
    return float(invariant(*torch.linalg.eigh(matrix)))


def gradient_at(matrix):
    matrix = matrix.clone().requires_grad_()
    pairs = differentiable_eigh(matrix)
    (sum(invariant(*beside) for beside in pairs.beside) / 2).backward()
    return matrix.grad


def check(matrix, tolerance=1e-6):
    gradient = gradient_at(matrix)
    assert gradient.isfinite().all()
    n = len(matrix)
    for seed in range(4):
        direction = torch.randn(n, n, generator=torch.Generator().manual_seed(seed)).double()
        direction = (direction + direction.T) / 2
        h = 1e-4
        slope = (value_at(matrix + h * direction) - value_at(matrix - h * direction)) / (2 * h)
        found = float((gradient * direction).sum())
        assert found == pytest.approx(slope, rel=tolerance, abs=tolerance)


@pytest.mark.parametrize("graph", GRAPHS)
def test_right_at_repeated_eigenvalues(graph):
    check(laplacian(GRAPHS[graph]))


@pytest.mark.parametrize("exponent", range(2, 15))
@pytest.mark.parametrize("graph", ["cycle", "star", "complete"])
def test_right_at_every_gap(graph, exponent):
    matrix = laplacian(GRAPHS[graph])
    bend = torch.zeros_like(matrix)
    bend[0, 0] = bend[1, 1] = 1.0
    bend[0, 1] = bend[1, 0] = -1.0
    check(matrix + 10.0**-exponent * bend)


@pytest.mark.parametrize("gap", [0.4e-5, 0.5e-5, 0.6e-5, 1e-5, 1.5e-5, 2e-5])
def test_right_where_clusters_meet(gap):
    """Gaps near the two points beside, where a naive choice would bring eigenvalues together."""
    Q = torch.linalg.qr(torch.randn(6, 6, dtype=torch.float64)).Q
    eigvals = torch.tensor([0.0, 1.0, 1.0, 1.0, 1.0 + gap, 1.0 + 2 * gap])
    check(Q @ torch.diag(eigvals.double()) @ Q.T)


def test_the_usual_backward_fails_here():
    """The test above can fail: torch's own gradient does."""
    matrix = laplacian(GRAPHS["complete"]).requires_grad_()
    invariant(*torch.linalg.eigh(matrix)).backward()
    expected = gradient_at(matrix.detach())
    assert not torch.allclose(matrix.grad, expected, rtol=1e-3, atol=1e-3)
