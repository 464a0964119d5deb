"""Model folders of version 0.1.0 load, and predict what they predicted when they were written."""

import csv
from pathlib import Path

import pytest
import torch

from ogeaug import load_model
from ogeaug.inference.find_models import find_models
from ogeaug.inference.predict import predict_table, predict_texts

FOLDERS = sorted((Path(__file__).parents[1] / "fixtures" / "models").iterdir())


def expected(folder: Path) -> tuple[list[str], list[str], torch.Tensor]:
    with (folder / "expected.csv").open() as file:
        header, *rows = csv.reader(file)
    values = torch.tensor([[float(cell) for cell in row[1:]] for row in rows], dtype=torch.float64)
    return header[1:], [row[0] for row in rows], values


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_old_folders_predict_what_they_did(folder):
    _, smiles, wanted = expected(folder)
    models = [load_model(path).double() for path in find_models([folder])]
    torch.set_default_dtype(torch.float64)  # of the table of predictions
    try:
        found, notes = predict_texts(models, smiles)
    finally:
        torch.set_default_dtype(torch.float32)
    assert set(notes) == {"ok"}
    assert (found - wanted).abs().max() < 1e-6
    mirrored = [smiles.index(text) for text in ("C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O")]
    assert abs(found[mirrored[0], 0] - found[mirrored[1], 0]) > 1e-3


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_old_folders_by_the_command(folder, tmp_path):
    columns, _, wanted = expected(folder)
    predict_table(folder / "expected.csv", [folder], tmp_path / "p.csv", progress=False)
    with (tmp_path / "p.csv").open() as file:
        header, *rows = csv.reader(file)
    assert header[-1] == "status"
    # The columns of the input have these names, so the new ones have an underscore more.
    assert header[-1 - len(columns) : -1] == [f"{name}_" for name in columns]
    found = [[float(cell) for cell in row[-1 - len(columns) : -1]] for row in rows]
    assert torch.tensor(found).double().sub(wanted).abs().max() < 1e-5


def test_there_is_one_of_each_kind():
    assert [folder.name for folder in FOLDERS] == [
        "classification_rwse",
        "ensemble_oge_aug",
        "multiclass_oge_aug",
        "regression_oge_aug",
    ]
