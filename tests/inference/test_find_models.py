"""Prediction takes finished models only, and averages those of one plan only."""

import json
import shutil

import pytest

from ogeaug import load_model
from ogeaug.errors import UserError
from ogeaug.inference.encode import encode_table
from ogeaug.inference.find_models import find_model, find_models
from ogeaug.inference.predict import predict_table
from tests.model.test_old_models import FOLDERS
from tests.training.tiny import write_csv

OLD = {folder.name: folder for folder in FOLDERS}
SINGLE, ENSEMBLE = OLD["regression_oge_aug"], OLD["ensemble_oge_aug"]


@pytest.fixture
def single(tmp_path):
    return shutil.copytree(SINGLE, tmp_path / "single")


@pytest.fixture
def both(tmp_path):
    return shutil.copytree(ENSEMBLE, tmp_path / "both")


def names(paths):
    return [path.name for path in paths]


def test_a_killed_run(single, tmp_path):
    (single / "results.json").unlink()
    with pytest.raises(UserError, match=r"single is not finished: .* --resume .*single, or use"):
        find_models([single])
    assert find_models([single], allow_unfinished=True) == [single]
    source = write_csv(tmp_path / "n.csv", header="smiles", rows=["C"])
    with pytest.raises(UserError, match="is not finished"):
        predict_table(source, [single], tmp_path / "p.csv", progress=False)
    with pytest.raises(UserError, match="is not finished"):
        encode_table(source, tmp_path / "z.csv", model_path=single, progress=False)
    assert not (tmp_path / "p.csv").exists()
    assert not (tmp_path / "z.csv").exists()
    options = {"allow_unfinished": True, "progress": False}
    predict_table(source, [single], tmp_path / "p.csv", **options)
    encode_table(source, tmp_path / "z.csv", model_path=single, **options)


@pytest.mark.parametrize("mark", ["config.yaml", "started.json", "checkpoints"])
def test_any_trace_of_a_run_shows_it(single, tmp_path, mark):
    model = tmp_path / "m"
    load_model(single).save_pretrained(model)
    assert find_models([model]) == [model]  # saved from Python: there was no run
    (model / mark).mkdir()
    with pytest.raises(UserError, match="is not finished"):
        find_models([model])


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"result": {}}', '{"format": 99, "result": {}}'])
def test_a_damaged_record_of_the_end(single, text):
    (single / "results.json").write_text(text)
    with pytest.raises(UserError, match=r"results\.json is damaged: .*delete it, then .*--resume"):
        find_models([single])
    assert find_models([single], allow_unfinished=True) == [single]


def test_an_ensemble_killed_while_its_second_member_trained(both):
    assert names(find_models([both])) == ["model_0", "model_1"]
    (both / "model_1" / "results.json").unlink()
    with pytest.raises(UserError, match=r"has 1 of 2 models; .*--resume .*\(.*model_0\), or use"):
        find_models([both])
    assert names(find_models([both], allow_unfinished=True)) == ["model_0", "model_1"]
    assert names(find_models([both / "model_0"])) == ["model_0"]
    with pytest.raises(UserError, match="is not finished"):
        find_models([both / "model_0", both / "model_1"])
    shutil.rmtree(both / "model_1")
    with pytest.raises(UserError, match="has 1 of 2 models"):
        find_models([both])
    shutil.rmtree(both / "model_0")
    with pytest.raises(UserError, match="has 0 of 2 models"):
        find_models([both], allow_unfinished=True)


def test_only_members_of_the_plan_count(both):
    shutil.copytree(both / "model_0", both / "backup")
    assert names(find_models([both])) == ["model_0", "model_1"]


def test_folds_with_ensembles(both, tmp_path):
    for fold in range(2):
        shutil.copytree(both, tmp_path / "cv" / f"fold_{fold}")
        (tmp_path / "cv" / f"fold_{fold}" / "plan.json").unlink()
    (tmp_path / "cv" / "plan.json").write_text('{"folds": 2, "ensemble_size": 2}')
    assert len(find_models([tmp_path / "cv"])) == 4
    assert names(find_models([tmp_path / "cv" / "fold_1"])) == ["model_0", "model_1"]
    (tmp_path / "cv" / "fold_1" / "model_0" / "results.json").unlink()
    with pytest.raises(UserError, match="has 3 of 4 models"):
        find_models([tmp_path / "cv"])
    with pytest.raises(UserError, match="has 1 of 2 models"):
        find_models([tmp_path / "cv" / "fold_1"])
    assert len(find_models([tmp_path / "cv" / "fold_0"])) == 2


def test_a_comparison_is_no_ensemble(single, tmp_path):
    for name in ("oge_aug-seed0", "rwse-seed0"):
        shutil.copytree(single, tmp_path / "compare" / name)
    plan = tmp_path / "compare" / "plan.json"
    plan.write_text(json.dumps({"asked": {"seeds": [0]}, "configs": {"rwse": ""}}))
    for allow in (False, True):
        with pytest.raises(UserError, match=r"comparison.* one of .*oge_aug-seed0, .*rwse-seed0$"):
            find_models([tmp_path / "compare"], allow_unfinished=allow)
    assert names(find_models([tmp_path / "compare" / "rwse-seed0"])) == ["rwse-seed0"]


def test_a_folder_of_folders_is_no_ensemble(single, tmp_path):
    shutil.copytree(single, tmp_path / "all" / "a")
    shutil.copytree(single, tmp_path / "all" / "deep" / "b")
    with pytest.raises(UserError, match=r"neither a model nor an ensemble; .*: .*a, .*deep.b$"):
        find_models([tmp_path / "all"])


def test_a_model_counts_once(both):
    with pytest.raises(UserError, match=r"model_0 is named twice"):
        find_models([both, both / ".." / "both" / "model_0"])


def test_encode_takes_one(both):
    with pytest.raises(UserError, match=r"holds 2 models; choose one of .*model_0, .*model_1$"):
        find_model(both)
    assert find_model(both / "model_0").name == "model_0"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "[]",
        "{}",
        '{"folds": 0, "ensemble_size": 2}',
        '{"asked": 1, "configs": 2}',
        "[" * 999,
        '{"folds": 2000000000, "ensemble_size": 2000000000}',
        '{"folds": 1, "ensemble_size": "x"}',
    ],
    ids=lambda text: text[:20],
)
def test_damaged_plans(both, text):
    (both / "plan.json").write_text(text)
    with pytest.raises(UserError, match=r"plan\.json is damaged: .*; restore it, or choose"):
        find_models([both])


def test_members_of_different_tables(both):
    """Version 0.1.0 went on with an ensemble whose table had changed."""
    record = both / "model_1" / "started.json"
    record.write_text(json.dumps({"checksum": "another"}))
    for allow in (False, True):
        with pytest.raises(UserError, match=r"model_1 was trained on other data than .*model_0"):
            find_models([both], allow_unfinished=allow)
    assert names(find_models([both / "model_0", both / "model_1"])) == ["model_0", "model_1"]
    record.unlink()  # nothing is known of it
    assert names(find_models([both])) == ["model_0", "model_1"]
