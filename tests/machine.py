"""The machine that tests see is the same everywhere, whatever the real one is like.

What stays of the real one: the C++ compiler, and the cache that keeps the compiled core, whose
file has a digest of all that it depends on for a name.
"""

import os
import tempfile
from pathlib import Path

from ogeaug.native import build

ROOT = Path(__file__).parents[1]
OURS = "OGEAUG_TEST_HOME"
"""Set in the process that began and in all that it started: they share one home."""
UNSET = (
    # Colours and terminals: typer, click and rich ask for them.
    *("CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "FORCE_COLOR", "GITHUB_ACTIONS", "NO_COLOR"),
    *("PY_COLORS", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "TYPER_USE_RICH"),
    # Processes of a training, as torchrun tells them.
    *("TORCHELASTIC_RUN_ID", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"),
    *("GROUP_RANK", "NODE_RANK", "MASTER_ADDR", "MASTER_PORT"),
    *("MATPLOTLIBRC", "MPLCONFIGDIR", "XDG_CONFIG_HOME"),
)
UNSET_PREFIXES = ("DASK_", "SLURM_")
SET = {
    "CUDA_VISIBLE_DEVICES": "",  # sums on a GPU have no fixed order
    "MKL_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # Where a line breaks must not depend on the terminal, nor on how long a temporary path is.
    # (Typer's own variable, read at its import. COLUMNS would make pytest's own lines as long.)
    "TERMINAL_WIDTH": "1000",
}


def settle() -> Path | None:
    """Gives this process, and those that it starts, the environment of the tests.

    Returns:
        The new home, to be removed in the end; None if another process has made it.
    """
    if OURS in os.environ:
        return None
    home = Path(tempfile.mkdtemp(prefix="ogeaug-tests-"))
    cache = _own_cache() or home / "cache"
    for name in list(os.environ):
        if name in UNSET or name.startswith(UNSET_PREFIXES):
            del os.environ[name]
    paths = {"HOME": home, "XDG_CACHE_HOME": cache, OURS: home}
    paths["HYPOTHESIS_STORAGE_DIRECTORY"] = home / "hypothesis"  # the source may be read-only
    os.environ.update(SET, **{name: str(path) for name, path in paths.items()})
    # Subprocesses find package and tests, wherever pytest was called.
    path = (str(ROOT), os.environ.get("PYTHONPATH"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, path))
    # Once, and before the first test: some work takes the core only if it is there already, and
    # no test may see that change between two of its steps. Without a compiler, those skip.
    build.available()
    return home


def _own_cache() -> Path | None:
    """The user's cache, so that the core is not compiled anew each time; None if it is no use."""
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser().absolute()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):  # no home, or none that can be written
        return None
