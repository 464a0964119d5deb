"""Families of graphs that are hard to tell apart, generated without any data file."""

from ogeaug.measure.families.catalogue import (
    FAMILIES,
    cfi_pairs,
    colour_refinement,
    eigenspace_pairs,
)

__all__ = ["FAMILIES", "cfi_pairs", "colour_refinement", "eigenspace_pairs"]
