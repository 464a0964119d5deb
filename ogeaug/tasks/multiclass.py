"""Multiclass: a graph is of one of several classes."""

from torch import Tensor

from ogeaug.task_names import TASK_FACTS
from ogeaug.tasks.graph_task import Figures, GraphTask
from ogeaug.tasks.labels import class_hits, class_loss, log_of


class Multiclass(GraphTask):
    """Classes 0, 1, 2, ... of one target; tables hold a probability per class.

    The loss is the cross-entropy, the main metric ``accuracy``, the part of graphs that is right;
    ``balanced_accuracy`` beside it is the mean over classes.

    Example:
        >>> import torch
        >>> from ogeaug.model.config import TaskConfig
        >>> task = Multiclass(TaskConfig(type="multiclass", num_classes=2, targets=["kind"]))
        >>> task.columns()
        ['kind=0', 'kind=1']
        >>> task.activate(task.deactivate(torch.tensor([[0.25, 0.75]])))
        tensor([[0.2500, 0.7500]])
    """

    facts = TASK_FACTS["multiclass"]
    main = "accuracy"

    def loss(
        self,
        predicted: Tensor,
        y: Tensor,
        *,
        std: Tensor | None = None,
        sizes: Tensor | None = None,
    ) -> Tensor:
        return class_loss(predicted, y.flatten())

    def metrics(self, predicted: Tensor, y: Tensor) -> Figures:
        plain, balanced = class_hits(predicted, y.flatten())
        return {"accuracy": plain, "balanced_accuracy": balanced}

    def activate(self, out: Tensor) -> Tensor:
        return out.softmax(1)

    def deactivate(self, shown: Tensor) -> Tensor:
        return log_of(shown)

    def columns(self) -> list[str]:
        return [f"{self.config.targets[0]}={c}" for c in range(self.config.out_channels)]

    def _label_count(self) -> int:
        return 1
