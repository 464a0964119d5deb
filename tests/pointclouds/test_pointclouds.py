"""The contract of point-cloud networks, for each of them alike."""

import pytest
import torch

from ogeaug.pointclouds import (
    POINTCLOUDS,
    CartesianCloud,
    InnerProductCloud,
    SearchCloud,
    VectorCloud,
)

CLOUDS = {
    "cartesian 1": lambda: CartesianCloud(6, order=1),
    "cartesian 2": lambda: CartesianCloud(6, order=2),
    "cartesian 3": lambda: CartesianCloud(6, order=3),
    "inner": lambda: InnerProductCloud(6),
    "search": lambda: SearchCloud(6),
    "vector": lambda: VectorCloud(6),
}


@pytest.fixture(params=CLOUDS)
def cloud(request, dtype):
    return CLOUDS[request.param]().to(dtype)


@pytest.mark.parametrize("p", [0, 1, 3, 6])
def test_does_not_change_under_orthogonal_maps(cloud, p, dtype, tolerance):
    points = torch.randn(7, p, dtype=dtype)
    Q = torch.linalg.qr(torch.randn(p, p, dtype=dtype)).Q
    assert cloud(points).shape == (7, 6)
    torch.testing.assert_close(cloud(points @ Q), cloud(points), rtol=tolerance, atol=tolerance)


def test_follows_a_renumbering(cloud, dtype, tolerance):
    points, perm = torch.randn(7, 3, dtype=dtype), torch.randperm(7)
    torch.testing.assert_close(
        cloud(points[perm]), cloud(points)[perm], rtol=tolerance, atol=tolerance
    )


def test_zero_coordinates_do_not_matter(cloud, dtype, tolerance):
    points = torch.randn(7, 3, dtype=dtype)
    padded = torch.cat([points, torch.zeros(7, 2, dtype=dtype)], 1)
    torch.testing.assert_close(cloud(padded), cloud(points), rtol=tolerance, atol=tolerance)


def test_sees_shapes(cloud, dtype):
    """A regular and an irregular triangle, with equal distances from the origin."""
    angles = torch.tensor([[0.0, 2.1, 4.2], [0.0, 1.5, 4.2]], dtype=dtype)
    even, odd = (torch.stack([a.cos(), a.sin()], 1) for a in angles)
    assert (cloud(even) - cloud(odd)).abs().max() > 1e-3


def test_gradients_reach_points_and_parameters(cloud, dtype):
    points = torch.randn(5, 3, dtype=dtype, requires_grad=True)
    cloud(points).square().sum().backward()
    assert points.grad.isfinite().all()
    assert points.grad.abs().max() > 0
    for name, parameter in cloud.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().max() > 0, name


def test_registry_builds_with_a_width():
    for make in POINTCLOUDS.values():
        assert make(8).channels == 8
        with pytest.raises(ValueError, match="too few"):
            make(2)


def test_many_at_once_are_as_one_by_one(cloud, dtype, tolerance, monkeypatch):
    """Of many sizes and dimensions, more than fit at once; with their gradients."""
    monkeypatch.setattr("ogeaug.pointclouds.cartesian.AT_ONCE", 400)
    shapes = [(4, 1), (7, 1), (5, 3), (7, 1), (3, 0), (2, 2), (6, 3), (1, 1), (5, 0)]
    clouds = [torch.randn(*shape, dtype=dtype, requires_grad=True) for shape in shapes]
    together = cloud.forward_all(clouds)
    alone = [cloud(points) for points in clouds]
    for one, other in zip(together, alone, strict=True):
        torch.testing.assert_close(one, other, rtol=tolerance, atol=tolerance)
    for points in (clouds[0], clouds[5]):
        sums = [sum(x.square().sum() for x in features) for features in (together, alone)]
        one, other = (torch.autograd.grad(x, points, retain_graph=True)[0] for x in sums)
        torch.testing.assert_close(one, other, rtol=10 * tolerance, atol=10 * tolerance)
