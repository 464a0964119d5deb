"""Networks on point clouds, one per file, one contract: ``f(points [n, p]) -> [n, channels]``.

The features of a point do not change when all points are turned or mirrored together (O(p)
invariance), follow the points when they are renumbered, and exist for every dimension p, also 0.
Any module with this contract can be brought along.
"""

from ogeaug.pointclouds.base import PointCloud
from ogeaug.pointclouds.cartesian import CartesianCloud
from ogeaug.pointclouds.inner import InnerProductCloud
from ogeaug.pointclouds.search import SearchCloud
from ogeaug.pointclouds.vector import VectorCloud

POINTCLOUDS: dict[str, type[PointCloud]] = {
    "cartesian": CartesianCloud,
    "inner": InnerProductCloud,
    "search": SearchCloud,
    "vector": VectorCloud,
}
"""Names of the point-cloud networks in configuration files."""
