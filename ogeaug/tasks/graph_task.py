"""Tasks with labels of whole graphs: their head pools, and each target stands for itself."""

from collections.abc import Callable
from copy import copy

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.errors import UserError
from ogeaug.model.config import HeadConfig
from ogeaug.tasks.base import Task
from ogeaug.tasks.heads import GraphHead
from ogeaug.tasks.labels import check_classes, known

Figures = dict[str, float]


class GraphTask(Task):
    """A task whose labels are ``y [1, targets]`` of each graph, NaN where missing."""

    def make_head(self, channels: int, head: HeadConfig) -> nn.Module:
        return GraphHead(
            channels,
            self.config.out_channels,
            pooling=head.pooling,
            layers=head.layers,
            dropout=head.dropout,
            standardized=self.standardized,
        )

    def take_labels(self, data: Data, name: str) -> Data:
        wanted = self._label_count()
        found = data.y.numel() if isinstance(data.get("y"), Tensor) else 0
        if found != wanted:
            raise UserError(
                f"{name}: {self.config.type} needs y with {wanted} number(s), one per target; got "
                f"{data}"
            )
        if self.config.classes is not None:
            check_classes(data.y, self.config.classes, self.config.type, name)
        data = copy(data)
        data.y = data.y.reshape(1, -1).double()  # [1, targets]
        return data

    def labelled(self, graphs: list[Data]) -> Tensor:
        return known(torch.cat([data.y for data in graphs])).any(0)

    def _label_count(self) -> int:
        return max(1, len(self.config.targets))

    def by_target(
        self, predicted: Tensor, y: Tensor, measure: Callable[[Tensor, Tensor], Figures]
    ) -> Figures:
        """Means over targets of what is defined; of several, each also alone as ``rmse.name``.

        Shapes:
            - predicted ``[B, t]``, y ``[B, t]``
        """
        found: dict[str, Figures] = {}
        for i, name in enumerate(self.config.targets or [str(i) for i in range(y.size(1))]):
            there = known(y[:, i])
            found[name] = measure(predicted[there, i].double(), y[there, i].double())
        out: Figures = {}
        for key in next(iter(found.values())):
            values = torch.tensor([record[key] for record in found.values()], dtype=torch.float64)
            out[key] = float(values.nanmean())
        if len(found) > 1:
            out |= {f"{key}.{name}": v for name, rec in found.items() for key, v in rec.items()}
        return out


def masked_mean(each: Tensor, there: Tensor) -> Tensor:
    """The mean of the entries that are there; 0 if none is."""
    return (each * there).sum() / there.sum().clamp(min=1)
