"""As many epochs as fit into a wall time."""

import math
import statistics

from ogeaug.errors import UserError
from ogeaug.training.config import Config
from ogeaug.training.epoch_time import epoch_seconds
from ogeaug.training.prepare import Parts

ROUNDS, MEASURED = 3, 1.0
"""How often an epoch is estimated, and by how many seconds of training each time."""


def within(configs: dict[str, Config], parts: Parts, minutes: float) -> dict[str, Config]:
    """As many epochs for each encoding as fit into the same wall time.

    Estimated in turns, medians: a machine that is slower for a while is so for all.
    """
    batches = {name: _enough_batches(config, parts) for name, config in configs.items()}
    found: dict[str, list[float]] = {name: [] for name in configs}
    for _ in range(ROUNDS):
        for name, config in configs.items():
            found[name].append(epoch_seconds(config, parts, batches[name]))
    seconds = {name: statistics.median(values) for name, values in found.items()}
    short = {name: s for name, s in seconds.items() if s > 60 * minutes}
    if short:
        worst = max(short.values()) / 60
        listed = ", ".join(f"{name} {s / 60:.2g}" for name, s in short.items())
        raise UserError(
            f"{minutes:g} minutes are too few for one epoch of {listed} (minutes per epoch, "
            f"estimated); allow at least {1.2 * worst:.2g}, or use data.limit"
        )
    return {
        name: config.model_copy(
            update={"training": config.training.with_epochs(int(60 * minutes / seconds[name]))}
        )
        for name, config in configs.items()
    }


def _enough_batches(config: Config, parts: Parts) -> int:
    """So many that they take about a second, but at least four."""
    there = len(parts.train) / config.training.batch_size
    share = min(1.0, MEASURED / epoch_seconds(config, parts))
    return max(4, math.ceil(there * share))
