"""Classification: 0 or 1, a column per target."""

import math

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits
from torch_geometric.data import Data
from torchmetrics.functional.classification import binary_auroc

from ogeaug.task_names import TASK_FACTS
from ogeaug.tasks.base import Choice
from ogeaug.tasks.graph_task import Figures, GraphTask, masked_mean
from ogeaug.tasks.labels import known, log_of


class Classification(GraphTask):
    """Classes 0 and 1; the model gives logits, tables hold the probability of 1.

    The loss is the binary cross-entropy, the main metric ``auroc`` (mean over targets),
    ``accuracy`` beside it. AUROC is not defined where a part has one class only: if that is so of
    the validation part in every target, the best epoch is that of the lowest loss.

    Example:
        >>> from ogeaug.model.config import TaskConfig
        >>> task = Classification(TaskConfig(type="classification", targets=["active"]))
        >>> task.metrics(torch.tensor([[2.0], [1.0], [-1.0]]), torch.tensor([[1.0], [0.0], [0.0]]))
        {'auroc': 1.0, 'accuracy': 0.6666666666666666}
        >>> task.activate(torch.tensor([[0.0]]))
        tensor([[0.5000]])
    """

    facts = TASK_FACTS["classification"]
    main = "auroc"

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
        each = binary_cross_entropy_with_logits(
            predicted, torch.where(there, y, 0.0), reduction="none"
        )
        return masked_mean(each, there)

    def metrics(self, predicted: Tensor, y: Tensor) -> Figures:
        return self.by_target(predicted, y, _hits)

    def choice(self, graphs: list[Data]) -> Choice:
        y = torch.cat([data.y for data in graphs])
        defined = ((y == 0).any(0) & (y == 1).any(0)).any()
        return super().choice(graphs) if defined else Choice("loss", lower=True)

    def activate(self, out: Tensor) -> Tensor:
        return out.sigmoid()

    def deactivate(self, shown: Tensor) -> Tensor:
        return log_of(shown) - log_of(1 - shown)


def _hits(predicted: Tensor, y: Tensor) -> Figures:
    both = 0 < int(y.sum()) < y.numel()
    return {
        "auroc": float(binary_auroc(predicted, y.long())) if both else math.nan,
        "accuracy": float(((predicted > 0) == (y > 0.5)).double().mean()),
    }
