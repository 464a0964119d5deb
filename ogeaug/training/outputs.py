"""Columns of tables of predictions, with the spread over several models."""

import torch
from torch import Tensor

from ogeaug.data.columns import unused_names
from ogeaug.tasks import Task


def output_columns(task: Task, *, spread: bool = False) -> list[str]:
    """Columns of predictions, each followed by the spread over several models if asked for.

    Example:
        >>> from ogeaug.model.config import TaskConfig
        >>> from ogeaug.tasks import make_task
        >>> output_columns(make_task(TaskConfig(targets=["a", "b"])), spread=True)
        ['pred_a', 'spread_a', 'pred_b', 'spread_b']
    """
    kinds = ("pred", "spread") if spread else ("pred",)
    return [f"{kind}_{name}" for name in task.columns() for kind in kinds]


def labelled_columns(task: Task, *, spread: bool = False) -> list[str]:
    """Columns of test_predictions.csv: keys, labels, predictions, each with a name of its own.

    Example:
        >>> from ogeaug.model.config import TaskConfig
        >>> from ogeaug.tasks import make_task
        >>> labelled_columns(make_task(TaskConfig(targets=["y", "pred_y"])))
        ['row', 'y', 'pred_y', 'pred_y_', 'pred_pred_y']
    """
    names = [*task.keys(), *task.label_columns(), *output_columns(task, spread=spread)]
    return unused_names(names, [])


def mean_and_spread(each: Tensor) -> Tensor:
    """The mean over models, and the standard deviation if there are several.

    Shapes:
        - ``[M, B, t]`` -> ``[B, t]``, or ``[B, 2 t]`` in the order of :func:`output_columns`
    """
    columns = [each.mean(0)] + ([each.std(0)] if len(each) > 1 else [])
    return torch.stack(columns, 2).flatten(1)
