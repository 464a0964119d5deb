import math

import pytest
import torch

from ogeaug.model.config import TaskConfig
from ogeaug.tasks import Choice, make_task
from tests.torture import tries

TASK = make_task(TaskConfig(type="node_classification", num_classes=4))


def by_loops(logits: list[list[float]], labels: list[int]) -> float:
    """As benchmarking-gnns: weight of a class = (nodes not in it) / nodes, 0 if it is not there."""
    there = [i for i, label in enumerate(labels) if label >= 0]
    weights = [0.0] * 4
    for c in range(4):
        size = sum(labels[i] == c for i in there)
        if size:
            weights[c] = (len(there) - size) / len(there)
    above = below = 0.0
    for i in there:
        entropy = math.log(sum(map(math.exp, logits[i]))) - logits[i][labels[i]]
        above += weights[labels[i]] * entropy
        below += weights[labels[i]]
    return above / below


def test_weights():
    y = torch.tensor([0, 0, 0, 2, -1, 1])
    assert TASK.class_weights(TASK.sizes(y)).tolist() == pytest.approx([0.4, 0.8, 0.8, 0.0])
    assert TASK.weight(y).item() == pytest.approx(3 * 0.4 + 0.8 + 0.8)


@pytest.mark.torture
def test_loss():
    for seed in range(tries(5, 200)):
        generator = torch.Generator().manual_seed(seed)
        logits = torch.randn(30, 4, generator=generator)
        y = torch.randint(-1, 3 + seed % 2, (30,), generator=generator)  # one may be absent
        value = TASK.loss(logits, y).item()
        assert value == pytest.approx(by_loops(logits.tolist(), y.tolist()), rel=1e-5)


def test_shares_of_a_batch_give_its_loss():
    """So that the number of processes changes nothing."""
    logits, y = torch.randn(12, 4), torch.tensor([0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, -1])
    sizes = TASK.sizes(y)
    above = below = 0.0
    for share in (slice(0, 5), slice(5, 12)):
        weight = TASK.weight(y[share], sizes)
        above += weight * TASK.loss(logits[share], y[share], sizes=sizes)
        below += weight
    assert (above / below).item() == pytest.approx(TASK.loss(logits, y).item(), rel=1e-5)


def test_one_class_has_the_plain_mean():
    logits, y = torch.randn(5, 4), torch.ones(5, dtype=torch.long)
    plain = torch.nn.functional.cross_entropy(logits, y)
    assert TASK.loss(logits, y).item() == pytest.approx(plain.item())


def test_accuracy_is_the_mean_over_classes():
    y = torch.tensor([0, 0, 0, 2, -1])
    found = TASK.metrics(torch.eye(4)[[0, 0, 1, 2, 3]], y)
    assert found == pytest.approx({"accuracy": (2 / 3 + 1) / 2, "plain_accuracy": 3 / 4})
    assert TASK.choice([]) == TASK.earlier_choice() == Choice("accuracy", lower=False)
