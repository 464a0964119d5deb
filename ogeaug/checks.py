"""Checks of arguments."""

from numbers import Integral
from typing import get_args


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
