"""One experiment with several encodings, at equal budget."""

from typing import TYPE_CHECKING

from ogeaug.lazy import lazy_names

if TYPE_CHECKING:
    from ogeaug.compare.plan import plan_configs as plan_configs
    from ogeaug.compare.rules import Rules as Rules
    from ogeaug.compare.run import compare as compare

__all__ = [
    "Rules",
    "compare",
    "plan_configs",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Rules": "rules",
        "compare": "run",
        "plan_configs": "plan",
    },
)
