"""Where compiled cores are kept, and how far that place is trusted.

A library that is loaded may do all that its user may. So only files and folders that nobody else
can change are used, and only bytes whose checksum is in the name of their file: those of an
interrupted or damaged one would end the process.
"""

import hashlib
import logging
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

OLD = 3600.0
"""Seconds after which something temporary was left behind; the compiler gets ten minutes."""

logger = logging.getLogger(__name__)


def find(key: str) -> Iterator[bytes]:
    """The cores kept under this key, each as it was written."""
    for folder in folders():
        if not folder.is_dir():
            continue
        if reason := distrust(folder):
            logger.info("%s is not used: %s", folder, reason)
            continue
        for path in sorted(folder.glob(f"core-{key}-*.so")):
            try:
                content = _read(path)
            except OSError as error:
                logger.info("%s is not used: %s", path, error)
                continue
            if path.name == _name(key, content):
                yield content
            else:
                logger.info("%s is damaged, and made anew", path)


def keep(key: str, content: bytes) -> None:
    """Writes a core to the first folder that can be used; says so if that is not the cache."""
    reasons = []
    for folder in folders():
        try:
            folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            if reason := distrust(folder):
                raise PermissionError(reason)
            sweep(folder, "*.part")
            sweep(folder, "tmp????????.so")  # of version 0.1
            _write(folder / _name(key, content), content)
        except OSError as error:
            reasons.append(f"{folder} cannot be used: {error}")
            continue
        if reasons:
            logger.warning("the compiled core is kept in %s; %s", folder, "; ".join(reasons))
        return
    logger.warning("the compiled core is made anew by each process; %s", "; ".join(reasons))


def folders() -> list[Path]:
    """Where cores may be kept: the user's cache, or else a folder among temporary files."""
    found = []
    try:
        base = Path(os.environ.get("XDG_CACHE_HOME", "")).expanduser()
        base = base if base.is_absolute() else Path.home() / ".cache"
        found.append(base / "ogeaug")
    except RuntimeError as error:
        logger.info("there is no home: %s", error)
    try:
        found.append(Path(tempfile.gettempdir()) / f"ogeaug-{os.getuid()}")
    except FileNotFoundError as error:
        logger.info("there is no folder for temporary files: %s", error)
    return [folder for folder in found if folder.is_absolute()]


def distrust(folder: Path) -> str | None:
    """Why somebody else might change what is in a folder; None if nobody can.

    The rule of ssh for keys: the folder and all above belong to the user or to root, and no one
    else writes to them. Above, others may if they cannot rename what is not theirs, as in /tmp.
    """
    real = folder.resolve()
    for place, status in [
        (folder, folder.lstat()),
        *((p, p.stat()) for p in (real, *real.parents)),
    ]:
        if status.st_uid not in (0, os.getuid()):
            return f"{place} belongs to another user (number {status.st_uid})"
        if stat.S_ISLNK(status.st_mode):
            continue
        sticky = place not in (folder, real) and status.st_mode & stat.S_ISVTX
        if others_write(status) and not sticky:
            return f"others may write to {place}; chmod go-w helps"
    return None


def others_write(status: os.stat_result) -> bool:
    """Whether anybody but the owner may: a group that has no other member is nobody."""
    if status.st_mode & stat.S_IWOTH:
        return True
    return bool(status.st_mode & stat.S_IWGRP) and not _is_own_group(status.st_gid)


def sweep(folder: Path, pattern: str) -> None:
    """Removes what an interrupted process of this user left behind."""
    for path in folder.glob(pattern):
        try:
            status = path.lstat()
            if status.st_uid != os.getuid() or time.time() - status.st_mtime < OLD:
                continue
            if stat.S_ISDIR(status.st_mode):
                shutil.rmtree(path)
            else:
                path.unlink()
        except OSError as error:
            logger.info("%s cannot be removed: %s", path, error)


def _name(key: str, content: bytes) -> str:
    return f"core-{key}-{hashlib.sha256(content).hexdigest()[:32]}.so"


def _read(path: Path) -> bytes:
    """The bytes of a file that nobody else can have written."""
    # Neither a link nor, by waiting for its other end, a pipe.
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise PermissionError("it is no file")
        if status.st_uid not in (0, os.getuid()) or others_write(status):
            raise PermissionError("somebody else may have written it")
        return file.read()


def _write(path: Path, content: bytes) -> None:
    """All or nothing, also when the power fails: on the disk before it has its name."""
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(handle)
        os.replace(part, path)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
    parent = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(parent)
    finally:
        os.close(parent)


def _is_own_group(gid: int) -> bool:
    import grp  # not on Windows, where there is no core
    import pwd

    try:
        user, group = pwd.getpwuid(os.getuid()), grp.getgrgid(gid)
    except KeyError:
        return False
    return (
        gid == user.pw_gid and group.gr_name == user.pw_name and {*group.gr_mem} <= {user.pw_name}
    )
