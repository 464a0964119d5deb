"""The folder of a table is tried before anything is measured, and leaves no trace of a failure."""

import errno
import os
from pathlib import Path

import pytest

from ogeaug.errors import UserError
from ogeaug.reproduce import facts
from ogeaug.reproduce import run as run_module
from ogeaug.reproduce.facts import write_facts
from ogeaug.reproduce.run import reproduce
from tests.reproduce.small import TABLE
from tests.training.tiny import write_csv


@pytest.fixture
def begin(monkeypatch, tmp_path):
    """Calls reproduce, with a function in place of what measures."""
    monkeypatch.setattr(run_module, "read_paper_table", lambda name: TABLE)
    data = str(write_csv(tmp_path / "data.csv"))

    def call(out, measure=lambda *_: pytest.fail("it was measured")):
        monkeypatch.setattr(run_module, "make_schedule", measure)
        return reproduce("small", out, data_path=data, progress=False)

    return call


def too_slow(*_):
    raise UserError("no budget holds this")


def test_a_folder_that_cannot_be_written_to_is_found_first(begin, tmp_path):
    with pytest.raises(UserError, match=r"is not empty: it holds data.csv; choose a new"):
        begin(tmp_path)
    for out in tmp_path / "data.csv", tmp_path / "data.csv" / "out":
        with pytest.raises(UserError, match=r"cannot write to .*data.csv is a file; choose an"):
            begin(out)


def test_a_folder_without_permission_is_found_first(begin, tmp_path, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patched:  # chmod does not stop root
        patched.setattr(Path, "mkdir", refused)
        with pytest.raises(UserError, match=r"cannot write to .*out: Permission denied; choose"):
            begin(tmp_path / "out")
    (tmp_path / "there").mkdir()
    with monkeypatch.context() as patched:
        patched.setattr(os, "open", refused)
        with pytest.raises(UserError, match=r"cannot write to .*there: Permission denied"):
            begin(tmp_path / "there")


def test_nothing_remains_if_measuring_fails(begin, tmp_path, monkeypatch):
    with pytest.raises(UserError, match="no budget holds this"):
        begin(tmp_path / "a/b/out", too_slow)
    assert not (tmp_path / "a").exists()
    (tmp_path / "a").mkdir()
    with pytest.raises(UserError, match="no budget holds this"):
        begin(tmp_path / "a", too_slow)
    assert list((tmp_path / "a").iterdir()) == []
    monkeypatch.setitem(facts._MAKE, "params", too_slow)
    with pytest.raises(UserError, match="no budget holds this"):
        write_facts("params", tmp_path / "b/out", progress=False)
    assert not (tmp_path / "b").exists()


def test_a_second_call_does_not_measure(begin, tmp_path):
    out = tmp_path / "out"

    def another(*_):
        assert out.is_dir()
        with pytest.raises(UserError, match=r"out is in use by process .*; wait for its end"):
            begin(out)
        assert out.is_dir()
        too_slow()

    with pytest.raises(UserError, match="no budget holds this"):
        begin(out, another)
    assert not out.exists()
