"""Ctrl-C in a call that goes on where it was when it is made again."""

from collections.abc import Iterator
from contextlib import contextmanager

SAME_CALL = "the same call or command"


@contextmanager
def same_call_goes_on() -> Iterator[None]:
    """Says so on Ctrl-C, where no training is under way that has said it already."""
    try:
        yield
    except KeyboardInterrupt as stop:
        words = str(stop) or f"while no run was under way; continue by  {SAME_CALL}"
        raise KeyboardInterrupt(words) from stop
