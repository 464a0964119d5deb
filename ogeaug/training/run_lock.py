"""One run a folder at a time: a lock that the system takes away with the process."""

import errno
import functools
import logging
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ogeaug.errors import UserError

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"
"""Stays in the folder: removing it would let a second run lock a file that nobody else sees."""
TAKEN = (errno.EWOULDBLOCK, errno.EACCES)
logger = logging.getLogger(__name__)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps all other runs out of a folder, until the end of the block or of the process.

    Of the processes of one run, the first calls it for all.

    Raises:
        UserError: Another run is in there now.
    """
    try:
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error.strerror or error}") from error
    try:
        _lock(handle, folder)
        yield
    finally:
        os.close(handle)  # and with it the lock


def _lock(handle: int, folder: Path) -> None:
    if fcntl is None:
        _say_once(str(folder), "this system")
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in TAKEN:
            _say_once(str(folder), f"its file system ({error.strerror})")
            return
        holder = os.read(handle, 200).decode("utf-8", "replace").strip() or "another process"
        raise UserError(
            f"{folder} is in use by {holder}, which trains there now; wait for its end, or choose "
            "another folder"
        ) from error
    os.ftruncate(handle, 0)
    os.write(handle, f"process {os.getpid()} on {platform.node()}\n".encode())


@functools.cache
def _say_once(folder: str, who: str) -> None:
    logger.warning(
        "%s cannot be locked, since %s has no locks; take care that only one run writes there",
        folder,
        who,
    )
