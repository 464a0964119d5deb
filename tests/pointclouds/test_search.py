"""Soft individualisation: what it sees, that it is continuous, and that it is refused in time."""

from itertools import pairwise
from math import pi

import pytest
import torch

from ogeaug.pointclouds import SearchCloud
from ogeaug.pointclouds.tree import SearchTooLarge


@pytest.fixture(autouse=True)
def double():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def polygon(n):
    angle = torch.arange(n, dtype=torch.float64) * (2 * pi / n)
    return torch.stack([angle.cos(), angle.sin()], 1)


def cube():
    return torch.cartesian_prod(*[torch.tensor([-1.0, 1.0])] * 3)


@pytest.mark.parametrize("points", [polygon(6), cube(), torch.zeros(5, 2)], ids=len)
def test_symmetric_branches_are_visited_once(points):
    """Without gradients to the points, and with them, where all branches are visited."""
    torch.manual_seed(0)
    cloud, moving = SearchCloud(6, depth=3, width=0.01), points.clone().double()
    cloud.limit = 15
    fast = cloud(moving)
    moving.requires_grad_()
    with pytest.raises(SearchTooLarge, match=r"more than 15 branches.*smaller depth"):
        cloud(moving)
    cloud.limit = 200
    torch.testing.assert_close(fast, cloud(moving), rtol=1e-9, atol=1e-9)


def test_gradients_are_those_of_finite_differences():
    """Where the weights of a class that is about to split depend on the points."""
    torch.manual_seed(0)
    cloud, points = SearchCloud(6), polygon(6) + 1e-4 * torch.randn(6, 2)
    direction, h = torch.randn(6, 2), 1e-8
    with torch.no_grad():
        expected = (cloud(points + h * direction) - cloud(points - h * direction)).sum() / (2 * h)
    (gradient,) = torch.autograd.grad(cloud(points.requires_grad_()).sum(), points)
    torch.testing.assert_close((gradient * direction).sum(), expected, rtol=1e-4, atol=0)


@pytest.mark.parametrize(("width", "smooth"), [(0.1, True), (1e-10, False)])
def test_continuous_where_a_class_splits(width, smooth):
    """A hexagon is deformed. Cells that are all but hard make the output jump."""
    torch.manual_seed(0)
    cloud, direction = SearchCloud(8, width=width), torch.randn(6, 2)
    with torch.no_grad():
        at = cloud(polygon(6))
        moved = [(cloud(polygon(6) + h * direction) - at).abs().max() for h in (1e-6, 1e-7, 1e-8)]
    assert all(b < 0.2 * a for a, b in pairwise(moved)) == smooth
    assert (moved[-1] < 1e-5) == smooth


def test_depth_tells_more_apart():
    """Two triangles and a hexagon with equal sums of inner products at each point, as graphs."""
    hexagon = torch.zeros(6, 6)
    for i in range(6):
        hexagon[i, (i + 1) % 6] = hexagon[(i + 1) % 6, i] = 1.0
    triangles = torch.block_diag(*[torch.ones(3, 3) - torch.eye(3)] * 2)
    points = []
    for adjacency in (hexagon, triangles):
        eigvals, eigvecs = torch.linalg.eigh(adjacency + 3 * torch.eye(6))
        points.append(eigvecs * eigvals.sqrt())
    cloud = SearchCloud(8, depth=1, gain=2.0)
    left, right = (cloud(p).sort(0).values for p in points)
    assert (left - right).abs().max() > 1e-6
    cloud.depth = 0  # refinement alone
    left, right = (cloud(p).sort(0).values for p in points)
    assert (left - right).abs().max() < 1e-9


def test_bad_settings_are_explained():
    with pytest.raises(ValueError, match="width and gain positive; got 0, 4"):
        SearchCloud(4, depth=0)
