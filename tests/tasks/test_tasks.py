"""What holds for every task: names and facts agree, missing labels change nothing."""

import math
from pathlib import Path
from typing import get_args

import pytest
import torch

from ogeaug.model.config import HeadConfig, TaskConfig
from ogeaug.task_names import TASK_FACTS, TaskType
from ogeaug.tasks import TASKS, make_task

NAN = float("nan")
PAGE = Path(__file__).parents[2] / "docs/train.md"


def test_names_and_facts_agree():
    assert tuple(TASKS) == tuple(TASK_FACTS) == get_args(TaskType)
    for name, task in TASKS.items():
        assert task.facts is TASK_FACTS[name]
    for name in ("node_classification", "multiclass"):
        assert type(make_task(TaskConfig(type=name, num_classes=2))) is TASKS[name]


@pytest.mark.parametrize("name", TASKS)
def test_the_page_has_every_task(name):
    assert f"\n| `{name}` |" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TASKS)
def test_only_a_head_that_pools_looks_at_pooling(name):
    classes = 3 if TASK_FACTS[name].classes == "given" else None
    task = make_task(TaskConfig(type=name, num_classes=classes))
    head = task.make_head(4, HeadConfig(pooling="mean"))
    assert hasattr(head, "pooling") == task.facts.pools


WITHOUT_LABELS = [
    (TaskConfig(targets=["a", "b"]), (2, 2), torch.full((2, 2), NAN)),
    (TaskConfig(type="classification", targets=["a"]), (2, 1), torch.full((2, 1), NAN)),
    (TaskConfig(type="multiclass", num_classes=3), (2, 3), torch.full((2, 1), NAN)),
    (TaskConfig(type="node_classification", num_classes=3), (4, 3), torch.full((4,), -1)),
    (TaskConfig(type="link_ranking"), (4,), torch.full((4,), -1)),
]


def test_every_task_is_tried_without_labels():
    assert [config.type for config, _, _ in WITHOUT_LABELS] == list(TASKS)


@pytest.mark.parametrize(("config", "predicted", "y"), WITHOUT_LABELS)
def test_without_labels_nothing_is_trained_and_nothing_is_defined(config, predicted, y):
    task, out = make_task(config), torch.zeros(predicted, requires_grad=True)
    value = task.loss(out, y, std=torch.ones(2) if config.type == "regression" else None)
    value.backward()
    assert value == 0
    assert out.grad.eq(0).all()
    assert task.weight(y) == 0
    found = task.evaluate([(out.detach(), y, torch.zeros(1, 6))])
    assert {"loss", task.main} <= set(found)
    assert all(math.isnan(figure) for figure in found.values())
