"""A schedule that was edited is refused before anything is read or trained."""

import json
import re
import shutil
from dataclasses import replace

import pytest

from ogeaug.errors import UserError
from ogeaug.reproduce import run as run_module
from ogeaug.reproduce.begun import check_figures, read_begun
from ogeaug.reproduce.run import reproduce
from ogeaug.reproduce.schedule import SCHEDULE, Schedule, list_trainings, write_schedule
from ogeaug.training.result import FitResult
from tests.reproduce.small import TABLE
from tests.training.tiny import write_csv

ASKED = {"table": "small", "budget": "smoke", "data_path": "my.csv", "rows": [], "columns": []}
ASKED |= {"graphs": None, "epochs": None, "seeds": 2}
LABELS = [row.label for row in TABLE.rows]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("begun")
    schedule = Schedule(
        asked=ASKED,
        trainings=list_trainings(TABLE, ASKED, epochs=1, seeds=2),
        seconds=dict.fromkeys(LABELS, 0.1),
        epochs=1,
        paper_epochs=dict.fromkeys(LABELS, 60),
        full=False,
        memory=300,
    )
    write_schedule(folder, schedule)
    assert read_begun(folder, TABLE, ASKED) == schedule
    return (folder / SCHEDULE).read_text(encoding="utf-8")


def of_first(**values):
    return lambda s: s["trainings"][0].update(values)


EDITS = {
    "training 1 is that of GIN, RMSE, seed 0, expected GINE, RMSE, seed 0": of_first(row="GIN"),
    "training 1 is that of GINE, MAE, seed 0, expected": of_first(group="MAE"),
    "it has 3 seed(s), expected 2": of_first(seed=-1),
    "training 3 is that of GINE, RMSE, seed -1": lambda s: [
        one.update(seed=-one["seed"]) for one in s["trainings"]
    ],
    "it lists 5 trainings, expected 4": lambda s: s["trainings"].append(s["trainings"][0]),
    "training 2 is that of GINE, RMSE, seed 0": lambda s: s["trainings"].__setitem__(
        1, s["trainings"][0]
    ),
    "it has 1 seed(s), expected 2": lambda s: s.update(trainings=s["trainings"][:2]),
    "trainings: List should have at least 1": lambda s: s.update(trainings=[]),
    "trainings.0.seed: Field required": lambda s: s["trainings"][0].pop("seed"),
    "it has seconds of GINE, expected of GINE; GINE, with RWSE": lambda s: s["seconds"].pop(
        "GINE, with RWSE"
    ),
    "seconds.GINE: Input should be a finite number": lambda s: s["seconds"].update(GINE=1e999),
    "seconds.GINE: Input should be greater than or equal to 0": lambda s: s["seconds"].update(
        GINE=-1
    ),
    "paper_epochs are {'GINE': 60}, expected": lambda s: s["paper_epochs"].pop("GINE, with RWSE"),
    "it has 7 epochs, expected 1": lambda s: s.update(epochs=7),
    "epochs: Input should be greater than or equal to 1": lambda s: s.update(epochs=0),
    "full is True": lambda s: s.update(full=True),
    "configuration of GINE, RMSE, seed 0 in schedule.json": of_first(config="backbone: 3"),
    "is no valid YAML": of_first(config="{"),
    "begun with other seeds (5, now 2)": lambda s: s["asked"].update(seeds=5),
    "asked: Input should be a valid dictionary": lambda s: s.update(asked=[]),
}


@pytest.mark.parametrize("message", EDITS)
def test_edits_are_refused(message, written, tmp_path):
    schedule = json.loads(written)
    EDITS[message](schedule)
    (tmp_path / SCHEDULE).write_text(json.dumps(schedule), encoding="utf-8")
    with pytest.raises(UserError, match=re.escape(message)):
        read_begun(tmp_path, TABLE, ASKED)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("layers: 1", "layers: 2", "backbone.layers was 1, now 2"),
        ("path: my.csv", "path: other.csv", "data.path is other.csv"),
        ("seed: 1", "seed: 5", "training.seed was 1, now 5"),
    ],
)
def test_a_configuration_is_that_of_its_row(old, new, message, written, tmp_path):
    text = written.replace(old, new)
    assert text != written
    (tmp_path / SCHEDULE).write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=f"is not that of the table: {message}; restore it, or"):
        read_begun(tmp_path, TABLE, ASKED)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"null", None])
def test_something_else_of_this_name_is_refused(content, tmp_path, monkeypatch):
    monkeypatch.setattr(run_module, "read_paper_table", lambda name: TABLE)
    data = str(write_csv(tmp_path / "data.csv"))
    out = tmp_path / "out"
    out.mkdir()
    if content is None:
        (out / SCHEDULE).mkdir()
    else:
        (out / SCHEDULE).write_bytes(content)
    with pytest.raises(UserError, match=r"schedule.json.*restore it, or choose another folder"):
        reproduce("small", out, data_path=data, progress=False)


def test_the_run_of_another_row_or_seed_is_refused(tmp_path, monkeypatch):
    """Its figures would stand in a row that is not theirs."""
    monkeypatch.setattr(run_module, "read_paper_table", lambda name: TABLE)
    data, out = str(write_csv(tmp_path / "data.csv")), tmp_path / "out"
    reproduce("small", out, data_path=data, seeds=2, progress=False)
    kept, other = out / "gine-rmse-seed0", out / "gine-rmse-seed1"
    kept.rename(tmp_path / "aside")
    shutil.copytree(other, kept)
    with pytest.raises(UserError, match=r"another run .* GINE, RMSE, seed 0: training.seed was 0"):
        reproduce("small", out, data_path=data, seeds=2, progress=False)
    shutil.rmtree(kept)
    shutil.copytree(out / "gine-with-rwse-rmse-seed0", kept)
    with pytest.raises(UserError, match=r"encodings were \[\], now \['rwse'\]"):
        reproduce("small", out, data_path=data, seeds=2, progress=False)


def test_a_record_without_figures_is_refused(tmp_path):
    result = FitResult("run", 1, 1, 1, {"val": {"mae": 1.0}}, {"train": 2, "val": 1}, 1.0, {})
    check_figures(result)
    for update in {"metrics": {}}, {"rows": {}}:
        with pytest.raises(UserError, match=r"run/results.json is damaged: .* nothing.*delete it"):
            check_figures(replace(result, **update))
