"""All models of an ensemble, and of folds, learn from one table."""

import json
import shutil

import pytest

from ogeaug.errors import UserError
from ogeaug.training import ensemble
from ogeaug.training.ensemble import fit_all, resume_all
from tests.training.tiny import molecules, tiny_config, write_csv

CHANGES = {
    "targets": [f"{smiles},{len(smiles) + 1}" for smiles in molecules()],
    "fewer rows": [f"{smiles},{len(smiles)}" for smiles in molecules()[:30]],
}
KINDS = {"ensemble": ("model_1", 2, ()), "folds": ("fold_2", 1, ("split.num_folds=3",))}


def trained(table, folder, kind):
    """A finished plan."""
    name, size, options = KINDS[kind]
    config = tiny_config(table, "training.epochs=1", *options)
    list(fit_all(config, folder, ensemble_size=size, progress=False))
    return folder / name


def forget_checksum(folder):
    """As version 0.1.0 wrote it."""
    plan = json.loads((folder / "plan.json").read_text())
    del plan["checksum"]
    (folder / "plan.json").write_text(json.dumps(plan))


CASES = [("ensemble", "targets", False), ("ensemble", "fewer rows", True)]
CASES += [("folds", "targets", False)]


@pytest.mark.parametrize(("kind", "change", "old"), CASES)
def test_a_member_that_is_missing_is_not_trained_on_other_data(table, tmp_path, kind, change, old):
    member = trained(table, tmp_path / "r", kind)
    together = (tmp_path / "r" / "results.json").read_text()
    (tmp_path / "r" / "results.json").unlink()
    shutil.rmtree(member)
    if old:
        forget_checksum(tmp_path / "r")
    before = table.read_text()
    write_csv(table, rows=CHANGES[change])
    with pytest.raises(UserError, match=r"r has changed since it was started; restore it"):
        list(resume_all(tmp_path / "r", progress=False))
    assert not member.exists()
    table.write_text(before)
    list(resume_all(tmp_path / "r", progress=False))
    assert json.loads((tmp_path / "r" / "results.json").read_text()) == json.loads(together)


def test_with_no_member_left_the_plan_knows(table, tmp_path):
    config = tiny_config(table, "training.epochs=1")
    members = fit_all(config, tmp_path / "r", ensemble_size=2, progress=False)
    next(members)
    members.close()
    shutil.rmtree(tmp_path / "r" / "model_0")
    write_csv(table, rows=CHANGES["targets"])
    with pytest.raises(UserError, match="has changed since it was started"):
        list(resume_all(tmp_path / "r", progress=False))


def test_a_table_that_changes_while_the_first_member_trains_is_no_matter(table, tmp_path):
    config = tiny_config(table, "training.epochs=1")
    members = fit_all(config, tmp_path / "r", ensemble_size=2, progress=False)
    next(members)
    table.write_text("gone")
    list(members)
    started = [(tmp_path / "r" / f"model_{i}" / "started.json").read_text() for i in (0, 1)]
    checksums = [json.loads(text)["checksum"] for text in started]
    assert checksums[0] == checksums[1]


def test_the_table_is_read_once(table, tmp_path, monkeypatch):
    calls, load = [], ensemble.load
    monkeypatch.setattr(ensemble, "load", lambda *a, **k: calls.append(a) or load(*a, **k))
    monkeypatch.setattr("ogeaug.training.fitting.prepare", None)
    trained(table, tmp_path / "r", "ensemble")
    assert len(calls) == 1
    table.unlink()
    assert len(list(resume_all(tmp_path / "r", progress=False))) == 2  # all have ended


def test_models_of_two_tables_are_named(table, tmp_path):
    """As earlier versions could leave them."""
    member = trained(table, tmp_path / "r", "ensemble")
    forget_checksum(tmp_path / "r")
    started = json.loads((member / "started.json").read_text())
    (member / "started.json").write_text(json.dumps(started | {"checksum": "other"}))
    with pytest.raises(UserError, match=r"models of different data: .*model_0 and .*model_1"):
        list(resume_all(tmp_path / "r", progress=False))


def test_the_summary_compares_targets(table, tmp_path):
    member = trained(table, tmp_path / "r", "ensemble")
    file = member / "test_predictions.csv"
    header, line, *rest = file.read_text().splitlines()
    row, y, predicted = line.split(",")
    file.write_text("\n".join([header, f"{row},{float(y) + 1},{predicted}", *rest]))
    with pytest.raises(UserError, match=r"model_1.*is damaged \(other targets than in .*model_0"):
        list(resume_all(tmp_path / "r", progress=False))
