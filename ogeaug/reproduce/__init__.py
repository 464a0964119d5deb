"""The paper's tables, each by one call."""

from typing import TYPE_CHECKING

from ogeaug.lazy import lazy_names

if TYPE_CHECKING:
    from ogeaug.reproduce.run import reproduce as reproduce

__all__ = [
    "reproduce",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "reproduce": "run",
    },
)
