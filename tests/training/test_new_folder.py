"""The folder of a run: new or empty, for one run at a time, and known again."""

import errno
import fcntl
import json
import os
import shutil
import subprocess
import sys

import pytest

from ogeaug.compare.run import compare
from ogeaug.errors import UserError
from ogeaug.training import run_lock
from ogeaug.training.ensemble import fit_all, resume_all
from ogeaug.training.fitting import fit, resume
from ogeaug.training.new_folder import new_folder
from ogeaug.training.run_lock import locked
from tests.compare.test_run import CONFIG, PARTS
from tests.model.test_old_models import FOLDERS
from tests.training.tiny import tiny_config

HOLD = """
import sys, time
from pathlib import Path
from ogeaug.training.run_lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def held(tmp_path):
    """A folder in which another process is at work, until it is killed."""
    (tmp_path / "held").mkdir()
    command = [sys.executable, "-c", HOLD, str(tmp_path / "held")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    yield tmp_path / "held", process
    process.kill()
    process.wait()
    process.stdout.close()


def test_two_runs_at_a_time(table, held):
    folder, process = held
    config = tiny_config(table, "training.epochs=1")
    used = rf"in use by process {process.pid} on .*; wait for its end, or choose another folder"
    with pytest.raises(UserError, match=used):
        fit(config, folder, progress=False)
    with pytest.raises(UserError, match=used):
        list(fit_all(config, folder, ensemble_size=2, progress=False))
    with pytest.raises(UserError, match=used):
        compare(CONFIG, ["peg"], folder, parts=PARTS, progress=False)
    assert [path.name for path in folder.iterdir()] == [".lock"]
    process.kill()  # and nothing is left to be cleaned up
    process.wait()
    assert fit(config, folder, progress=False).epochs == 1


def test_resuming_what_still_runs(table, tmp_path):
    config = tiny_config(table, "training.epochs=1")
    results = fit_all(config, tmp_path / "r", ensemble_size=2, progress=False)
    next(results)
    with pytest.raises(UserError, match=r"r is in use by process \d+"):
        list(resume_all(tmp_path / "r", progress=False))
    results.close()
    assert len(list(resume_all(tmp_path / "r", progress=False))) == 2
    (tmp_path / "r" / "model_0" / "results.json").unlink()
    with locked(tmp_path / "r" / "model_0"), pytest.raises(UserError, match="in use by process"):
        resume(tmp_path / "r" / "model_0", progress=False)


def test_where_there_are_no_locks(tmp_path, monkeypatch, caplog):
    def none(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    run_lock._say_once.cache_clear()
    for _ in range(2):
        with locked(tmp_path):
            pass
    assert [record.getMessage().split(";")[0] for record in caplog.records] == [
        f"{tmp_path} cannot be locked, since its file system (No locks available) has no locks"
    ]


@pytest.mark.parametrize("name", ["metrics.csv", "split.csv", "thesis.tex", "logs", ".git"])
def test_files_of_the_user(table, tmp_path, name):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / name).write_text("precious")
    config = tiny_config(table, "training.epochs=1")
    message = rf"mine is not empty: it holds {name}; choose a new or an empty --output-dir"
    with pytest.raises(UserError, match=message):
        fit(config, mine, progress=False)
    with pytest.raises(UserError, match=message):
        list(fit_all(config, mine, ensemble_size=2, progress=False))
    with pytest.raises(UserError, match=message):
        compare(CONFIG, ["rwse"], mine, parts=PARTS, progress=False)
    assert [(path.name, path.read_text()) for path in mine.iterdir()] == [(name, "precious")]


def test_what_an_attempt_left_behind(tmp_path):
    for name in ("started.json", "split.csv", "skipped.csv", ".lock", ".config.yaml.x.yaml"):
        (tmp_path / name).touch()
    with new_folder(tmp_path):
        pass
    (tmp_path / "metrics.csv").touch()
    with pytest.raises(UserError, match=r"it holds metrics\.csv;"), new_folder(tmp_path):
        pass


def test_ensembles_and_comparisons_keep_apart(table, tmp_path):
    config = tiny_config(table, "training.epochs=1")
    both = shutil.copytree(next(f for f in FOLDERS if "ensemble" in f.name), tmp_path / "both")
    with pytest.raises(UserError, match=r"both holds an ensemble, .* choose another folder"):
        compare(CONFIG, ["rwse"], both, parts=PARTS, progress=False)
    compared = tmp_path / "compared"
    compared.mkdir()
    plan = {"asked": {"encodings": ["rwse"]}, "configs": {"rwse": ""}}
    (compared / "plan.json").write_text(json.dumps(plan))
    for size in (1, 2):
        with pytest.raises(UserError, match=r"compared holds a comparison; .*ogeaug compare"):
            list(fit_all(config, compared, ensemble_size=size, progress=False))
    (compared / "plan.json").write_text('{"mine": true}')
    with pytest.raises(UserError, match=r"plan\.json is damaged"):
        fit(config, compared, progress=False)


def test_a_moved_run_knows_where_it_is(tmp_path):
    moved = shutil.copytree(FOLDERS[0], tmp_path / "moved")
    assert resume(moved, progress=False).folder == str(moved)


DAMAGE = {
    "empty": b"",
    "cut": b'{"checksum": "a',
    "list": b"[1, 2]",
    "number": b"3",
    "other": b'{"checksum": {"a": 1}, "config": [], "result": [], "folds": {}}',
    "deep": b"[" * 700,
    "binary": b"\xff\xfe\x00",
    "bomb": b"a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n"
    + b"".join(
        f"{chr(c + 1)}: &{chr(c + 1)} [{','.join([f'*{chr(c)}'] * 8)}]\n".encode()
        for c in range(ord("b"), ord("x"))
    ),
}


@pytest.fixture(scope="module")
def cut(tmp_path_factory):
    """An ensemble of which the second member is not finished."""
    from tests.training.tiny import write_csv

    folder = tmp_path_factory.mktemp("cut")
    config = tiny_config(write_csv(folder / "my.csv"), "training.epochs=1")
    list(fit_all(config, folder / "r", ensemble_size=2, progress=False))
    (folder / "r" / "model_1" / "results.json").unlink()
    return folder / "r"


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize(
    "name",
    [
        "plan.json",
        "plan.yaml",
        "model_0/results.json",
        "model_1/started.json",
        "model_1/config.yaml",
        "model_1/checkpoints/last.safetensors",
    ],
)
def test_damaged_files_are_named(cut, tmp_path, name, damage):
    folder = shutil.copytree(cut, tmp_path / "r")
    (folder / name).write_bytes(DAMAGE[damage])
    with pytest.raises(UserError) as caught:
        list(resume_all(folder, progress=False))
    assert str(folder / name) in str(caught.value)
    assert len(str(caught.value)) < 2000


@pytest.mark.parametrize("name", ["plan.yaml", "model_1/started.json"])
def test_absent_files_are_named(cut, tmp_path, name):
    folder = shutil.copytree(cut, tmp_path / "r")
    os.unlink(folder / name)
    with pytest.raises(UserError, match=os.path.basename(name)):
        list(resume_all(folder, progress=False))


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_comparisons(tmp_path, damage):
    (tmp_path / "plan.json").write_bytes(DAMAGE[damage])
    with pytest.raises(UserError, match=r"plan\.json is damaged: "):
        compare(CONFIG, ["rwse"], tmp_path, parts=PARTS, progress=False)
