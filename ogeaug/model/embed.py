"""The first step of a model: categories or numbers on nodes and edges -> vectors."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch_geometric.data import Data


class ColumnEmbedding(nn.Module):
    r"""Sums one learned vector a category column, and a linear map of number columns.

    .. math:: h_i = b + \sum_c E_c[x_{ic}] \qquad \text{or} \qquad h_i = Q x_i + b

    Args:
        channels: Width h.
        sizes: Number of categories of each column of an integer input.
        in_channels: Width of a floating point input. Neither: a learned constant.

    Shapes:
        - ``[M, columns]`` (or None, with M given) -> ``[M, h]``
    """

    starts: Tensor
    counts: Tensor

    def __init__(
        self, channels: int, *, sizes: Sequence[int] = (), in_channels: int | None = None
    ) -> None:
        super().__init__()
        if sizes and in_channels:
            raise ValueError("give sizes (categories) or in_channels (numbers), not both")
        self.sizes, self.in_channels = tuple(sizes), in_channels
        if in_channels:
            self.linear = nn.Linear(in_channels, channels)
        else:
            # One table for all columns, looked up at once.
            self.table = nn.Embedding(max(1, sum(self.sizes)), channels)
            nn.init.normal_(self.table.weight, std=max(1, len(self.sizes)) ** -0.5)
            starts = torch.tensor([0, *self.sizes[:-1]], dtype=torch.long).cumsum(0)
            self.register_buffer("starts", starts, persistent=False)
            counts = torch.tensor(self.sizes, dtype=torch.long)
            self.register_buffer("counts", counts, persistent=False)

    def forward(self, values: Tensor | None, rows: int) -> Tensor:
        if self.in_channels:
            return self.linear(self._check(values, self.in_channels))
        if not self.sizes:
            return self.table.weight.expand(rows, -1)  # [M, h]
        values = self._check(values, len(self.sizes))
        return self.table(values + self.starts).sum(1)  # [M, h]

    def _check(self, values: Tensor | None, columns: int) -> Tensor:
        kind = "numbers" if self.in_channels else "categories"
        if values is None:
            raise ValueError(f"the model expects {columns} column(s) of {kind}, the data has none")
        if values.dim() == 1:
            values = values.unsqueeze(1)
        if values.size(1) != columns or values.is_floating_point() != bool(self.in_channels):
            raise ValueError(
                f"the model expects {columns} column(s) of {kind}, got {list(values.shape)} "
                f"{values.dtype}; was the data made with other features than the model?"
            )
        if self.sizes:
            # One table holds all columns: a category too large would be one of the next column.
            wrong = ((values < 0) | (values >= self.counts)).any(0)  # [columns]
            if wrong.any():
                at = int(wrong.int().argmax())
                raise ValueError(
                    f"column {at} holds categories {int(values[:, at].min())} to "
                    f"{int(values[:, at].max())}, the model knows 0 to {self.sizes[at] - 1}; are "
                    "features.node_sizes and edge_sizes right?"
                )
        return values

    def extra_repr(self) -> str:
        return f"sizes={self.sizes}, in_channels={self.in_channels}"


class Embed(nn.Module):
    """Embeds nodes and edges of a graph.

    Args:
        node: Embedding of ``data.x``.
        edge: Embedding of ``data.edge_attr``; None if the backbone takes no edge features.

    Shapes:
        - N nodes, E edges -> x ``[N, node channels]``, edge_attr ``[E, edge channels]`` or None
    """

    def __init__(self, node: ColumnEmbedding, edge: ColumnEmbedding | None) -> None:
        super().__init__()
        self.node, self.edge = node, edge

    def forward(self, data: Data) -> tuple[Tensor, Tensor | None]:
        x = self.node(data.x, data.num_nodes)
        if self.edge is None:
            return x, None
        return x, self.edge(data.edge_attr, data.num_edges)
