"""Rows (node, column): what a network sees that runs on every eigenvector, or on every node."""

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from ogeaug.ragged import ragged_arange
from ogeaug.spectrum.memory import check_room

KEPT = 6
"""Tensors of all rows that each layer keeps for the backward pass (two linear maps 4, three 6)."""
HALVES = (torch.float16, torch.bfloat16)
MATTERS = 2**30
"""Bytes from which we look whether they are there."""


@dataclass(frozen=True, eq=False)
class Rows:
    """One row for each node i and each column c of its graph, ordered by node, then column.

    Attributes:
        node: ``[R]`` the node of each row.
        column: ``[R]`` the column of each row, numbered through the batch.
        source, target: ``[M]`` the edges between rows of one column.
        edge: ``[M]`` the edge between nodes that each of them comes from.
        weight: ``[M, 1]`` their weights; None if all are 1.
    """

    node: Tensor
    column: Tensor
    source: Tensor
    target: Tensor
    edge: Tensor
    weight: Tensor | None

    def __len__(self) -> int:
        return len(self.node)

    @cached_property
    def adjacency(self) -> Tensor:
        """``[R, R]`` sparse and symmetric, where edges are undirected."""
        order = self.source.argsort(stable=True)
        ends = torch.bincount(self.source, minlength=len(self)).cumsum(0)  # [R]
        dtype = torch.get_default_dtype() if self.weight is None else self.weight.dtype
        values = torch.ones(len(order), dtype=dtype, device=order.device)
        if self.weight is not None:
            values = self.weight[order, 0]
        first = torch.cat([ends.new_zeros(1), ends])
        with warnings.catch_warnings():  # torch calls the layout a beta, for years
            warnings.filterwarnings("ignore", message="Sparse CSR")
            return torch.sparse_csr_tensor(
                first,
                self.target[order],
                values,
                (len(self), len(self)),
                device=values.device,
                check_invariants=False,  # they hold by construction
            )

    def sum_neighbours(self, h: Tensor) -> Tensor:
        r""":math:`\sum_j A_{ij} h_{jc}` by a sparse matrix: no message is stored.

        Where weights want a gradient, which the matrix has not, messages are stored; likewise in
        half precision on CPUs, where PyTorch has no such product.

        Shapes:
            - ``[R, h]`` -> ``[R, h]``
        """
        learned = self.weight is not None and self.weight.requires_grad
        if not learned and (h.dtype not in HALVES or h.device.type != "cpu"):
            return SymmetricProduct.apply(h, self.adjacency.to(h.dtype))
        message = h.index_select(0, self.source)  # [M, h]
        if self.weight is not None:
            message = message * self.weight
        return torch.zeros_like(h).index_add(0, self.target, message)


class SymmetricProduct(Function):
    """A symmetric sparse matrix without gradient, times rows: its own transpose in the backward
    pass, and so twice differentiable."""

    @staticmethod
    def forward(ctx: Any, h: Tensor, matrix: Tensor) -> Tensor:
        ctx.matrix = matrix
        return torch.sparse.mm(matrix, h)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return SymmetricProduct.apply(gradient.contiguous(), ctx.matrix), None


def check_rows(rows: Rows, h: Tensor, channels: int, num_layers: int) -> None:
    """Refuses a batch whose backward pass would not fit into memory: the system would end the
    process without a word."""
    needed = KEPT * num_layers * len(rows) * channels * h.element_size()
    if needed > MATTERS and h.device.type == "cpu" and torch.is_grad_enabled():
        check_room(
            f"{num_layers} layers of {channels} channels on {len(rows):,} rows (a node and an "
            "eigenvector, or two nodes, each)",
            needed,
            "take smaller batches (--batch-size), fewer channels or layers",
        )


def lay_out_rows(
    sizes: Tensor, columns: Tensor, edge_index: Tensor, weight: Tensor | None, dtype: torch.dtype
) -> Rows:
    """The rows of a batch.

    Args:
        sizes: Nodes of each graph.
        columns: Columns of each graph.
        edge_index: Undirected edges, each in both directions.
        weight: One weight per edge; 1 if absent.
        dtype: Of the weights.

    Shapes:
        - sizes ``[B]``, columns ``[B]``, edge_index ``[2, E]``, weight ``[E]`` -> R rows
    """
    device = edge_index.device
    sizes, columns = sizes.to(device), columns.to(device)
    per_node = columns.repeat_interleave(sizes)  # [N]
    first_column = (columns.cumsum(0) - columns).repeat_interleave(sizes)  # [N]
    first_row = per_node.cumsum(0) - per_node  # [N]
    node = torch.repeat_interleave(per_node)  # [R]
    column = first_column[node] + ragged_arange(per_node)
    count = per_node[edge_index[0]]  # [E]; both ends lie in one graph
    edge, step = torch.repeat_interleave(count), ragged_arange(count)  # [M]
    return Rows(
        node,
        column,
        first_row[edge_index[0]][edge] + step,
        first_row[edge_index[1]][edge] + step,
        edge,
        None if weight is None else weight.to(dtype)[edge].unsqueeze(-1),
    )
