"""Shares of atoms add up to the prediction."""

from pathlib import Path

import pytest
import torch

from ogeaug.data.convert import make_converter
from ogeaug.inference.contributions import node_contributions
from ogeaug.inference.predict import predict_texts
from ogeaug.model.file import load_model

MODELS = Path(__file__).parents[1] / "fixtures/models"
CASES = {
    "regression_oge_aug": ["regression_oge_aug"],
    "classification_rwse": ["classification_rwse"],
    "ensemble": ["ensemble_oge_aug/model_0", "ensemble_oge_aug/model_1"],
}


def parts(names, text="CCO"):
    models = [load_model(MODELS / name) for name in names]
    data = make_converter(models[0].config.features, 100)(text)
    return models, data, node_contributions(models, data)


@pytest.mark.parametrize("names", CASES.values(), ids=CASES)
def test_shares_and_rest_are_the_prediction(names):
    models, data, found = parts(names)
    with torch.no_grad():
        outputs = torch.stack([model(data)[0].double() for model in models]).mean(0)
    assert found.nodes.shape == (data.num_nodes, len(outputs))
    torch.testing.assert_close(found.nodes.sum(0) + found.rest, outputs, rtol=1e-5, atol=1e-6)


def test_the_rest_is_what_no_nodes_would_give():
    """The integral is exact but for its steps: the rest does not hide an error."""
    models, _, found = parts(CASES["regression_oge_aug"], "CN1C=NC2=C1C(=O)N(C(=O)N2C)C")
    head = models[0].head
    with torch.no_grad():
        nothing = head.scale(head.mlp(torch.zeros(1, head.mlp[0].in_features)))[0]
    torch.testing.assert_close(found.rest, nothing, rtol=0.02, atol=0.02)


def test_equal_atoms_have_equal_shares():
    _, _, found = parts(CASES["regression_oge_aug"], "c1ccccc1")
    torch.testing.assert_close(found.nodes, found.nodes[:1].expand(6, -1), rtol=1e-4, atol=1e-5)


def test_the_same_as_predict_says_for_regression():
    models, _, found = parts(CASES["ensemble"])
    values, notes = predict_texts(models, ["CCO"])
    assert notes == ["ok"]
    assert float(found.nodes.sum() + found.rest[0]) == pytest.approx(float(values[0, 0]), rel=1e-5)
