"""The cache of compiled cores: only what was verified is loaded, and only from a place of ours."""

import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from ogeaug.native import build, cache, library

KEY, CONTENT = "0" * 24, b"as good as a library" * 1000
as_root = pytest.mark.skipif(os.getuid() != 0, reason="needs root, to act as another user")
not_root = pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    """No folder of the machine: a home and a place for temporary files."""
    (tmp_path / "tmp").mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home" / ".cache" / "ogeaug"


@pytest.fixture
def spare(tmp_path):
    return tmp_path / "tmp" / f"ogeaug-{os.getuid()}"


def kept(folder):
    (path,) = folder.iterdir()
    return path


def found():
    return list(cache.find(KEY))


def test_keeps_and_finds(home):
    assert found() == []
    cache.keep(KEY, CONTENT)
    assert found() == [CONTENT]
    assert kept(home).stat().st_mode & 0o077 == 0
    assert home.stat().st_mode & 0o077 == 0
    assert home.parent.stat().st_mode & 0o077 == 0
    cache.keep(KEY, CONTENT)  # as two processes do
    assert found() == [CONTENT]


@pytest.mark.parametrize("size", [0, 1, 4096, len(CONTENT) - 1])
def test_what_was_cut_off_is_not_found(home, size):
    cache.keep(KEY, CONTENT)
    os.truncate(kept(home), size)
    assert found() == []
    cache.keep(KEY, CONTENT)
    assert found() == [CONTENT]


def test_what_was_changed_is_not_found(home):
    cache.keep(KEY, CONTENT)
    path = kept(home)
    path.write_bytes(b"B" + CONTENT[1:])
    assert found() == []


def test_a_read_only_cache_is_used(home):
    cache.keep(KEY, CONTENT)
    kept(home).chmod(0o400)
    home.chmod(0o500)
    try:
        assert found() == [CONTENT]
    finally:
        home.chmod(0o700)


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o702])
def test_a_folder_that_others_write_to_is_not_used(home, spare, mode, caplog):
    cache.keep(KEY, CONTENT)
    home.chmod(mode)
    assert found() == []
    cache.keep(KEY, CONTENT)
    assert found() == [CONTENT]
    assert kept(spare).read_bytes() == CONTENT
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert f"kept in {spare}" in record.message
    assert "others may write to" in record.message


def test_a_folder_above_that_others_write_to_is_not_used(home):
    cache.keep(KEY, CONTENT)
    home.parent.chmod(0o777)
    assert found() == []
    home.parent.chmod(0o1777)  # as /tmp: others cannot rename ours
    assert found() == [CONTENT]


@pytest.mark.parametrize("mode", [0o666, 0o602])
def test_a_file_that_others_write_to_is_not_used(home, mode):
    cache.keep(KEY, CONTENT)
    kept(home).chmod(mode)
    assert found() == []


def test_a_group_of_others_is_not_trusted_and_an_own_one_is(home, monkeypatch):
    cache.keep(KEY, CONTENT)
    home.chmod(0o770)
    for own in (False, True):
        monkeypatch.setattr(cache, "_is_own_group", lambda gid, own=own: own)
        assert found() == ([CONTENT] if own else [])


@as_root
@pytest.mark.parametrize("what", ["file", "folder", "above", "link"])
def test_what_belongs_to_another_user_is_not_used(home, what, tmp_path):
    cache.keep(KEY, CONTENT)
    path = {"file": kept(home), "folder": home, "above": home.parent, "link": home}[what]
    if what == "link":
        home.rename(tmp_path / "ours")
        home.symlink_to(tmp_path / "ours")
    os.chown(path, 65534, 65534, follow_symlinks=False)
    assert found() == []


def test_links_and_pipes_are_not_read(home, tmp_path):
    cache.keep(KEY, CONTENT)
    path = kept(home)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert found() == []
    path.unlink()
    os.mkfifo(path, 0o600)
    assert found() == []


@pytest.mark.parametrize("cached", ["", "relative"])
@pytest.mark.parametrize("home", ["relative", None])
def test_without_a_home(home, cached, spare, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", cached)
    monkeypatch.setenv("HOME", "relative")
    if home is None:
        monkeypatch.setattr(Path, "home", no_home)
    cache.keep(KEY, CONTENT)
    assert found() == [CONTENT]
    assert kept(spare).read_bytes() == CONTENT
    assert not (tmp_path / "relative").exists()


def no_home():
    raise RuntimeError("Could not determine home directory.")


def test_a_home_that_is_no_folder(spare, tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    cache.keep(KEY, CONTENT)
    assert found() == [CONTENT]
    assert len(caplog.records) == 1


@not_root
def test_a_home_that_cannot_be_written(spare, tmp_path):
    (tmp_path / "home").chmod(0o500)
    cache.keep(KEY, CONTENT)
    assert kept(spare).read_bytes() == CONTENT


def test_a_full_disk(home, spare, monkeypatch, caplog):
    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    cache.keep(KEY, CONTENT)  # neither here nor there, and still no error
    assert found() == []
    assert [*home.iterdir(), *spare.iterdir()] == []
    (record,) = caplog.records
    assert "made anew by each process" in record.message
    assert "No space left" in record.message


def test_old_temporary_files_are_removed(home, spare, tmp_path):
    home.mkdir(parents=True, mode=0o700)
    names = ["core-1.so.abc.part", "core-2.so.abc.part", "tmpabcd1234.so", "core-3.so", "mine"]
    for name in names:
        (home / name).write_text("")
    ago = time.time() - 2 * cache.OLD
    for name in [names[0], *names[2:]]:
        os.utime(home / name, (ago, ago))
    cache.keep(KEY, CONTENT)
    left = {path.name for path in home.iterdir()} - {cache._name(KEY, CONTENT)}
    assert left == {"core-2.so.abc.part", "core-3.so", "mine"}  # of a process that still writes


KILLED = """
import os, signal, sys
from ogeaug.native import cache
os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
cache.keep(sys.argv[1], b"x" * 10_000)
"""


def test_a_killed_process_leaves_nothing_that_is_loaded(home):
    done = subprocess.run([sys.executable, "-c", KILLED, KEY], check=False, env=environment())
    assert done.returncode == -signal.SIGKILL
    assert kept(home).suffix == ".part"
    assert found() == []
    os.utime(kept(home), (0, 0))
    cache.keep(KEY, CONTENT)
    assert found() == [CONTENT]
    assert kept(home).suffix == ".so"


def environment():
    return os.environ | {"PYTHONPATH": ":".join(sys.path), "TMPDIR": tempfile.gettempdir()}


@pytest.mark.skipif(not build.available(), reason="no C++ compiler here")
def test_a_core_that_is_cut_off_later_does_no_harm(home):
    """A library mapped from a file ends the process when its pages are gone."""
    code = (
        "import os, sys\n"
        "from ogeaug.native import build\n"
        "core = build.load_core()\n"
        "os.truncate(sys.argv[1], 0)\n"
        "print(core.bf16_channels() >= 0)\n"
    )
    cache.keep(build._recipe()[0], core_bytes())
    command = [sys.executable, "-c", code, str(kept(home))]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    assert done.stdout == "True\n", done


def core_bytes():
    """Of the core of this process."""
    return Path(build.load_core()._name).read_bytes()


def test_the_loader_does_not_need_memory_files(monkeypatch, tmp_path):
    if not build.available():
        pytest.skip("no C++ compiler here")
    content = core_bytes()
    monkeypatch.delattr(os, "memfd_create", raising=False)
    assert library.open_library(content).bf16_channels() >= 0
    assert list((tmp_path / "tmp").iterdir()) == []
