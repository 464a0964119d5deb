"""Link ranking: which pairs of nodes are linked."""

import math
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits
from torch_geometric.data import Batch, Data

from ogeaug.errors import UserError
from ogeaug.model.config import HeadConfig
from ogeaug.task_names import TASK_FACTS
from ogeaug.tasks.base import Outputs, Task
from ogeaug.tasks.graph_task import masked_mean
from ogeaug.tasks.heads import LinkHead
from ogeaug.tasks.labels import known
from ogeaug.tasks.links import METRICS, link_metrics


class LinkRanking(Task):
    r"""Pairs of nodes, scored by the dot product of the vectors that the model gives.

    A graph has pairs ``edge_label_index [2, P]`` and ``edge_label [P]``, 1 for links and 0 for
    others. The loss is the binary cross-entropy of the scores of these pairs. The metrics are those
    of :func:`ogeaug.tasks.link_metrics`, of all pairs of nodes of a graph, and their means over
    graphs; the main one is ``mrr``. In version 0.1.0 ``mrr`` was a mean over links, each ranked
    among the pairs labelled 0 alone.
    """

    facts = TASK_FACTS["link_ranking"]
    main = "mrr"

    def make_head(self, channels: int, head: HeadConfig) -> nn.Module:
        return LinkHead(channels, layers=head.layers, dropout=head.dropout)

    def take_labels(self, data: Data, name: str) -> Data:
        pairs, label = data.get("edge_label_index"), data.get("edge_label")
        if pairs is None or label is None or tuple(pairs.shape) != (2, label.numel()):
            raise UserError(
                f"{name}: link ranking needs edge_label_index [2, P], the pairs, and edge_label "
                f"[P], 1 for links and 0 for others; got {data}"
            )
        return data

    def keys(self) -> list[str]:
        return []  # all pairs of nodes are too many to write down

    def labels(self, batch: Batch) -> Tensor:
        y: Tensor = batch.edge_label
        return y

    def labelled(self, graphs: list[Data]) -> Tensor:
        return torch.tensor([any(known(data.edge_label).any() for data in graphs)])

    def predictions(self, out: Tensor, batch: Batch) -> Tensor:
        first, second = batch.edge_label_index
        return (out.index_select(0, first) * out.index_select(0, second)).sum(1)  # [P]

    def loss(
        self,
        predicted: Tensor,
        y: Tensor,
        *,
        std: Tensor | None = None,
        sizes: Tensor | None = None,
    ) -> Tensor:
        there = known(y).reshape(predicted.shape)
        y = y.reshape(predicted.shape).to(predicted.dtype)
        each = binary_cross_entropy_with_logits(
            predicted, torch.where(there, y, 0.0), reduction="none"
        )
        return masked_mean(each, there)

    def outputs(self, out: Tensor, batch: Batch) -> Outputs:
        """Scores and labels of the labelled pairs, and the metrics of each graph ``[B, 6]``."""
        return *super().outputs(out, batch), rank_graphs(out.detach(), batch)

    def evaluate(self, found: list[Outputs], *, std: Tensor | None = None) -> dict[str, float]:
        record = super().evaluate(found)
        if math.isnan(record["loss"]):  # no label, so there is nothing to rank
            return record | dict.fromkeys(METRICS, math.nan)
        means = torch.cat([item[2] for item in found]).mean(0).tolist()
        return record | dict(zip(METRICS, means, strict=True))

    def metrics(self, predicted: Tensor, y: Tensor) -> dict[str, float]:
        """None: ranks need all pairs of nodes, see :meth:`outputs`."""
        return {}


def rank_graphs(vectors: Tensor, batch: Batch) -> Tensor:
    """The metrics of each graph, in the order of :data:`ogeaug.tasks.links.METRICS`.

    Shapes:
        - vectors ``[N, h]`` of B graphs -> ``[B, 6]``; NaN where vectors are not finite
    """
    pairs = batch.edge_label_index[:, batch.edge_label.flatten() > 0]
    owner = batch.batch[pairs[0]]
    rows = []
    for graph, (begin, end) in enumerate(pairwise(batch.ptr.tolist())):
        own = vectors[begin:end].double()
        scores = own @ own.T  # [n, n]
        if not scores.isfinite().all():
            rows.append([math.nan] * len(METRICS))
            continue
        found = link_metrics(scores, pairs[:, owner == graph] - begin)
        rows.append([found[name] for name in METRICS])
    return torch.tensor(rows, dtype=torch.float64)
