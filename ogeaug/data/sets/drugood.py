"""``drugood_assay``, ``drugood_scaffold``, ``drugood_size``: which molecules bind, elsewhere."""

import json
from pathlib import Path
from typing import Any

from ogeaug.data.config import DataConfig
from ogeaug.data.sets.base import Rows, TableSet, thin_out
from ogeaug.data.sets.files import Layout
from ogeaug.errors import UserError

NAMES = {
    "train": "train",
    "ood_val": "val",
    "ood_test": "test",
    "iid_val": "test_iid_val",
    "iid_test": "test_iid_test",
}
"""DrugOOD's parts and ours: the best epoch is chosen by the validation part that is out of
distribution, and the model is measured on all four."""

PLACES = ("raw", "drugood", "DrugOOD")


class DrugOOD(TableSet):
    """DrugOOD's lbap_core_ic50 in one of its domains; a file that DrugOOD's curator writes."""

    task = "classification"
    targets = ("cls_label",)
    split_column = "split"

    def columns(self, data: DataConfig) -> list[str]:
        self.find(data)
        return ["smiles", *self.targets, "split"]

    def read(self, data: DataConfig) -> Rows:
        columns, found = self.columns(data), self.find(data)
        assert found is not None
        rows = thin_out(read_records(found.paths[0], self.targets[0]), data.limit)
        return Rows(columns, self.own_table(data, columns, rows))


class DrugOODAssay(DrugOOD):
    """Parts differ by assay."""

    name = "drugood_assay"
    layouts = (Layout(("lbap_core_ic50_assay.json",), PLACES),)


class DrugOODScaffold(DrugOOD):
    """Parts differ by scaffold."""

    name = "drugood_scaffold"
    layouts = (Layout(("lbap_core_ic50_scaffold.json",), PLACES),)


class DrugOODSize(DrugOOD):
    """Parts differ by size."""

    name = "drugood_size"
    layouts = (Layout(("lbap_core_ic50_size.json",), PLACES),)


def read_records(path: Path, label: str) -> list[list[str]]:
    """SMILES, label and part (by our name) of each record of the file.

    Args:
        path: The JSON file.
        label: The key of the label.
    """
    try:
        with path.open(encoding="utf-8") as file:
            content = json.load(file)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is no JSON ({error}); is it cut off? Fetch it again") from error
    parts = content.get("split") if isinstance(content, dict) else None
    absent = [name for name in NAMES if not isinstance(parts, dict) or name not in parts]
    if absent:
        raise UserError(
            f"{path} has no part {', '.join(absent)} under the key 'split'; DrugOOD's files have "
            f"{', '.join(NAMES)}"
        )
    assert isinstance(parts, dict)
    return [
        _cells(record, label, f"{path.name}, {name}[{i}]", ours)
        for name, ours in NAMES.items()
        for i, record in enumerate(_listed(parts[name], path, name))
    ]


def _listed(found: Any, path: Path, name: str) -> list[Any]:
    if not isinstance(found, list):
        raise UserError(f"{path}: part {name} is a {type(found).__name__}, not a list of records")
    if not found:
        raise UserError(f"{path}: part {name} is empty; fetch it again")
    return found


def _cells(record: Any, label: str, name: str, part: str) -> list[str]:
    fits = isinstance(record, dict) and isinstance(record.get("smiles"), str)
    value = record.get(label) if fits else None
    if not isinstance(value, int | float) or abs(value) > 1e300:  # beyond: no float holds it
        raise UserError(f"{name} is no record with the text smiles and the number {label}")
    return [record["smiles"], f"{value:g}", part]
