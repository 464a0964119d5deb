"""The parts of BREC, in the order of its file. Loads nothing."""

import re
from collections.abc import Sequence

PARTS = (
    ("Basic", 60),
    ("Regular, simple", 50),
    ("Regular, strongly regular", 50),
    ("Extension", 100),
    ("CFI", 100),
    ("Regular, 4-vertex condition", 20),
    ("Regular, distance regular", 20),
)
"""Name and number of pairs. What stands before a comma is the category that papers quote."""
WORDS = {
    "basic": "Basic",
    "str": "Regular, strongly regular",
    "strongly": "Regular, strongly regular",
    "4vtx": "Regular, 4-vertex condition",
    "4": "Regular, 4-vertex condition",
    "vertex": "Regular, 4-vertex condition",
    "dr": "Regular, distance regular",
    "distance": "Regular, distance regular",
    "regular": "Regular, simple",
    "extension": "Extension",
    "cfi": "CFI",
}
"""Words of file names, and the part that they mean; the first that is found counts."""
ALL = sum(number for _, number in PARTS)


def parts_of(stem: str, pairs: int) -> list[str]:
    """The part of each pair of a file, from the file's name and its number of pairs.

    Example:
        >>> parts_of("brec_regular", 100)[49:51]
        ['Regular, simple', 'Regular, strongly regular']
        >>> parts_of("dr", 20)[0], parts_of("my_graphs", 2)
        ('Regular, distance regular', ['my_graphs', 'my_graphs'])
    """
    words = re.split(r"[^a-z0-9]+", stem.lower())
    found = next((part for word, part in WORDS.items() if word in words), stem)
    if pairs == ALL:
        return _names(PARTS)
    if found == "Regular, simple" and pairs == 100:
        return _names(PARTS[1:3])
    return [found] * pairs


def in_order(part: str) -> int:
    """Where a part stands in BREC; others come last."""
    return next((i for i, (name, _) in enumerate(PARTS) if name == part), len(PARTS))


def _names(parts: Sequence[tuple[str, int]]) -> list[str]:
    return [name for name, number in parts for _ in range(number)]
