"""Labels: which are there, and which are classes."""

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from ogeaug.errors import UserError


def known(y: Tensor) -> Tensor:
    """Which labels are there: not NaN, or not negative if they are whole numbers.

    Example:
        >>> known(torch.tensor([1.0, float("nan")])), known(torch.tensor([-1, 2]))
        (tensor([ True, False]), tensor([False,  True]))
    """
    return ~y.isnan() if y.is_floating_point() else y >= 0


def check_classes(y: Tensor, classes: int, task: str, name: str) -> None:
    """Refuses labels that are no whole numbers from 0 to ``classes - 1``, missing ones aside."""
    there = y[known(y)]
    if not torch.isin(there, torch.arange(classes, device=y.device)).all():
        raise UserError(
            f"{name}: y holds {there.min():g} to {there.max():g}; {task} has the classes 0 to "
            f"{classes - 1}"
        )


def class_mean(hit: Tensor, y: Tensor) -> float:
    """The mean over classes of the part of each that was hit; NaN if there is no label.

    Shapes:
        - hit ``[N]``, y ``[N]`` classes

    Example:
        >>> class_mean(torch.tensor([1.0, 1.0, 0.0, 1.0]), torch.tensor([0, 0, 0, 2]))
        0.8333333333333333
    """
    each = [float(hit[y == c].double().mean()) for c in y.unique()]
    return float(torch.tensor(each, dtype=torch.float64).mean())


SMALLEST = 1e-30
"""A probability of 0 has no logarithm."""


def log_of(probability: Tensor) -> Tensor:
    """The logarithm, of 0 too."""
    return probability.clamp(min=SMALLEST).log()


def class_loss(predicted: Tensor, y: Tensor, weight: Tensor | None = None) -> Tensor:
    """The cross-entropy of the labels that are there; 0, with gradients, if there is none.

    Shapes:
        - predicted ``[n, classes]``, y ``[n]``, weight ``[classes]`` -> scalar
    """
    there = known(y)
    if not there.any():
        return predicted.float().sum() * 0  # its gradients are there, and are 0
    return cross_entropy(predicted[there].float(), y[there].long(), weight=weight)


def class_hits(predicted: Tensor, y: Tensor) -> tuple[float, float]:
    """Of the labels that are there, the part that is right, and its mean over classes.

    Shapes:
        - predicted ``[n, classes]``, y ``[n]``
    """
    there = known(y)
    y = y[there].long()
    hit = (predicted[there].argmax(1) == y).double()
    return float(hit.mean()), class_mean(hit, y)
