"""Loads a shared library from bytes: those that were verified, whatever becomes of any file.

As a script it tries a file out, in a process that may crash: ``python library.py FILE``.
"""

import ctypes
import os
import sys
import tempfile
from pathlib import Path


def open_library(content: bytes) -> ctypes.CDLL:
    """Loads these bytes from memory or, where that cannot be, from a file that is gone after it.

    Raises:
        OSError: They are no library for this machine.
    """
    try:
        return _open_in_memory(content)
    except (AttributeError, OSError):  # not Linux, no /proc, or a rule against it
        return _open_in_file(content)


def _open_in_memory(content: bytes) -> ctypes.CDLL:
    handle = os.memfd_create("ogeaug-core")
    try:
        with open(handle, "wb", closefd=False) as file:
            file.write(content)
        # Left open: the loader takes a path that it has seen for the library that it knows, so
        # this number must not come to mean another file.
        return ctypes.CDLL(f"/proc/self/fd/{handle}")
    except OSError:
        os.close(handle)
        raise


def _open_in_file(content: bytes) -> ctypes.CDLL:
    with tempfile.TemporaryDirectory(prefix="ogeaug-build-") as folder:
        path = Path(folder) / "core.so"
        path.write_bytes(content)
        return ctypes.CDLL(str(path))


if __name__ == "__main__":
    open_library(Path(sys.argv[1]).read_bytes())
