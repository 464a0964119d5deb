"""Building the core: once, by name of what it depends on, and with reasons when it fails."""

import functools
import shlex
import subprocess
import sys
import tempfile

import pytest

from ogeaug.errors import UserError
from ogeaug.native import build


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    return tmp_path / "cache" / "ogeaug"


def answer(number):
    return (
        f'extern "C" __attribute__((visibility("default"))) int answer() {{ return {number}; }}\n'
    )


@pytest.fixture
def quick(tmp_path, monkeypatch):
    """A core that compiles in no time."""
    source = tmp_path / "src"
    source.mkdir()
    (source / "core.cpp").write_text(answer(42))
    monkeypatch.setattr(build, "SOURCE", source)
    return source


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Takes a shell script for the compiler; it still knows the processor."""
    needs_compiler()
    real = shlex.join(build._compiler())

    def use(text):
        path = tmp_path / "compiler"
        path.write_text(f'#!/bin/sh\ncase "$*" in *-dM*) exec {real} "$@";; esac\n{text}\n')
        path.chmod(0o755)
        monkeypatch.setenv("CXX", shlex.quote(str(path)))
        return path

    return use


def needs_compiler():
    if not build.available():
        pytest.skip("no C++ compiler here")


def kept(folder):
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_builds_once_and_again_when_the_source_changes(cache, quick):
    needs_compiler()
    assert build._load().answer() == 42
    (first,) = kept(cache)
    stamp = (cache / first).stat().st_mtime_ns
    assert build._load().answer() == 42
    assert (cache / first).stat().st_mtime_ns == stamp
    (quick / "core.cpp").write_text(answer(43))
    assert build._load().answer() == 43
    assert len(kept(cache)) == 2


def test_processes_may_build_at_the_same_time(cache, quick):
    needs_compiler()
    code = (
        "import sys; from pathlib import Path; from ogeaug.native import build;"
        "build.SOURCE = Path(sys.argv[1]); build._load()"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code, str(quick)]) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert len(kept(cache)) == 1
    assert build._load().answer() == 42


def test_nothing_temporary_is_left(cache, quick, tmp_path):
    needs_compiler()
    build._load()
    assert [path.suffix for path in cache.iterdir()] == [".so"]
    assert kept(tmp_path / "tmp") == []


def test_says_why_there_is_no_compiler(cache, monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(build.BuildError, match=r"no C\+\+ compiler found .* use kernel='auto'"):
        build._load()
    assert issubclass(build.BuildError, UserError)  # the command line prints it without traceback


def test_says_what_the_compiler_said(cache, quick):
    needs_compiler()
    (quick / "core.cpp").write_text("this is not C++\n")
    with pytest.raises(build.BuildError, match=r"failed: .*core\.cpp"):
        build._load()
    assert kept(cache) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exit 0", "reports success, but made no library"),
        ('for out; do :; done; : > "$out"', "reports success, but made no library"),
        ('for out; do :; done; echo "no library" > "$out"', "made cannot be loaded"),
        ("kill -9 $$", "exit code -9"),
        ("exit 3", "exit code 3"),
    ],
)
def test_a_compiler_that_fails_is_asked_again(cache, quick, script, text, message):
    path = script(text)
    with pytest.raises(build.BuildError, match=message):
        build._load()
    assert kept(cache) == []
    path.write_text(path.read_text().replace(text, f'exec {needed()} "$@"'))
    assert build._load().answer() == 42


def needed():
    return subprocess.check_output(
        ["sh", "-c", "command -v c++ || command -v g++"], text=True
    ).strip()


def test_half_a_library_does_not_kill_the_process(cache, quick, script):
    """What the loader would follow into pages that are not there."""
    script(f'{needed()} "$@"; for out; do :; done; truncate -s 5000 "$out"')
    with pytest.raises(build.BuildError, match="made cannot be loaded"):
        build._load()


SILENT = """
import torch
from ogeaug import OGEAug
from torch_geometric.data import Data
pair = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2)
for kernel in ("auto", "compiled"):
    try:
        print(OGEAug(3, hidden_channels=4, num_layers=1, kernel=kernel)(pair).shape)
    except ValueError as error:
        print(error)
"""


def test_without_compiler_auto_is_silent_and_compiled_says_why(tmp_path):
    environment = {"PATH": "", "HOME": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-W", "ignore", "-c", SILENT]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    auto, compiled = done.stdout.splitlines()
    assert (auto, done.stderr) == ("torch.Size([2, 3])", "")
    assert "the compiled kernel is not available: no C++ compiler found" in compiled


def test_preparation_takes_a_core_that_was_built_after_it_began(cache, quick, monkeypatch):
    """Else the first training on a machine would prepare its graphs the slow way to its end."""
    needs_compiler()
    for name in ("_try_load", "_kept"):  # as in a new process
        monkeypatch.setattr(build, name, functools.cache(getattr(build, name).__wrapped__))
    assert build.load_if_built() is None
    core = build.load_core()
    assert build.load_if_built() is core
