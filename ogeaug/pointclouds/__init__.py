"""Networks on point clouds, one per file, one contract: ``f(points [n, p]) -> [n, channels]``.

The features of a point do not change when all points are turned or mirrored together (O(p)
invariance), follow the points when they are renumbered, and exist for every dimension p, also 0.
Any module with this contract can be brought along.
"""

import inspect
from collections.abc import Mapping
from typing import Any

from ogeaug.errors import UserError
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


def make_cloud(f: str | Mapping[str, Any] | None, channels: int) -> PointCloud:
    """A point-cloud network from what a configuration says of it.

    Args:
        f: A key of :data:`POINTCLOUDS`, alone or as ``name`` beside options of the class;
            ``cartesian`` if absent.
        channels: Its width, unless it is among the options.

    Example:
        >>> make_cloud({"name": "cartesian", "order": 1}, 8).order
        1
        >>> make_cloud("vector", 8).channels
        8
    """
    if f is not None and not isinstance(f, str | Mapping):
        raise UserError(f"f is a name or a mapping with a name in it, got {f!r}")
    options: dict[str, Any] = {} if f is None else {"name": f} if isinstance(f, str) else dict(f)
    name = options.pop("name", "cartesian" if f is None else None)
    if not isinstance(name, str) or name not in POINTCLOUDS:
        raise UserError(f"unknown point cloud f: {name!r}; choose from {', '.join(POINTCLOUDS)}")
    known = tuple(inspect.signature(POINTCLOUDS[name]).parameters)
    unknown = [str(option) for option in options if option not in known]
    if unknown:
        raise UserError(f"f {name!r} has no option {', '.join(unknown)}; it has {', '.join(known)}")
    return POINTCLOUDS[name](**{"channels": channels} | options)
