"""Compiles the C++ core at first use and keeps it for the next time."""

import ctypes
import functools
import hashlib
import logging
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ogeaug.errors import UserError
from ogeaug.native import cache, library

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
SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g", "-O1")
"""Added if the variable OGEAUG_SANITIZE is set; see `make sanitize`."""
NATIVE = ("-march=native", "-mcpu=native", "")  # x86, then ARM, then whatever the compiler assumes

logger = logging.getLogger(__name__)


class BuildError(UserError, RuntimeError):
    """The core cannot be compiled or loaded here; the message says why."""


def load_core() -> ctypes.CDLL:
    """The compiled core: built on the first call on a machine (about ten seconds), then kept.

    It is kept under a digest of the sources, the compiler and the processor's features, so that
    nothing stale is ever loaded, and under a checksum of its own, so that nothing damaged is
    (:mod:`ogeaug.native.cache`). Processes that build at the same time do not disturb each other.

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


def load_if_built() -> ctypes.CDLL | None:
    """The core if it has been built here before: for work that is not worth a wait."""
    if not _kept() and not _try_load.cache_info().currsize:
        return None
    core = _try_load()
    return None if isinstance(core, str) else core


@functools.cache
def _kept() -> bool:
    """Whether there was a core when this was first asked: looking for one takes a while."""
    try:
        return any(True for _ in cache.find(_recipe()[0]))
    except (BuildError, OSError):
        return False


@functools.cache
def _try_load() -> ctypes.CDLL | str:
    """The core, or why there is none. Tried once per process: a failure would repeat itself."""
    try:
        return _load()
    except (BuildError, OSError) as error:
        reason = f"the compiled kernel is not available: {error}"
        logger.info("%s; the PyTorch path is used", reason)
        return reason


def _load() -> ctypes.CDLL:
    key, command = _recipe()
    for content in cache.find(key):
        try:
            return library.open_library(content)
        except OSError as error:  # of another system that shares the cache
            logger.info("a core that was kept cannot be loaded: %s", error)
    logger.info("compiling the core once, for about ten seconds")
    content = _compile(command)
    cache.keep(key, content)
    return library.open_library(content)


def _compile(command: list[str]) -> bytes:
    """The library, once it has been loaded by another process, which may crash."""
    prefix = "ogeaug-build-"
    cache.sweep(Path(tempfile.gettempdir()), prefix + "*")
    with tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as folder:
        made = Path(folder) / "core.so"
        # The compiler's own temporary files go with the folder, too.
        _run([*command, str(SOURCE / "core.cpp"), "-o", str(made)], TMPDIR=folder)
        if not made.is_file() or made.stat().st_size == 0:
            raise BuildError(f"{command[0]} reports success, but made no library")
        try:
            _run([sys.executable, "-I", "-S", str(library.__file__), str(made)])
        except BuildError as error:
            raise BuildError(f"what {command[0]} made cannot be loaded: {error}") from error
        return made.read_bytes()


def _recipe() -> tuple[str, list[str]]:
    """What the core for this machine is kept under; the command to make it."""
    compiler = _compiler()
    native, features = _target(compiler)
    flags = [*FLAGS, *(SANITIZE if os.environ.get("OGEAUG_SANITIZE") else ())]
    digest = hashlib.sha256("\0".join([*flags, native, features]).encode())
    for source in sorted(SOURCE.iterdir()):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:24], [*compiler, *flags, *filter(None, [native])]


def _compiler() -> list[str]:
    if os.name != "posix":
        raise BuildError(f"it is for Linux and macOS, and this is {sys.platform}")
    named = os.environ.get("CXX")
    if named:
        return shlex.split(named)
    for name in ("c++", "g++", "clang++"):
        if path := shutil.which(name):
            return [path]
    raise BuildError(
        "no C++ compiler found (c++, g++, clang++, or the variable CXX); install one, or use "
        "kernel='auto', which needs none"
    )


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


def _run(command: list[str], **variables: str) -> str:
    environment = {**os.environ, **variables}
    if os.environ.get("OGEAUG_SANITIZE") and command[0] != sys.executable:
        environment.pop("LD_PRELOAD", None)  # the sanitizer's library is for the core alone
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=600, check=False, env=environment
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"{command[0]}: {error}") from error
    if done.returncode != 0:
        said = done.stderr.strip()[-500:] or f"exit code {done.returncode}"
        raise BuildError(f"{command[0]} failed: {said}")
    return done.stdout
