import math

import pytest
import torch
from torch_geometric.data import Data

from ogeaug.model.config import TaskConfig
from ogeaug.tasks import Choice, make_task

NAN = float("nan")
TASK = make_task(TaskConfig(type="classification", targets=["a", "b"]))
Y = torch.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, NAN], [NAN, 0.0]])
LOGITS = torch.tensor([[2.0, -1.0], [1.0, 3.0], [-0.5, 7.0], [0.0, 4.0]])


def test_loss():
    each = []
    for row, known in zip(LOGITS.tolist(), Y.tolist(), strict=True):
        for logit, label in zip(row, known, strict=True):
            if not math.isnan(label):
                chance = 1 / (1 + math.exp(-logit))
                each.append(-math.log(chance if label else 1 - chance))
    assert TASK.loss(LOGITS, Y).item() == pytest.approx(sum(each) / 6)


def test_auroc_is_the_part_of_pairs_in_order():
    found = TASK.metrics(LOGITS, Y)
    assert math.isnan(found["auroc.a"])  # one class only
    assert found["auroc.b"] == found["auroc"] == 0.5  # 3 is above -1, not above 4
    assert found["accuracy.a"] == pytest.approx(2 / 3)
    assert found["accuracy.b"] == pytest.approx(2 / 3)


def test_the_loss_decides_where_auroc_is_not_defined():
    graphs = [Data(y=row.reshape(1, 2)) for row in Y]
    assert TASK.choice(graphs) == Choice("auroc", lower=False)
    assert TASK.choice(graphs[1:3]) == Choice("loss", lower=True)
    assert TASK.choice([graphs[0], graphs[3]]) == Choice("loss", lower=True)


def test_probabilities():
    shown = TASK.activate(LOGITS)
    assert shown[0, 0] == pytest.approx(1 / (1 + math.exp(-2)))
    assert torch.allclose(TASK.deactivate(shown), LOGITS, atol=1e-4)
    assert TASK.deactivate(torch.tensor([0.0, 1.0])).isfinite().all()
