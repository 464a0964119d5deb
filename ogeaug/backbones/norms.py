"""Normalisations by name."""

from collections.abc import Callable

from torch import nn

from ogeaug.layers import RowBatchNorm

NORMS: dict[str, Callable[[int], nn.Module]] = {
    "batch": RowBatchNorm,
    "layer": nn.LayerNorm,
    "none": lambda channels: nn.Identity(),
}
"""Names of the normalisations in configuration files."""
