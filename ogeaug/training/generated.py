"""PATTERN and CLUSTER as data sets of a configuration: generated, not read."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ogeaug.errors import UserError
from ogeaug.training.config import Config

if TYPE_CHECKING:
    from torch_geometric.data import Data

    from ogeaug.training.prepare import Parts

DEFAULT_SIZE = 10_000
GENERATED = {"pattern": (3, 2, 5), "cluster": (7, 6, 10)}
"""Node categories, classes, and how many training graphs there are for each validation graph."""


def check_generated(config: Config) -> None:
    """Refuses what cannot be generated."""
    name = config.data.name
    if name not in GENERATED:
        raise UserError(f"{name!r} cannot be generated; choose from {', '.join(GENERATED)}")
    if config.data.path is not None:
        raise UserError(f"data set {name!r} is generated and takes no path")


def generate_parts(config: Config) -> "tuple[Config, Parts]":
    """The graphs of ``data.name`` pattern or cluster, and the configuration with their sizes.

    ``data.limit`` is the number of training graphs (10,000 in the published sets), ``split.seed``
    the seed. Training, validation and test graphs of PATTERN share their patterns.

    Example:
        >>> config = Config.model_validate({"data": {"name": "cluster", "limit": 20}})
        >>> config, parts = generate_parts(config)
        >>> len(parts.train), len(parts.val), config.task.num_classes
        (20, 2, 6)
    """
    from ogeaug.data.sbm import generate_cluster, generate_pattern
    from ogeaug.training.prepare import Parts

    check_generated(config)
    name = config.data.name
    categories, classes, ratio = GENERATED[name]
    size, seed = config.data.limit or DEFAULT_SIZE, config.split.seed
    features = config.features.model_copy(update={"kind": "own", "node_sizes": [categories]})
    task = config.task.model_copy(update={"type": "node_classification", "num_classes": classes})
    few = max(1, size // ratio)
    draw: Callable[[int, int], list[Data]] = generate_cluster
    if name == "pattern":

        def draw(count: int, seed_: int) -> "list[Data]":
            return generate_pattern(count, seed_, pattern_seed=seed)

    train, val, test = (draw(n, 3 * seed + i) for i, n in enumerate((size, few, few)))
    return config.model_copy(update={"features": features, "task": task}), Parts(train, val, test)
