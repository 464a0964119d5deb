"""Tests pass on other machines: a few of them run where everything is different.

They print, compile, draw, read tables and start processes: what machines differ in. All of them
take as long as `make test` does: `make elsewhere` runs them so.
"""

import os
import shutil
import subprocess
import sys

import pytest

from tests.machine import OURS, ROOT

SOME = (
    "tests/cli/test_measure.py::test_bad_line_in_a_file",
    "tests/cli/test_measure.py::test_bad_arguments_are_explained",
    "tests/cli/test_main.py::test_a_run_is_resumed_as_it_was_started",
    "tests/data/sets/test_tables.py",
    "tests/native/test_build.py::test_processes_may_build_at_the_same_time",
    "tests/native/test_build.py::test_half_a_library_does_not_kill_the_process",
)
WHOLE = "OGEAUG_ELSEWHERE"
MANY = ("tests", "ogeaug")
OPTIONS = ("-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not torture")
STRANGE = {
    # Not only the C locale, but without what Python does to still speak UTF-8 there.
    **{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    **{"FORCE_COLOR": "1", "GITHUB_ACTIONS": "true", "CI": "true", "TERM": "dumb"},
    **{"COLUMNS": "23", "LINES": "4", "TERMINAL_WIDTH": "23"},
    **{"PYTHONHASHSEED": "7", "TZ": "Pacific/Kiritimati", "MPLBACKEND": "TkAgg"},
    **{"SLURM_NTASKS": "2", "SLURM_JOB_NAME": "x", "RANK": "1", "WORLD_SIZE": "2"},
    **{"TORCHELASTIC_RUN_ID": "x", "LOCAL_WORLD_SIZE": "2"},
}


@pytest.mark.torture
def test_another_machine(tmp_path):
    temporary = tmp_path / "a rather long name, with spaces" / ("and-more-" * 4)
    temporary.mkdir(parents=True)
    home = tmp_path / "nobody"  # is not there, and cannot be made
    home.write_text("a file where a folder should be")
    environment = os.environ | STRANGE | {"HOME": str(home), "TMPDIR": str(temporary)}
    environment |= {"OGEAUG_DATA": str(tmp_path)}
    # The compiled core alone is taken along: its build has tests of its own.
    cache = tmp_path / "cache" / "ogeaug"
    shutil.copytree(f"{os.environ['XDG_CACHE_HOME']}/ogeaug", cache, dirs_exist_ok=True)
    environment["XDG_CACHE_HOME"] = str(cache.parent)
    for name in (OURS, WHOLE, "OGEAUG_TORTURE", "PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST"):
        environment.pop(name, None)
    tests = [str(ROOT / name) for name in (MANY if os.environ.get(WHOLE) else reversed(SOME))]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", *OPTIONS, *tests],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    left = [path.name for path in temporary.iterdir()]
    assert [name for name in left if name.startswith("ogeaug")] == []
