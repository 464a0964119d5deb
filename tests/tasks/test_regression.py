import math

import pytest
import torch

from ogeaug.model.config import TaskConfig
from ogeaug.tasks import Choice, make_task

NAN = float("nan")
TWO = TaskConfig(targets=["a", "b"])
Y = torch.tensor([[1.0, NAN], [2.0, 3.0], [7.0, -1.0]])
PREDICTED = torch.tensor([[2.0, 99.0], [2.0, 5.0], [4.0, -2.0]])


@pytest.mark.parametrize("loss", ["mse", "mae"])
def test_loss(loss):
    std, each = [1.0, 2.0], []
    for row, known in zip(PREDICTED.tolist(), Y.tolist(), strict=True):
        for t in range(2):
            if not math.isnan(known[t]):
                error = abs(row[t] - known[t]) / std[t]
                each.append(error if loss == "mae" else error**2)
    predicted = PREDICTED.clone().requires_grad_()
    value = make_task(TWO, loss).loss(predicted, Y, std=torch.tensor(std))
    assert value.item() == pytest.approx(sum(each) / 5)
    value.backward()
    assert predicted.grad[0, 1] == 0  # a missing label changes nothing
    assert predicted.grad.isfinite().all()


def test_metrics_by_target():
    y = torch.tensor([[1.0, NAN], [3.0, 4.0], [5.0, 6.0]])
    found = make_task(TWO).metrics(torch.tensor([[2.0, 0.0], [3.0, 4.0], [5.0, 8.0]]), y)
    assert found["mae.a"] == pytest.approx(1 / 3)
    assert found["mae.b"] == pytest.approx(1.0)
    assert found["mae"] == pytest.approx(2 / 3)
    assert found["rmse.a"] == pytest.approx(math.sqrt(1 / 3))
    assert found["rmse.b"] == pytest.approx(math.sqrt(4 / 2))
    assert found["r2.a"] == pytest.approx(1 - 1 / 8)
    assert found["r2.b"] == pytest.approx(-1.0)


@pytest.mark.parametrize(
    ("loss", "targets", "main"),
    [("mse", ["a"], "rmse"), ("mae", ["a"], "mae"), ("mae", ["a", "b"], "loss")],
)
def test_the_main_metric_is_that_of_the_loss(loss, targets, main):
    task = make_task(TaskConfig(targets=targets), loss)
    assert task.main == main
    assert task.choice([]) == Choice(main, lower=True)


def test_predictions_are_written_as_they_are():
    task = make_task(TWO)
    assert task.activate(PREDICTED) is task.deactivate(PREDICTED) is PREDICTED
    assert task.columns() == ["a", "b"]
    assert task.written == torch.float64
