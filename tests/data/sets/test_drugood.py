"""DrugOOD's files: five parts, of which training reports four."""

import json

import pytest

from ogeaug.data import load_data
from ogeaug.data.config import DataConfig
from ogeaug.errors import UserError
from ogeaug.training import fit
from ogeaug.training.config import load_config
from tests.data.sets.published import DRUGOOD, write_drugood

PARTS = ("train", "val", "test", "test_iid_test", "test_iid_val")
SMALL = [
    *("training.epochs=1", "training.batch_size=3", "training.tensorboard=false"),
    *("backbone.layers=1", "backbone.channels=12"),
]


def load(folder, domain="assay"):
    return load_data(DataConfig(name=f"drugood_{domain}", path=str(folder)), progress=False)


@pytest.mark.parametrize("domain", ["assay", "scaffold", "size"])
def test_five_parts(tmp_path, domain):
    write_drugood(tmp_path, domain)
    found = load(tmp_path, domain)
    assert found.parts.names == PARTS
    sizes = {part: len(found.parts.part(part)) for part in PARTS}
    assert sizes == dict(zip(PARTS, (6, 4, 3, 2, 3), strict=True))
    # Molecules of a part have a length of their own.
    lengths = {"train": 3, "test_iid_val": 4, "test_iid_test": 5, "val": 6, "test": 7}
    for part, length in lengths.items():
        assert {data.num_nodes for data in found.parts.part(part)} == {length}
    assert found.task.type == "classification"
    assert list(found.statistics()) == list(PARTS)


def test_training_reports_each(tmp_path):
    write_drugood(tmp_path / "data")
    values = {"data.name": "drugood_assay", "data.path": str(tmp_path / "data")}
    config = load_config("drugood_oge", SMALL, values)
    assert config.split.column == "split"
    result = fit(config, tmp_path / "run", progress=False)
    assert list(result.metrics) == list(PARTS[1:])
    assert all("auroc" in figures for figures in result.metrics.values())
    assert result.rows == {"train": 6, "val": 4, "test": 3} | {
        "test_iid_test": 2,
        "test_iid_val": 3,
        "skipped": 0,
    }
    split = (tmp_path / "run" / "split.csv").read_text()
    assert split.count("test_iid_val") == 3


def change(folder, edit):
    path = folder / "lbap_core_ic50_assay.json"
    content = json.loads(path.read_text())
    edit(content)
    path.write_text(json.dumps(content))


def test_unreadable_molecules_are_listed(tmp_path):
    write_drugood(tmp_path)
    change(tmp_path, lambda content: content["split"]["iid_val"][0].update(smiles="C1CC"))
    found = load(tmp_path)
    assert [left.text for left in found.skipped] == ["C1CC"]
    assert len(found.parts.part("test_iid_val")) == DRUGOOD["iid_val"] - 1


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda c: c["split"].pop("ood_val"), "has no part ood_val"),
        (lambda c: c.pop("split"), "has no part train, ood_val, ood_test, iid_val, iid_test"),
        (lambda c: c["split"].update(train={}), "part train is a dict, not a list"),
        (lambda c: c["split"].update(ood_test=[]), "part ood_test is empty"),
        (lambda c: c["split"]["ood_test"][1].pop("smiles"), r"ood_test\[1\] is no record"),
        (lambda c: c["split"]["train"][0].pop("cls_label"), r"train\[0\] is no record"),
        (lambda c: c["split"]["train"][0].update(cls_label=10**400), r"train\[0\] is no record"),
        (
            lambda c: c["split"]["train"][0].update(cls_label=5),
            "2 classes .* Fetch the benchmark's own",
        ),
    ],
)
def test_bad_content_is_told(tmp_path, edit, message):
    write_drugood(tmp_path)
    change(tmp_path, edit)
    with pytest.raises(UserError, match=message):
        load(tmp_path)


def test_a_cut_off_file_is_told(tmp_path):
    path = write_drugood(tmp_path) / "lbap_core_ic50_assay.json"
    path.write_text(path.read_text()[:-9])
    with pytest.raises(UserError, match=r"is no JSON .*cut off"):
        load(tmp_path)
    path.write_text("[" * 100_000)
    with pytest.raises(UserError, match="is no JSON"):
        load(tmp_path)
