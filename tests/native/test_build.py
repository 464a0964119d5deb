"""Building the core: once, by name of what it depends on, and with reasons when it fails."""

import multiprocessing

import pytest

from ogeaug.native import build


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "ogeaug"


@pytest.fixture
def quick(tmp_path, monkeypatch):
    """A core that compiles in no time."""
    source = tmp_path / "src"
    source.mkdir()
    (source / "core.cpp").write_text('extern "C" int answer() { return 42; }\n')
    monkeypatch.setattr(build, "SOURCE", source)
    return source


def needs_compiler():
    try:
        build._compiler()
    except build.BuildError:
        pytest.skip("no C++ compiler here")


def test_builds_once_and_again_when_the_source_changes(cache, quick):
    needs_compiler()
    first = build._build()
    stamp = first.stat().st_mtime_ns
    assert build._build() == first
    assert first.stat().st_mtime_ns == stamp
    (quick / "core.cpp").write_text('extern "C" int answer() { return 43; }\n')
    assert build._build() != first
    assert len(list(cache.iterdir())) == 2


def test_processes_may_build_at_the_same_time(cache, quick):
    needs_compiler()
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=build._build) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert len(list(cache.iterdir())) == 1


def test_says_why_there_is_no_compiler(cache, monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(build.BuildError, match="no C\\+\\+ compiler found"):
        build._build()


def test_says_what_the_compiler_said(cache, quick):
    needs_compiler()
    (quick / "core.cpp").write_text("this is not C++\n")
    with pytest.raises(build.BuildError, match=r"failed: .*core\.cpp"):
        build._build()
    assert list(cache.iterdir()) == []


def test_works_where_the_cache_cannot_be_written(tmp_path, quick, monkeypatch):
    needs_compiler()
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert build._build().exists()
