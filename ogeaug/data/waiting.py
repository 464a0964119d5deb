"""A sign of life while a large file is read in one go."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


@contextmanager
def waiting(what: str, progress: bool) -> Iterator[None]:
    """Shows what is waited for on the terminal, and takes it away in the end.

    Args:
        what: Like ``Reading zinc``.
        progress: Whether to show it.
    """
    if not progress:
        yield
        return
    with Console(stderr=True).status(f"{what} ..."):
        yield
