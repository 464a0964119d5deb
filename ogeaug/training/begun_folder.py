"""The folder of a table or a comparison: made before anything is measured; gone if that fails."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ogeaug.training.new_folder import new_folder
from ogeaug.training.run_lock import LOCK


@contextmanager
def begun_folder(path: Path) -> Iterator[None]:
    """:func:`ogeaug.training.new_folder.new_folder`, without a trace if nothing is written into it.

    A folder that cannot be written to is thus found first, and two calls do not both measure.

    Args:
        path: The folder; those above it are made, too.
    """
    made = [place for place in (path / LOCK, path, *path.parents) if not os.path.lexists(place)]
    with new_folder(path):
        try:
            yield
        except BaseException:
            with suppress(OSError):  # somebody else has removed it, or put something there
                if os.listdir(path) == [LOCK]:
                    _remove(made)  # still locked: nobody begins there in this moment
            raise


def _remove(made: list[Path]) -> None:
    for place in made:
        if place.name == LOCK:
            place.unlink()
        else:
            place.rmdir()
