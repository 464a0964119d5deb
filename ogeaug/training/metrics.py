"""Losses and metrics by task, with missing labels masked."""

import math
import statistics

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy
from torchmetrics.functional.classification import binary_auroc

from ogeaug.model.config import TaskConfig

MAIN = {
    "regression": "rmse",
    "classification": "auroc",
    "multiclass": "accuracy",
    "node_classification": "accuracy",
    "link_ranking": "mrr",
}
"""The metric of each task that progress bars and tables show."""


def loss(task: TaskConfig, predicted: Tensor, y: Tensor, std: Tensor | None, kind: str) -> Tensor:
    """The training loss; regression targets are divided by ``std``. Without any label it is 0.

    Shapes:
        - regression and classification: predicted ``[B, t]``, y ``[B, t]`` with NaN where missing
        - multiclass ``[B, c]``, y ``[B, 1]``; node classification ``[N, c]``, y ``[N]``
        - link ranking ``[P, 1]``, y ``[P]``
    """
    if task.type in ("multiclass", "node_classification"):
        y = y.flatten()
        there = known(y)
        if not there.any():
            return predicted.float().sum() * 0  # its gradients are there, and are 0
        return cross_entropy(predicted[there].float(), y[there].long())
    y = y.reshape(predicted.shape).to(predicted.dtype)
    there = known(y)
    difference = torch.where(there, predicted - y, 0.0)
    if task.type == "regression":
        assert std is not None
        difference = difference / std
        each = difference.abs() if kind == "mae" else difference.square()
    else:
        labels = torch.where(there, y, 0.0)
        each = binary_cross_entropy_with_logits(predicted, labels, reduction="none")
    return (each * there).sum() / there.sum().clamp(min=1)


def known(y: Tensor) -> Tensor:
    """Which labels are there: not NaN, or not negative if they are whole numbers.

    Example:
        >>> known(torch.tensor([1.0, float("nan")])), known(torch.tensor([-1, 2]))
        (tensor([ True, False]), tensor([False,  True]))
    """
    return ~y.isnan() if y.is_floating_point() else y >= 0


def metrics(task: TaskConfig, predicted: Tensor, y: Tensor) -> dict[str, float]:
    """The metrics of a whole part, NaN where they are not defined (one class only, say).

    Several targets are averaged; with more than one, each also stands alone as ``rmse.name``.
    """
    if task.type == "regression":
        return _by_target(task, predicted, y, _regression)
    if task.type == "classification":
        return _by_target(task, predicted, y, _classification)
    if task.type == "link_ranking":
        raise ValueError("ranks need the pairs: use mean_reciprocal_rank")
    y = y.flatten()
    there = known(y)
    return _classes(predicted[there], y[there].long())


def mean_and_std(values: list[float]) -> tuple[float, float]:
    """Mean and standard deviation of what is defined; NaN if that is too little.

    Example:
        >>> mean_and_std([1.0, 3.0, float("nan")])
        (2.0, 1.4142135623730951)
        >>> mean_and_std([1.0])
        (1.0, nan)
    """
    defined = [value for value in values if not math.isnan(value)]
    mean = statistics.fmean(defined) if defined else math.nan
    return mean, statistics.stdev(defined) if len(defined) > 1 else math.nan


def mean_reciprocal_rank(scores: Tensor, label: Tensor, source: Tensor) -> float:
    """Of each link, 1 / its rank among the non-links of the same first node; ties count half.

    Shapes:
        - scores ``[P]``, label ``[P]`` (1 link, 0 none), source ``[P]`` first node of each pair

    Example:
        >>> one = torch.ones(3, dtype=torch.long)
        >>> mean_reciprocal_rank(torch.tensor([0.2, 0.9, 0.1]), torch.tensor([1, 0, 0]), one)
        0.5
    """
    links = (label > 0).nonzero().flatten()
    if links.numel() == 0:
        return float("nan")
    ranks = []
    for i in links.tolist():
        others = scores[(source == source[i]) & (label == 0)]
        above = (others > scores[i]).sum() + 0.5 * (others == scores[i]).sum()
        ranks.append(1 / (1 + float(above)))
    return sum(ranks) / len(ranks)


def _regression(predicted: Tensor, y: Tensor) -> dict[str, float]:
    error = predicted - y
    spread = (y - y.mean()).square().sum()
    return {
        "rmse": float(error.square().mean().sqrt()),
        "mae": float(error.abs().mean()),
        "r2": float(1 - error.square().sum() / spread) if spread > 0 else float("nan"),
    }


def _classification(predicted: Tensor, y: Tensor) -> dict[str, float]:
    both = 0 < int(y.sum()) < y.numel()
    return {
        "auroc": float(binary_auroc(predicted, y.long())) if both else float("nan"),
        "accuracy": float(((predicted > 0) == (y > 0.5)).double().mean()),
    }


def _classes(predicted: Tensor, y: Tensor) -> dict[str, float]:
    hit = (predicted.argmax(1) == y).double()
    each = [float(hit[y == c].mean()) for c in y.unique()]
    balanced = torch.tensor(each, dtype=torch.float64).mean()  # NaN if there is no label
    return {"accuracy": float(hit.mean()), "balanced_accuracy": float(balanced)}


def _by_target(task, predicted, y, function):  # type: ignore[no-untyped-def]
    found: dict[str, dict[str, float]] = {}
    for i, name in enumerate(task.targets or [str(i) for i in range(y.size(1))]):
        there = known(y[:, i])
        found[name] = function(predicted[there, i].double(), y[there, i].double())
    out: dict[str, float] = {}
    for key in next(iter(found.values())):
        values = torch.tensor([record[key] for record in found.values()], dtype=torch.float64)
        out[key] = float(values.nanmean())
    if len(found) > 1:
        out |= {f"{key}.{name}": v for name, record in found.items() for key, v in record.items()}
    return out
