"""Node classification: each node is of one of several classes."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.errors import UserError
from ogeaug.model.config import HeadConfig
from ogeaug.task_names import TASK_FACTS
from ogeaug.tasks.base import Choice, Task
from ogeaug.tasks.heads import NodeHead
from ogeaug.tasks.labels import check_classes, class_hits, class_loss, known, log_of


class NodeClassification(Task):
    r"""Classes of nodes, ``y [n]`` of each graph; NaN, or a negative whole number, is missing.

    The loss is the cross-entropy with the weights of PATTERN and CLUSTER in benchmarking-gnns,

    .. math:: \frac{\sum_i w_{y_i} \ell_i}{\sum_i w_{y_i}}, \qquad w_c = \frac{n - n_c}{n},

    with the :math:`n_c` nodes of class c among the n labelled nodes of the batch (of the whole
    part, in evaluation); a class that is not there has weight 0. A batch of one class only, whose
    weights would all be 0, has the plain mean. The loss of version 0.1.0 was always the plain mean.

    The main metric ``accuracy`` is the mean over classes of the part of each that is right, as the
    same benchmarks have it, and ``plain_accuracy`` the part of all nodes. In version 0.1.0 they
    were ``balanced_accuracy`` and ``accuracy``.

    Example:
        >>> from ogeaug.model.config import TaskConfig
        >>> task = NodeClassification(TaskConfig(type="node_classification", num_classes=3))
        >>> y = torch.tensor([0, 0, 0, 2])
        >>> task.class_weights(task.sizes(y))
        tensor([0.2500, 0.0000, 0.7500])
        >>> task.metrics(torch.eye(3)[[0, 0, 1, 2]], y)
        {'accuracy': 0.8333333333333333, 'plain_accuracy': 0.75}
    """

    facts = TASK_FACTS["node_classification"]
    main = "accuracy"

    def make_head(self, channels: int, head: HeadConfig) -> nn.Module:
        return NodeHead(
            channels, self.config.out_channels, layers=head.layers, dropout=head.dropout
        )

    def take_labels(self, data: Data, name: str) -> Data:
        found = 0 if data.get("y") is None else data.y.numel()
        if found != data.num_nodes:
            raise UserError(
                f"{name}: {self.config.type} needs y with {data.num_nodes} number(s), one per "
                f"node; got {data}"
            )
        check_classes(data.y, self.config.out_channels, self.config.type, name)
        return data

    def labelled(self, graphs: list[Data]) -> Tensor:
        return known(torch.cat([data.y.flatten() for data in graphs])).any().reshape(1)

    def loss(
        self,
        predicted: Tensor,
        y: Tensor,
        *,
        std: Tensor | None = None,
        sizes: Tensor | None = None,
    ) -> Tensor:
        y = y.flatten()
        return class_loss(
            predicted, y, self.class_weights(self.sizes(y) if sizes is None else sizes)
        )

    def sizes(self, y: Tensor) -> Tensor:
        """How many nodes each class has: ``[classes]``."""
        return y[known(y)].flatten().long().bincount(minlength=self.config.out_channels)

    def weight(self, y: Tensor, sizes: Tensor | None = None) -> Tensor:
        there = self.sizes(y)
        return (self.class_weights(there if sizes is None else sizes) * there).sum()

    def class_weights(self, sizes: Tensor) -> Tensor:
        """The weight of each class in the loss: ``[classes]`` -> ``[classes]``."""
        if (sizes > 0).sum() < 2:
            return torch.ones_like(sizes, dtype=torch.float32)
        return torch.where(sizes > 0, 1 - sizes / sizes.sum(), 0.0).float()

    def metrics(self, predicted: Tensor, y: Tensor) -> dict[str, float]:
        plain, balanced = class_hits(predicted, y.flatten())
        return {"accuracy": balanced, "plain_accuracy": plain}

    def earlier_choice(self) -> Choice:
        # The loss was another, whose values are no measure for those of today.
        return Choice(self.main, self.lower_is_better)

    def keys(self) -> list[str]:
        return ["graph", "node"]

    def label_columns(self) -> list[str]:
        return ["class"]

    def label_lines(self, graphs: list[Data], rows: Sequence[int]) -> list[list[float]]:
        return [
            [graph, node, label]
            for graph, data in zip(rows, graphs, strict=True)
            for node, label in enumerate(
                torch.where(known(data.y), data.y.double(), math.nan).flatten().tolist()
            )
        ]

    def activate(self, out: Tensor) -> Tensor:
        return out.softmax(1)

    def deactivate(self, shown: Tensor) -> Tensor:
        return log_of(shown)

    def columns(self) -> list[str]:
        return [f"class={c}" for c in range(self.config.out_channels)]
