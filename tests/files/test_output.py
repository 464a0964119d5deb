"""Whatever stands at the place of a written file: files, links, devices, pipes, remains."""

import ast
import csv
import gzip
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import ogeaug
from ogeaug.errors import CannotWrite, UserError
from ogeaug.files import output as output_file
from ogeaug.files.output import check_output, is_stdout, write_text, writing, writing_text
from ogeaug.files.temporary import new_temporary, remove_stale
from tests.torture import tries

WRITER = """
import sys, time
from ogeaug.files.output import writing
with writing(sys.argv[1]) as file:
    file.write(b"new" * 100_000)
    file.flush()
    print("writing", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def umask():
    before = os.umask(0o027)
    yield
    os.umask(before)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def start_writer(path):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "writing\n"
    return process


def end(process):
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.mark.usefixtures("umask")
def test_a_new_file_has_what_the_umask_leaves(tmp_path):
    write_text(tmp_path / "a", "x")
    assert mode(tmp_path / "a") == 0o640


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize("kept", [0o600, 0o666, 0o755])
def test_a_file_keeps_its_mode(tmp_path, kept):
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(kept)
    with writing(path) as file:
        file.write(b"new")
        (temporary,) = (p for p in tmp_path.iterdir() if p != path)
        assert mode(temporary) == 0o600  # nobody else reads along
    assert (mode(path), path.read_text()) == (kept, "new")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_keeps_its_owner(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    os.chown(path, 1234, 2345)
    write_text(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_what_is_read_only_stays(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(CannotWrite, match="read-only; choose another name, or allow it by  chmod"):
        write_text(path, "new")
    tmp_path.chmod(0o555)
    with pytest.raises(CannotWrite, match="Permission denied"):
        write_text(tmp_path / "b", "new")
    tmp_path.chmod(0o755)
    assert path.read_text() == "old"


@pytest.mark.parametrize("there", [True, False], ids=["file", "dangling"])
def test_a_link_stays_a_link(tmp_path, there):
    (tmp_path / "store").mkdir()
    target = tmp_path / "store" / "target"
    if there:
        target.write_text("old")
        target.chmod(0o600)
    (tmp_path / "middle").symlink_to("store/target")
    link = tmp_path / "link.csv.gz"
    link.symlink_to("middle")
    with writing_text(link) as file:
        file.write("new")
    assert link.readlink() == Path("middle")
    assert (tmp_path / "middle").readlink() == Path("store/target")
    assert gzip.decompress(target.read_bytes()) == b"new"  # by the name that was given
    assert [p.name for p in target.parent.iterdir()] == ["target"]
    assert not there or mode(target) == 0o600


def test_links_in_a_circle(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(CannotWrite, match="too many links"):
        write_text(tmp_path / "a", "x")


def test_a_device_stays_a_device(tmp_path):
    before = os.stat("/dev/null")
    (tmp_path / "null").symlink_to("/dev/null")
    for path in ("/dev/null", tmp_path / "null"):
        write_text(path, "x")
    assert os.path.samestat(before, os.stat("/dev/null"))
    assert (tmp_path / "null").is_symlink()


def test_a_named_pipe_is_read_at_the_other_end(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    found = []
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    write_text(path, "all of it")
    reader.join()
    assert found == [b"all of it"]
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_the_standard_output_is_continued(tmp_path, name):
    """Also if it is a file with something in it."""
    code = (
        "import sys; from ogeaug.files.output import write_text, is_stdout\n"
        "assert is_stdout(sys.argv[1])\n"
        "print('before', flush=True); write_text(sys.argv[1], 'table\\n'); print('after')"
    )
    with (tmp_path / "out").open("w+") as out:
        out.write("first\n")
        out.flush()
        subprocess.run([sys.executable, "-c", code, name], stdout=out, check=True)
        assert (tmp_path / "out").read_text() == "first\nbefore\ntable\nafter\n"
    assert not is_stdout("/dev/null")
    assert not is_stdout(tmp_path / "out")


@pytest.mark.parametrize("name", ["/dev/full", "full.csv", "full.csv.gz"])
@pytest.mark.parametrize("size", [1, 10**6])
def test_a_full_disk(tmp_path, name, size):
    (tmp_path / name).exists() or (tmp_path / name).symlink_to("/dev/full")
    with pytest.raises(UserError, match=rf"cannot write .*{name}: No space left on device; make"):
        write_text(tmp_path / name, os.urandom(size).hex())


def test_errors_that_are_not_of_the_file_stay_as_they_are(tmp_path):
    def fail():
        with writing(tmp_path / "a"):
            raise OSError("of the input")

    with pytest.raises(OSError, match="of the input") as caught:
        fail()
    assert not isinstance(caught.value, UserError)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.torture
def test_a_kill_leaves_the_old_file_and_the_next_one_tidies_up(tmp_path):
    path = tmp_path / "preds.csv"
    path.write_text("old")
    for _ in range(tries(1, 20)):
        process = start_writer(path)
        try:
            (temporary,) = (p for p in tmp_path.iterdir() if p != path)
            assert temporary.name.startswith(".preds.csv.")
            assert temporary.name.endswith(".part")
            write_text(path, "of another")  # while the first one is at work
            assert temporary.exists()
        finally:
            end(process)
        assert process.returncode == -signal.SIGKILL
        assert path.read_text() == "of another"
        assert temporary.exists()
        write_text(path, "whole")
        assert [p.name for p in tmp_path.iterdir()] == ["preds.csv"]


def test_what_others_left_stays(tmp_path):
    others = [".other.csv.host.1a2b3c4d.part", ".preds.csv.elsewhere.1a2b3c4d.part", ".preds.csv."]
    for name in others:
        (tmp_path / name).touch()
    write_text(tmp_path / "preds.csv", "x")
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([*others, "preds.csv"])


@pytest.mark.torture
def test_no_living_writer_loses_its_file(tmp_path):
    """Cleaning while files are made and not yet locked."""
    done = threading.Event()

    def clean():
        while not done.is_set():
            remove_stale(tmp_path / "a")

    cleaner = threading.Thread(target=clean)
    cleaner.start()
    try:
        for _ in range(tries(300, 20_000)):
            handle, temporary = new_temporary(tmp_path / "a", 0o600)
            assert temporary.exists()
            temporary.unlink()
            os.close(handle)
    finally:
        done.set()
        cleaner.join()


@pytest.mark.parametrize("name", ["n" * 255, "ü" * 127])
def test_the_longest_names(tmp_path, name):
    if sys.getfilesystemencoding() != "utf-8" and not name.isascii():
        pytest.skip("names of files are no UTF-8 here")
    write_text(tmp_path / name, "x")
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("code", ["EBUSY", "EPERM"])
def test_a_file_that_can_be_written_but_not_replaced(tmp_path, monkeypatch, code):
    """Mounted by itself, as in a container; or somebody else's in a folder like /tmp."""
    import errno

    def refuse(*_):
        raise OSError(getattr(errno, code), "no")

    monkeypatch.setattr(output_file.os, "replace", refuse)
    path = tmp_path / "a"
    path.write_text("a longer old one")
    write_text(path, "new")
    assert path.read_text() == "new"
    with pytest.raises(CannotWrite, match="no"):
        write_text(tmp_path / "absent", "new")
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_gzip_is_repeatable(tmp_path, monkeypatch):
    found = []
    for now in (1e9, 1.1e9):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        write_text(tmp_path / "a.csv.gz", "x")
        found.append((tmp_path / "a.csv.gz").read_bytes())
    assert found[0] == found[1]


def test_checked_before_the_work(tmp_path):
    (tmp_path / "file").touch()
    for good in (tmp_path / "new" / "folder" / "a", tmp_path / "file", "/dev/null"):
        check_output(good)
    with pytest.raises(CannotWrite, match="is a folder; name a file in it"):
        check_output(tmp_path)
    with pytest.raises(CannotWrite, match="Not a directory"):
        check_output(tmp_path / "file" / "a")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def writes(call):
    """Whether a call, by its looks, opens a file for writing or writes one."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    modes = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if name in ("open", "fdopen", "GzipFile", "NamedTemporaryFile"):
        return any(mode[:1] in ("w", "a", "x") and len(mode) <= 3 for mode in modes)
    method = isinstance(call.func, ast.Attribute)
    return method and name in ("write_text", "write_bytes", "to_csv", "savefig", "save_file")


def test_every_file_is_written_in_this_way():
    """Whatever opens a file for writing by itself would forget links, devices or the umask."""
    root = Path(ogeaug.__file__).parent
    found = {
        (str(path.relative_to(root)), ast.unparse(node))
        for path in root.rglob("*.py")
        if path.parent.name != "native"  # its cache is private, with stricter rules of its own
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and writes(node)
    }
    assert any(path == "files/output.py" for path, _ in found)
    others = {call for path, call in found if path != "files/output.py"}
    assert others == {"RESET.write_text('5')"}  # Linux's reset of a peak of memory: no file


def test_a_table_has_the_lines_of_csv(tmp_path):
    with writing_text(tmp_path / "a.csv") as file:
        csv.writer(file).writerow(["ü", 1])
    assert (tmp_path / "a.csv").read_bytes() == "ü,1\r\n".encode()
