"""The file beside its place while it is written, and those that a kill has left behind."""

import contextlib
import fcntl
import os
import platform
import secrets
from pathlib import Path

SUFFIX = ".part"
LONGEST = 255
"""Bytes that the name of a file may have."""


def new_temporary(target: Path, mode: int) -> tuple[int, Path]:
    """Makes a file beside ``target`` and locks it for as long as it is open.

    The lock is the sign of life of its writer: the system takes it away with the process, however
    that ends.

    Args:
        target: The file whose place it shall take.
        mode: Of the new file, before the umask.

    Returns:
        Its descriptor, and its name: like ``.preds.csv.myhost.1a2b3c4d.part``.
    """
    while True:
        path = target.parent / f"{_prefix(target)}{secrets.token_hex(4)}{SUFFIX}"
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except FileExistsError:
            continue
        # Where locks are not supported, nobody can take one, and nothing is ever removed.
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return handle, path
        os.close(handle)  # removed as stale in the moment before it was locked


def remove_stale(target: Path) -> None:
    """Removes temporary files of ``target`` whose writer, on this machine, is gone."""
    prefix = _prefix(target)
    with os.scandir(target.parent) as entries:
        names = [e.name for e in entries if e.name.startswith(prefix) and e.name.endswith(SUFFIX)]
    for name in names:
        # Gone by itself, of another user, or locked by its writer: not ours to remove.
        with contextlib.suppress(OSError):
            path = target.parent / name
            handle = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
            finally:
                os.close(handle)


def _prefix(target: Path) -> str:
    """With the machine's name: on some shared folders a lock is seen by its own machine only."""
    end = f".{platform.node()[:63]}."
    room = LONGEST - len(os.fsencode(f".{end}{8 * '0'}{SUFFIX}"))
    return f".{os.fsdecode(os.fsencode(target.name)[:room])}{end}"
