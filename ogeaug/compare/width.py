"""The width of a backbone that gives a model as many parameters as another has."""

import math
from collections.abc import Mapping

import torch

from ogeaug.encodings import find_encoding
from ogeaug.errors import UserError
from ogeaug.model.graph_model import GraphModel
from ogeaug.model.limits import WIDEST
from ogeaug.training.config import Config

CLOSE = 0.02
"""How far from the target parameters may be, as a fraction of it."""
NEAR = 8
"""Widths to each side of the best that are looked at for a budget that all meet."""


def count_parameters(config: Config) -> int:
    """Parameters of the model of a configuration, with those that do not learn."""
    with torch.device("meta"):  # no memory, and no numbers are drawn
        return GraphModel.from_config(config.model_part()).num_parameters


def match_widths(configs: Mapping[str, Config], target: int) -> dict[str, Config]:
    """The same configurations, with backbones as wide as makes all models as large as the target.

    Args:
        configs: By label.
        target: Parameters.

    Raises:
        UserError: Some model is more than 2 % off at every width; it says what would do.
    """
    found = {label: closest(config, target, label) for label, config in configs.items()}
    counts = {label: count_parameters(config) for label, config in found.items()}
    far = {label: n for label, n in counts.items() if abs(n - target) > CLOSE * target}
    if far:
        listed = ", ".join(
            f"{label} {n:,} with {found[label].backbone.channels} channels"
            for label, n in far.items()
        )
        raise UserError(
            f"no width of the backbone gives {target:,} parameters to {CLOSE:.0%}; the closest: "
            f"{listed}. {_what_would(found, target)}"
        )
    return found


def with_width(config: Config, width: int) -> Config:
    """The same with another width of the backbone; encodings that are added follow it."""
    backbone = config.backbone.model_copy(update={"channels": width})
    encodings = config.encodings
    if config.combine == "add":
        encodings = [
            e if find_encoding(e.name).gates else e.model_copy(update={"out_channels": width})
            for e in encodings
        ]
    return config.model_copy(update={"backbone": backbone, "encodings": encodings})


def closest(config: Config, target: int, label: str) -> Config:
    """The width of the backbone that brings the parameters closest to the target."""
    step, least = _step(config), _least(config)
    low, high = least, WIDEST // step
    smallest = count_parameters(with_width(config, low * step))
    if smallest > (1 + CLOSE) * target:
        raise UserError(
            f"{label} has {smallest:,} parameters with the narrowest backbone there is "
            f"({low * step} channels), more than {target:,}; allow that many (--parameters "
            f"{smallest}), make it smaller by its options (--option {label}.OPTION=VALUE), or "
            "compare at equal width (--preset equal-width)"
        )
    # Parameters are a polynomial of degree 2 in the width: three models tell all others.
    known = [(w, count_parameters(with_width(config, w * step))) for w in (low, 2 * low, 4 * low)]
    width = min(max(round(_root(known, target)), low), high)
    while width > low and count_parameters(with_width(config, width * step)) > target:
        width -= 1
    while width < high and count_parameters(with_width(config, (width + 1) * step)) <= target:
        width += 1
    both = [with_width(config, w * step) for w in (width, min(width + 1, high))]
    return min(both, key=lambda c: abs(count_parameters(c) - target))


def _root(points: list[tuple[int, int]], target: int) -> float:
    """Where the parabola through three points reaches the target, at the right."""
    (x, a), (y, b), (z, c) = points
    slope = (b - a) / (y - x)
    square = ((c - b) / (z - y) - slope) / (z - x)
    line = slope - square * (x + y)
    constant = a - line * x - square * x * x - target
    if square <= 0:
        return -constant / line if line > 0 else x
    return (-line + math.sqrt(max(0.0, line * line - 4 * square * constant))) / (2 * square)


def _step(config: Config) -> int:
    return config.backbone.heads or 1


def _least(config: Config) -> int:
    """The fewest steps that leave room for the embedding beside the encodings."""
    taken = 0
    if config.combine == "concat":
        for level in ("node", "edge"):
            kinds = [(e, find_encoding(e.name)) for e in config.encodings]
            widths = [e.out_channels for e, kind in kinds if kind.level == level and not kind.gates]
            taken = max(taken, sum(widths))
    return taken // _step(config) + 1


def _what_would(found: Mapping[str, Config], target: int) -> str:
    """The budget closest to the target that all models meet."""
    sizes = {}
    for label, config in found.items():
        step, least = _step(config), _least(config)
        middle = config.backbone.channels // step
        widths = range(max(least, middle - NEAR), middle + NEAR + 1)
        sizes[label] = [count_parameters(with_width(config, w * step)) for w in widths]
    every = [n for counts in sizes.values() for n in counts]
    budgets = {round(n * (1 + side * 0.9 * CLOSE)) for n in every for side in (-1, 0, 1)}
    meets = [
        b
        for b in budgets
        if all(any(abs(n - b) <= CLOSE * b for n in counts) for counts in sizes.values())
    ]
    other = "or compare at equal width (--preset equal-width)"
    if not meets:
        steps = {config.backbone.heads for config in found.values()}
        fewer = "fewer backbone.heads, " if steps != {None} else ""
        return f"No budget near does; use {fewer}a wider or deeper backbone, {other}"
    best = min(meets, key=lambda b: abs(b - target))
    return f"A budget of {best:,} would do (--parameters {best}), {other}"
