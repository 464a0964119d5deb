import math

import pytest
import torch

from ogeaug.model.config import TaskConfig
from ogeaug.tasks import Choice, make_task

TASK = make_task(TaskConfig(type="multiclass", num_classes=3, targets=["kind"]))
Y = torch.tensor([[0.0], [0.0], [2.0], [float("nan")], [0.0]], dtype=torch.float64)
LOGITS = torch.tensor(
    [[2.0, 0.0, 1.0], [0.0, 3.0, 1.0], [0.5, 0.0, 1.0], [9.0, 9.0, 9.0], [4.0, 0.0, 0.0]]
)


def test_loss():
    each = []
    for row, label in zip(LOGITS.tolist(), Y.flatten().tolist(), strict=True):
        if not math.isnan(label):
            each.append(math.log(sum(map(math.exp, row))) - row[int(label)])
    assert TASK.loss(LOGITS, Y).item() == pytest.approx(sum(each) / 4)


def test_metrics():
    found = TASK.metrics(LOGITS, Y)
    assert found == pytest.approx({"accuracy": 3 / 4, "balanced_accuracy": (2 / 3 + 1) / 2})
    assert TASK.choice([]) == Choice("accuracy", lower=False)


def test_a_probability_per_class():
    shown = TASK.activate(LOGITS)
    assert torch.allclose(shown.sum(1), torch.ones(5))
    assert torch.allclose(TASK.activate(TASK.deactivate(shown)), shown)
    assert TASK.columns() == ["kind=0", "kind=1", "kind=2"]
