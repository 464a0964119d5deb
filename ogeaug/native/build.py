"""Compiles the C++ core at first use and keeps it for the next time."""

import ctypes
import functools
import hashlib
import logging
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

SOURCE = Path(__file__).parent / "src"
FLAGS = (
    "-std=c++17",
    "-O3",
    "-ffp-contract=fast",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fvisibility=hidden",
    "-fPIC",
    "-shared",
    "-pthread",
)
NATIVE = ("-march=native", "-mcpu=native", "")  # x86, then ARM, then whatever the compiler assumes

logger = logging.getLogger(__name__)


class BuildError(RuntimeError):
    """The core cannot be compiled or loaded here; the message says why."""


def load_core() -> ctypes.CDLL:
    """The compiled core: built on the first call on a machine (about ten seconds), then kept.

    The file's name is a digest of the sources, the compiler and the processor's features, so that
    nothing stale is ever loaded. Processes that build at the same time do not disturb each other:
    each compiles into a file of its own and renames it into place.

    Raises:
        BuildError: There is no C++ compiler, or it failed.
    """
    core = _try_load()
    if isinstance(core, str):
        raise BuildError(core)
    return core


def available() -> bool:
    """Whether the core can be used here; builds it if need be."""
    return not isinstance(_try_load(), str)


@functools.cache
def load_if_built() -> ctypes.CDLL | None:
    """The core if it has been built here before: for work that is not worth a wait."""
    try:
        return load_core() if _target_file()[0].exists() else None
    except BuildError:
        return None


@functools.cache
def _try_load() -> ctypes.CDLL | str:
    """The core, or why there is none. Tried once a process: a failure would repeat itself."""
    try:
        return ctypes.CDLL(str(_build()))
    except (BuildError, OSError) as error:
        reason = f"the compiled kernel is not available: {error}"
        logger.info("%s; the PyTorch path is used", reason)
        return reason


def _build() -> Path:
    target, command = _target_file()
    if target.exists():
        return target
    logger.info("compiling %s once, for about ten seconds", target.name)
    handle, fresh = tempfile.mkstemp(dir=target.parent, suffix=".so")
    os.close(handle)
    try:
        _run([*command, str(SOURCE / "core.cpp"), "-o", fresh])
        os.replace(fresh, target)
    finally:
        Path(fresh).unlink(missing_ok=True)
    return target


def _target_file() -> tuple[Path, list[str]]:
    """The file that holds, or will hold, the core for this machine; the command to make it."""
    compiler = _compiler()
    native, features = _target(compiler)
    digest = hashlib.sha256("\0".join([*FLAGS, native, features]).encode())
    for source in sorted(SOURCE.iterdir()):
        digest.update(source.read_bytes())
    name = f"core-{digest.hexdigest()[:24]}.so"
    return _folder() / name, [*compiler, *FLAGS, *filter(None, [native])]


def _compiler() -> list[str]:
    named = os.environ.get("CXX")
    if named:
        return shlex.split(named)
    for name in ("c++", "g++", "clang++"):
        if path := shutil.which(name):
            return [path]
    raise BuildError("no C++ compiler found (c++, g++, clang++, or the variable CXX)")


def _target(compiler: list[str]) -> tuple[str, str]:
    """The option for this processor, and all macros that the compiler then defines."""
    for native in NATIVE:
        command = [*compiler, *filter(None, [native]), "-dM", "-E", "-x", "c++", os.devnull]
        try:
            return native, _run(command)
        except BuildError:
            if not native:
                raise
    raise AssertionError("unreachable")


@functools.cache
def _private_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="ogeaug-"))


def _folder() -> Path:
    """Where compiled cores are kept: the user's cache, or a folder of this process."""
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(base).expanduser() / "ogeaug"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if os.access(folder, os.W_OK):
            return folder
    except OSError as error:
        logger.info("%s cannot be used: %s", folder, error)
    return _private_folder()


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"{command[0]}: {error}") from error
    if done.returncode != 0:
        raise BuildError(f"{command[0]} failed: {done.stderr.strip()[-500:]}")
    return done.stdout
