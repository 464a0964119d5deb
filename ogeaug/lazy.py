"""Public names of a package, each loaded at first use: importing torch takes seconds."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package that loads its names when they are asked for.

    Args:
        package: Its ``__name__``.
        homes: The module below it of each name.

    Example:
        >>> find, names = lazy_names("ogeaug.data", {"random_split": "splits"})
        >>> find("random_split").__name__, names()
        ('random_split', ['random_split'])
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{package}.{homes[name]}"), name)

    return find, lambda: sorted(homes)
