"""Regression: numbers with units, a column per target."""

import math

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.task_names import TASK_FACTS
from ogeaug.tasks.graph_task import Figures, GraphTask, masked_mean
from ogeaug.tasks.labels import known


class Regression(GraphTask):
    r"""Numbers, standardised in training: the loss is the mean of :math:`((\hat y - y) / \sigma)^2`
    (``mse``) or :math:`|\hat y - y| / \sigma` (``mae``), with the deviation of the training part.

    The metrics ``rmse``, ``mae`` and ``r2`` are in the units of the targets. The main one is that
    of the loss, ``mae`` or ``rmse``; with several targets it is the loss itself, since the mean of
    their errors would be that of the target with the largest numbers.

    Example:
        >>> from ogeaug.model.config import TaskConfig
        >>> task = Regression(TaskConfig(targets=["logS"]), loss="mae")
        >>> task.main, task.lower_is_better
        ('mae', True)
        >>> y = torch.tensor([[1.0], [float("nan")]])
        >>> task.loss(torch.tensor([[4.0], [0.0]]), y, std=torch.tensor([2.0]))
        tensor(1.5000)
    """

    facts = TASK_FACTS["regression"]
    lower_is_better = True
    written = torch.float64
    standardized = True

    @property
    def main(self) -> str:
        if len(self.config.targets) > 1:
            return "loss"
        return "mae" if self.loss_name == "mae" else "rmse"

    def fit_head(self, head: nn.Module, graphs: list[Data]) -> None:
        head.scale.fit(torch.cat([data.y for data in graphs]))  # type: ignore[union-attr, operator]

    def std(self, head: nn.Module) -> Tensor | None:
        return head.scale.std  # type: ignore[return-value]

    def loss(
        self,
        predicted: Tensor,
        y: Tensor,
        *,
        std: Tensor | None = None,
        sizes: Tensor | None = None,
    ) -> Tensor:
        y = y.reshape(predicted.shape).to(predicted.dtype)
        there = known(y)
        error = torch.where(there, predicted - y, 0.0)
        if std is not None:
            error = error / std
        each = error.abs() if self.loss_name == "mae" else error.square()
        return masked_mean(each, there)

    def metrics(self, predicted: Tensor, y: Tensor) -> Figures:
        return self.by_target(predicted, y, _errors)


def _errors(predicted: Tensor, y: Tensor) -> Figures:
    error = predicted - y
    spread = (y - y.mean()).square().sum()
    return {
        "rmse": float(error.square().mean().sqrt()),
        "mae": float(error.abs().mean()),
        "r2": float(1 - error.square().sum() / spread) if spread > 0 else math.nan,
    }
