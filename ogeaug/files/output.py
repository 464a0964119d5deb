"""Every file that is written: whole or not at all, and what stands at its place is respected."""

import contextlib
import errno
import gzip
import io
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO, cast

from ogeaug.errors import CannotWrite
from ogeaug.files.temporary import new_temporary, remove_stale

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINKS = 40
"""Links to follow before it must be a loop; the kernel's own number."""


@contextlib.contextmanager
def writing(path: str | Path, *, make_folder: bool = False) -> Iterator[BinaryIO]:
    """An open file whose content takes the place of ``path`` if all goes well.

    - A file is replaced at once when the new one is complete: a reader, or a kill, finds the old
      one or the new one, never half of one. It keeps its mode, and its owner and group where that
      is permitted; a new file gets what the umask leaves.
    - Of a link, the file that it points to is written; the link stays.
    - Devices and named pipes have no content to keep: they are written as the data comes.

    Args:
        path: As the user gave it: messages have this name.
        make_folder: Whether to make the folder if it is absent.

    Raises:
        CannotWrite: Before anything is computed if possible, else while writing (a full disk).

    Example:
        >>> with writing(os.devnull) as file:
        ...     file.write(b"abc")
        3
    """
    path = Path(path)
    with _named(path):
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        stream = _open_stream(path)
    if stream is None:
        with _replacing(Path(os.path.realpath(path)), path) as file:
            yield file
    else:
        with io.BufferedWriter(_Named(stream, path)) as file:
            yield cast(BinaryIO, file)


@contextlib.contextmanager
def writing_text(path: str | Path, *, make_folder: bool = False) -> Iterator[TextIO]:
    """The same for text in UTF-8; gzipped if the name ends in .gz."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(writing(path, make_folder=make_folder))
        if Path(path).suffix == ".gz":
            # Without name and time in its header: the same content gives the same file.
            zipped = gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)
            file = cast(BinaryIO, stack.enter_context(zipped))
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        try:
            yield text
        finally:
            text.detach()  # written, but not closed: that is for those who opened it


def write_text(path: str | Path, text: str) -> None:
    """Writes a text file; see :func:`writing`."""
    with writing_text(path) as file:
        file.write(text)


def save_figure(figure: "Figure", path: str | Path) -> None:
    """Writes a picture of Matplotlib in the format of the name's ending; without one, PNG.

    The same figure gives the same file: an SVG has neither the time nor random names in it.
    """
    from matplotlib import rc_context  # slow to import

    content, kind = io.BytesIO(), Path(path).suffix[1:].lower() or "png"
    with rc_context({"svg.hashsalt": "ogeaug"}):
        metadata = {"Date": None} if kind in ("svg", "svgz") else None
        figure.savefig(content, format=kind, dpi="figure", metadata=metadata)
    with writing(path, make_folder=True) as file:
        file.write(content.getvalue())


def check_output(path: str | Path) -> None:
    """Refuses, before a long computation, what could not be written at its end."""
    path = Path(path)
    with _named(path):
        if is_stream(path):
            return
        target = Path(os.path.realpath(path))
        _check_place(target, path)
        folder = target.parent
        while not folder.exists():
            folder = folder.parent  # absent ones are made
        if not os.access(folder, os.W_OK | os.X_OK):
            raise CannotWrite(f"cannot write {path}: no permission to write into {folder}")


def is_stdout(path: str | Path) -> bool:
    """Whether this is the standard output by another name: messages then belong elsewhere."""
    return _descriptor(Path(path)) == 1


def is_stream(path: str | Path) -> bool:
    """Whether this is a device, a named pipe or the like, which is no file to replace."""
    if _descriptor(Path(path)) is not None:
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:  # nothing there, or nothing that can be seen: writing will tell
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _open_stream(path: Path) -> int | None:
    """A descriptor to write to what is no file; None if it is one, or nothing yet."""
    number = _descriptor(path)
    if number is not None:
        # Opened again by name, a file behind it would be cut off, and written from its start.
        return os.dup(number)
    return os.open(path, os.O_WRONLY) if is_stream(path) else None


def _descriptor(path: Path) -> int | None:
    """The number of this process's descriptor that a path like /dev/stdout or /dev/fd/3 names."""
    for _ in range(LINKS):
        folder = os.path.realpath(path.parent)
        if folder in ("/dev/fd", f"/proc/{os.getpid()}/fd") and path.name.isdigit():
            return int(path.name)
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    raise CannotWrite(f"cannot write {path}: too many links, one to another")


@contextlib.contextmanager
def _replacing(target: Path, shown: Path) -> Iterator[BinaryIO]:
    with _named(shown):
        before = _check_place(target, shown)
        remove_stale(target)
        # Nobody else may read a private file while it is written.
        handle, temporary = new_temporary(target, 0o666 if before is None else 0o600)
    with io.BufferedWriter(_Named(handle, shown)) as file:
        try:
            yield cast(BinaryIO, file)
            with _named(shown):
                file.flush()
                os.fsync(handle)
                if before is not None:
                    _make_like(handle, before)
                _move(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)


def _check_place(target: Path, shown: Path) -> os.stat_result | None:
    """What is there now; refuses what must not be replaced."""
    try:
        before = os.stat(target)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(before.st_mode):
        raise CannotWrite(f"cannot write {shown}: it is a folder; name a file in it")
    if not os.access(target, os.W_OK):
        raise CannotWrite(
            f"cannot write {shown}: it is there, and read-only; choose another name, or allow it by"
            f"  chmod u+w {shown}"
        )
    return before


def _make_like(handle: int, before: os.stat_result) -> None:
    """Owner and group as far as this user may give them, then the mode."""
    now = os.fstat(handle)
    with contextlib.suppress(PermissionError):
        if now.st_gid != before.st_gid:
            os.fchown(handle, -1, before.st_gid)
        if now.st_uid != before.st_uid:
            os.fchown(handle, before.st_uid, -1)
    with contextlib.suppress(PermissionError):  # file systems without modes
        os.fchmod(handle, stat.S_IMODE(before.st_mode))


def _move(temporary: Path, target: Path) -> None:
    try:
        os.replace(temporary, target)
    except OSError as error:
        # A file that is mounted by itself, or somebody else's in a folder like /tmp, can be
        # written but not replaced. Nothing is lost now: the new content is complete.
        if error.errno not in (errno.EBUSY, errno.EPERM, errno.EACCES) or not target.exists():
            raise
        with temporary.open("rb") as source, target.open("wb") as file:
            shutil.copyfileobj(source, file)
            file.flush()
            os.fsync(file.fileno())


class _Named(io.FileIO):
    """A file whose errors have the name that the user gave it."""

    def __init__(self, handle: int, shown: Path) -> None:
        super().__init__(handle, "wb")
        self.shown = shown

    def write(self, data: object) -> int:
        with _named(self.shown):
            return super().write(data)  # type: ignore[arg-type]


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except CannotWrite:
        raise
    except OSError as error:
        hint = ""
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            hint = "; make room, then call it again (training: ogeaug train --resume FOLDER)"
        raise CannotWrite(f"cannot write {path}: {error.strerror or error}{hint}") from error
