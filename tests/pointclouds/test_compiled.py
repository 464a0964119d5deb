"""The search by the compiled core is the search in PyTorch, and cannot be led astray."""

import networkx as nx
import pytest
import torch

from ogeaug.measure.families.strongly_regular import rook, shrikhande
from ogeaug.native import build
from ogeaug.pointclouds import SearchCloud
from ogeaug.pointclouds.compiled import CompiledSteps, sort_kinds
from ogeaug.pointclouds.steps import Cloud
from ogeaug.pointclouds.tree import Tree

pytestmark = pytest.mark.skipif(not build.available(), reason="no C++ compiler here")


def of_graph(graph):
    """Points whose inner products are a function of the adjacency matrix."""
    adjacency = torch.tensor(nx.to_numpy_array(graph))
    eigvals, eigvecs = torch.linalg.eigh(adjacency)
    return eigvecs * (2 + eigvals - eigvals[0]).sqrt()


CLOUDS = {
    "one point": lambda: torch.ones(1, 2),
    "no dimension": lambda: torch.zeros(4, 0),
    "equal points": lambda: torch.zeros(5, 2),
    "random": lambda: torch.randn(9, 3),
    "nearly equal pairs": lambda: torch.randn(5, 3).repeat(2, 1) + 1e-4 * torch.randn(10, 3),
    "petersen": lambda: of_graph(nx.petersen_graph()),
    "rook": lambda: of_graph(rook()),
    "shrikhande": lambda: of_graph(shrikhande()),
    "asymmetric": lambda: of_graph(nx.random_regular_graph(4, 11, seed=1)),
}


def both_ways(cloud, points, monkeypatch):
    """By the core, and in PyTorch as where there is no compiler."""
    with torch.no_grad():
        fast = cloud(points)
        monkeypatch.setattr(build, "available", lambda: False)
        return fast, cloud(points)


@pytest.mark.parametrize("name", CLOUDS)
@pytest.mark.parametrize(("channels", "waves"), [(8, 0.0), (5, 3.0), (12, 0.0)])
def test_equals_pytorch(name, channels, waves, monkeypatch):
    torch.manual_seed(0)
    points = CLOUDS[name]().double()
    cloud = SearchCloud(channels, depth=9, num_layers=5, width=0.01, gain=2.0, waves=waves).double()
    fast, plain = both_ways(cloud, points, monkeypatch)
    torch.testing.assert_close(fast, plain, rtol=1e-8, atol=1e-8)


def test_keeps_the_precision_of_its_points(monkeypatch):
    torch.manual_seed(0)
    fast, plain = both_ways(SearchCloud(8), torch.randn(7, 3), monkeypatch)
    assert fast.dtype == torch.float32
    torch.testing.assert_close(fast, plain, rtol=1e-3, atol=1e-3)


def test_gradients_go_through_pytorch():
    """Also where the core would be faster: it has none."""
    torch.manual_seed(0)
    cloud = SearchCloud(6)
    cloud(CLOUDS["petersen"]().float()).sum().backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in cloud.parameters())


def test_points_of_a_kind_are_added_first():
    """A strongly regular graph has three kinds of pairs: a point with itself, edges, the rest."""
    points = of_graph(rook())
    member, kind, first = sort_kinds(points @ points.T)
    assert len(first) == 3
    assert torch.equal(member.sort(1).values, torch.arange(16).int().expand(16, 16))
    assert kind.unique_consecutive(dim=0).tolist() == [[0] + [1] * 9 + [2] * 6]


def compiled_steps(cloud, points):
    gram = points @ points.T
    kernels = torch.randn(cloud.channels, *gram.shape, dtype=gram.dtype)
    return CompiledSteps(cloud, Cloud(gram, kernels, kernels[:, 0].clone()))


def test_many_branches_are_kept_for_comparison():
    """More than there is room for at first."""
    steps = compiled_steps(SearchCloud(4).double(), torch.randn(6, 2).double())
    for u in range(6):
        for v in range(6):
            for _ in range(4):
                steps.visit((u, v))
                number = steps.keep()
    assert number == 6 * 6 * 4 - 1
    found, perm = steps.match([3, 70, number])  # the branch itself; the others are not like it
    assert (found, perm.tolist()) == (number, list(range(6)))


def test_marks_outside_are_refused():
    steps = compiled_steps(SearchCloud(4).double(), torch.randn(3, 2).double())
    for marks in ((3,), (-1,)):
        with pytest.raises(RuntimeError, match="marked points that do not exist"):
            steps.visit(marks)


def test_no_number_is_no_crash():
    """Features that cannot be sorted."""
    cloud, points = SearchCloud(8, depth=3).double(), torch.randn(6, 3).double()
    points[2, 1] = torch.nan
    with torch.no_grad():
        assert cloud(points).isnan().any()


def test_stops_at_the_limit():
    steps = compiled_steps(SearchCloud(4, width=10.0).double(), torch.randn(5, 2).double())
    with pytest.raises(RuntimeError, match="more than 3 branches"):
        Tree(steps, depth=4, limit=3).value()
