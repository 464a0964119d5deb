"""One experiment with several encodings, at equal budget."""

from typing import TYPE_CHECKING

from ogeaug.lazy import lazy_names

if TYPE_CHECKING:
    from ogeaug.compare.run import compare as compare

__all__ = [
    "compare",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "compare": "run",
    },
)
