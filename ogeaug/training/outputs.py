"""What a model says, as people read it: probabilities of classes, and names of columns."""

import torch
from torch import Tensor

from ogeaug.data.table import unused_names
from ogeaug.model.config import TaskConfig

SMALLEST = 1e-30
"""A probability of 0 has no logarithm."""


def activate(task: TaskConfig, raw: Tensor) -> Tensor:
    """Outputs of a model as they are written to files: classes as probabilities.

    Shapes:
        - ``[B, channels]`` -> the same

    Example:
        >>> activate(TaskConfig(type="classification"), torch.tensor([[0.0]]))
        tensor([[0.5000]])
    """
    if task.type == "classification":
        return raw.sigmoid()
    return raw.softmax(1) if task.type == "multiclass" else raw


def deactivate(task: TaskConfig, shown: Tensor) -> Tensor:
    """Outputs that :func:`activate` makes these of, for losses and metrics of mean probabilities.

    Example:
        >>> task = TaskConfig(type="multiclass", num_classes=2)
        >>> activate(task, deactivate(task, torch.tensor([[0.25, 0.75]])))
        tensor([[0.2500, 0.7500]])
    """
    if task.type == "classification":
        return shown.clamp(min=SMALLEST).log() - (1 - shown).clamp(min=SMALLEST).log()
    return shown.clamp(min=SMALLEST).log() if task.type == "multiclass" else shown


def output_columns(task: TaskConfig, *, spread: bool = False) -> list[str]:
    """Columns of predictions, each followed by the spread over several models if asked for.

    Example:
        >>> output_columns(TaskConfig(targets=["a", "b"]), spread=True)
        ['pred_a', 'spread_a', 'pred_b', 'spread_b']
    """
    names = task.targets
    if task.type == "multiclass":
        names = [f"{names[0]}={c}" for c in range(task.out_channels)]
    kinds = ("pred", "spread") if spread else ("pred",)
    return [f"{kind}_{name}" for name in names for kind in kinds]


def labelled_columns(task: TaskConfig, *, spread: bool = False) -> list[str]:
    """Columns of test_predictions.csv: row, labels, predictions, each with a name of its own.

    Example:
        >>> labelled_columns(TaskConfig(targets=["y", "pred_y"]))
        ['row', 'y', 'pred_y', 'pred_y_', 'pred_pred_y']
    """
    return unused_names(["row", *task.targets, *output_columns(task, spread=spread)], [])


def mean_and_spread(each: Tensor) -> Tensor:
    """The mean over models, and the standard deviation if there are several.

    Shapes:
        - ``[M, B, t]`` -> ``[B, t]``, or ``[B, 2 t]`` in the order of :func:`output_columns`
    """
    columns = [each.mean(0)] + ([each.std(0)] if len(each) > 1 else [])
    return torch.stack(columns, 2).flatten(1)
