"""Normalisations by name."""

from collections.abc import Callable

from torch import nn

NORMS: dict[str, Callable[[int], nn.Module]] = {
    "batch": nn.BatchNorm1d,
    "layer": nn.LayerNorm,
    "none": lambda channels: nn.Identity(),
}
"""Names of the normalisations in configuration files."""
