import math

import pytest
import torch

from ogeaug.model.config import TaskConfig
from ogeaug.training.evaluation import evaluate
from ogeaug.training.metrics import loss, mean_reciprocal_rank, metrics

NAN = float("nan")
TWO = TaskConfig(targets=["a", "b"])


def test_missing_labels_change_nothing():
    y = torch.tensor([[1.0, NAN], [2.0, 3.0]])
    predicted = torch.tensor([[2.0, 99.0], [2.0, 5.0]], requires_grad=True)
    value = loss(TWO, predicted, y, torch.tensor([1.0, 2.0]), "mse")
    assert value.item() == pytest.approx((1 + 0 + 1) / 3)
    value.backward()
    assert predicted.grad[0, 1] == 0
    assert predicted.grad.isfinite().all()


def test_regression_by_target():
    y = torch.tensor([[1.0, NAN], [3.0, 4.0], [5.0, 6.0]])
    predicted = torch.tensor([[2.0, 0.0], [3.0, 4.0], [5.0, 8.0]])
    found = metrics(TWO, predicted, y)
    assert found["mae.a"] == pytest.approx(1 / 3)
    assert found["mae.b"] == pytest.approx(1.0)
    assert found["mae"] == pytest.approx(2 / 3)
    assert found["r2.b"] == pytest.approx(-1.0)


def test_one_class_has_no_auroc_but_a_loss():
    task = TaskConfig(type="classification", targets=["a", "b"])
    y = torch.tensor([[1.0, 0.0], [1.0, 1.0]])
    predicted = torch.tensor([[2.0, -1.0], [1.0, 3.0]])
    found = metrics(task, predicted, y)
    assert math.isnan(found["auroc.a"])
    assert found["auroc"] == found["auroc.b"] == 1.0
    assert loss(task, predicted, y, None, "mse").isfinite()


def test_classes():
    task = TaskConfig(type="node_classification", num_classes=3)
    y = torch.tensor([0, 0, 0, 2])
    predicted = torch.eye(3)[[0, 0, 1, 2]]
    found = metrics(task, predicted, y)
    assert found["accuracy"] == pytest.approx(3 / 4)
    assert found["balanced_accuracy"] == pytest.approx((2 / 3 + 1) / 2)


def test_reciprocal_rank_compares_within_a_source():
    scores = torch.tensor([0.5, 0.9, 0.7, 0.1, 0.8])
    label = torch.tensor([1, 0, 0, 1, 0])
    source = torch.tensor([0, 0, 0, 1, 2])
    assert mean_reciprocal_rank(scores, label, source) == pytest.approx((1 / 3 + 1) / 2)


@pytest.mark.parametrize(
    ("task", "predicted", "y", "keys"),
    [
        (TWO, torch.zeros(2, 2), torch.full((2, 2), NAN), {"rmse", "mae", "r2", "rmse.a", "r2.b"}),
        (
            TaskConfig(type="classification", targets=["a"]),
            torch.zeros(2, 1),
            torch.full((2, 1), NAN),
            {"auroc", "accuracy"},
        ),
        (
            TaskConfig(type="multiclass", num_classes=3, targets=["a"]),
            torch.zeros(2, 3),
            torch.full((2, 1), NAN),
            {"accuracy", "balanced_accuracy"},
        ),
        (
            TaskConfig(type="node_classification", num_classes=3),
            torch.zeros(4, 3),
            torch.full((4,), -1),
            {"accuracy", "balanced_accuracy"},
        ),
    ],
)
def test_a_part_without_labels_has_metrics_that_are_not_defined(task, predicted, y, keys):
    found = evaluate(task, [(predicted, y)], torch.ones(2), "mse")
    assert keys | {"loss"} <= set(found)
    assert all(math.isnan(value) for value in found.values())
    predicted = predicted.clone().requires_grad_()
    value = loss(task, predicted, y, torch.ones(2), "mse")  # a batch without labels trains nothing
    value.backward()
    assert value == 0
    assert predicted.grad.eq(0).all()
