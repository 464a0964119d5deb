"""Colours of the page: those of all pictures, by Plotly's names."""

from ogeaug.pictures import COLOURS, looks
from ogeaug.pictures import DIVERGING as DIVERGING
from ogeaug.pictures import GREYS as GREYS
from ogeaug.pictures import SEQUENTIAL as SEQUENTIAL

CHOSEN = "#D81B60"
"""Of what is chosen: none of the series has it."""
QUIET = "#8A8F98"
"""Of edges and frames: seen on light and on dark ground."""


def of_cluster(number: int) -> str:
    """The colour of a cluster; neighbours differ.

    Example:
        >>> of_cluster(0) == of_cluster(len(COLOURS)) != of_cluster(1)
        True
    """
    return COLOURS[number % len(COLOURS)]


def of_encoding(name: str) -> str:
    """The colour that an encoding has in all pictures."""
    return looks([name])[name].colour
