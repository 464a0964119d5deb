"""What a task is: head, labels, loss, metrics, the metric that decides, columns of predictions."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch_geometric.data import Batch, Data

from ogeaug.model.config import HeadConfig, TaskConfig
from ogeaug.task_names import TaskFacts
from ogeaug.tasks.labels import known

Outputs = tuple[Tensor, ...]
"""What the evaluation of a part needs of a batch: predictions, labels, ..., on the CPU."""


@dataclass(frozen=True)
class Choice:
    """What decides which epoch is the best, on the validation part.

    Attributes:
        metric: Its name, ``loss`` included.
        lower: Whether lower is better.
    """

    metric: str
    lower: bool


class Task(ABC):
    """All that depends on what is predicted; training, prediction and tables ask it.

    A model gives an output for each graph or node. :meth:`predictions` makes of it what is compared
    with :meth:`labels`, both for all labels of a batch.

    Args:
        config: Targets and number of classes.
        loss: ``training.loss``, for a task with several; a configuration that sets it for another
            one is refused by :func:`ogeaug.training.early.check_task_options`.

    Attributes:
        facts: What is known before torch is loaded.
        lower_is_better: The direction of the main metric.
        standardized: Whether labels are numbers with a unit, which the head leads back to.
        written: The precision in which predictions are written to tables.
    """

    facts: ClassVar[TaskFacts]
    lower_is_better: ClassVar[bool] = False
    standardized: ClassVar[bool] = False
    written: ClassVar[torch.dtype] = torch.float32

    def __init__(self, config: TaskConfig, *, loss: str = "mse") -> None:
        self.config, self.loss_name = config, loss

    # The model.

    @abstractmethod
    def make_head(self, channels: int, head: HeadConfig) -> nn.Module:
        """The head on node vectors of width ``channels``, with random weights."""

    def fit_head(self, head: nn.Module, graphs: list[Data]) -> None:
        """Sets what the head takes from the labels of the training part."""
        return  # most take nothing

    def std(self, head: nn.Module) -> Tensor | None:
        """What :meth:`loss` divides errors by; None if they have no unit."""
        return None

    # Labels.

    def labels(self, batch: Batch) -> Tensor:
        """The labels of a batch; which are there, :func:`known` tells."""
        y: Tensor = batch.y
        return y

    def predictions(self, out: Tensor, batch: Batch) -> Tensor:
        """What the model says about :meth:`labels`."""
        return out

    @abstractmethod
    def take_labels(self, data: Data, name: str) -> Data:
        """A graph with labels as :meth:`labels` has them; refuses others by ``name``."""

    @abstractmethod
    def labelled(self, graphs: list[Data]) -> Tensor:
        """Which targets have a label in any of the graphs: ``[targets]``, or ``[1]``."""

    # The loss.

    @abstractmethod
    def loss(
        self,
        predicted: Tensor,
        y: Tensor,
        *,
        std: Tensor | None = None,
        sizes: Tensor | None = None,
    ) -> Tensor:
        """The mean loss of the labels that are there; without any it is 0, and so is its gradient.

        Args:
            predicted: By :meth:`predictions`.
            y: By :meth:`labels`.
            std: By :meth:`std`.
            sizes: By :meth:`sizes`, if the labels are a share of those of a batch.
        """

    def sizes(self, y: Tensor) -> Tensor | None:
        """What the loss takes from all labels of a batch: a sum over them, or None."""
        return None

    def weight(self, y: Tensor, sizes: Tensor | None = None) -> Tensor:
        """What the loss was divided by: means of shares so weighted give the mean of a batch."""
        return known(y).sum()

    # The metrics.

    @property
    @abstractmethod
    def main(self) -> str:
        """The metric that decides: which epoch is kept, what tables and plots compare."""

    @abstractmethod
    def metrics(self, predicted: Tensor, y: Tensor) -> dict[str, float]:
        """The metrics of a whole part, NaN where they are not defined (one class only, say)."""

    def outputs(self, out: Tensor, batch: Batch) -> Outputs:
        """What :meth:`evaluate` needs of a batch."""
        return _plain(self.predictions(out, batch)), self.labels(batch).cpu()

    def evaluate(self, found: list[Outputs], *, std: Tensor | None = None) -> dict[str, float]:
        """Loss and metrics of a whole part, whatever its batches were."""
        predicted, y = (torch.cat([item[i] for item in found]) for i in (0, 1))
        scale = None if std is None else std.detach().cpu()
        there = bool(known(y).any())
        record = {"loss": float(self.loss(predicted, y, std=scale)) if there else math.nan}
        return record | self.metrics(predicted, y)

    def choice(self, graphs: list[Data]) -> Choice:
        """What decides on the best epoch, if these are the validation part.

        It is the main metric; the loss, where that is not defined on these graphs.
        """
        return Choice(self.main, self.lower_is_better)

    def earlier_choice(self) -> Choice:
        """What decides in runs that were begun when all were decided by the loss."""
        return Choice("loss", lower=True)

    # Predictions in tables.

    def keys(self) -> list[str]:
        """Columns that say what a line of predictions is about; none if there are no such lines."""
        return ["row"]

    def label_columns(self) -> list[str]:
        """Names of the labels."""
        return self.config.targets

    def label_lines(self, graphs: list[Data], rows: Sequence[int]) -> list[list[float]]:
        """Keys and labels, a line per prediction; ``rows`` are the numbers of the graphs."""
        return [[row, *data.y.flatten().tolist()] for row, data in zip(rows, graphs, strict=True)]

    def activate(self, out: Tensor) -> Tensor:
        """Outputs of a model as they are written to files: classes as probabilities."""
        return out

    def deactivate(self, shown: Tensor) -> Tensor:
        """What :meth:`activate` makes these of, for metrics of mean probabilities."""
        return shown

    def columns(self) -> list[str]:
        """Names of the outputs, a name per channel."""
        return self.config.targets


def _plain(predicted: Tensor) -> Tensor:
    """On the CPU, in a precision that can be averaged, which bfloat16 is not."""
    out = predicted.detach().cpu()
    return out if out.dtype == torch.float64 else out.float()
