"""Checks of arguments."""

from numbers import Integral
from typing import Any, get_args

WIDEST = 8192
MOST = {"layers": 256, "depth": 256, "limit": 1_000_000}
"""Of options by the last word of their names; all others are at most WIDEST."""


def check_choice(name: str, value: object, choices: object) -> None:
    """Refuses a word that is not one of a Literal's; None is checked by the caller."""
    words = get_args(choices)
    if value not in words:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, words))}, got {value!r}")


def check_counts(**counts: object) -> None:
    """Refuses what is no whole number of at least 1, by name; None is checked by the caller."""
    for name, value in counts.items():
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise TypeError(f"{name} must be a whole number, got {value!r}")
        if value < 1:
            raise ValueError(f"{name} must be at least 1, got {value}")


def check_limits(where: str, options: dict[str, Any]) -> None:
    """Refuses numbers that would fill the memory; options may hold options of a part."""
    for key, value in options.items():
        most = MOST.get(str(key).rpartition("_")[2], WIDEST)
        if isinstance(value, int) and abs(value) > most:
            raise ValueError(f"{where}{key}={value} is larger than {most}")
        if isinstance(value, dict):
            check_limits(f"{where}{key}: ", value)
