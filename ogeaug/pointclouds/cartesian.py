"""Cartesian tensors on a point cloud: the paper's choice of f."""

import torch
from torch import Tensor, nn

from ogeaug.pointclouds.base import PointCloud
from ogeaug.tensors.blocks.layout import Block, BlockLayout, start_blocks
from ogeaug.tensors.blocks.message import BlockMessageLayer
from ogeaug.tensors.blocks.product import BlockProductLayer
from ogeaug.tensors.rows.records import Messages


class CartesianCloud(PointCloud):
    r"""Tensors of order 0 to 1, 2 or 3 at each point, multiplied and exchanged in turn.

    .. math:: W^{(1)}_i = x_i q_1, \qquad W^{(2)}_i = x_i x_i^T q_2, \qquad
        W^{(3)}_i = x_i \otimes x_i \otimes x_i \, q_3

    then product and message layers (:class:`~ogeaug.tensors.blocks.product.BlockProductLayer`,
    :class:`~ogeaug.tensors.blocks.message.BlockMessageLayer`) between all points, with weight
    :math:`\langle x_i, x_j \rangle`.

    Universal: as the order goes to p; not at a fixed order. Cost: :math:`O(n p c)` at order 1,
    :math:`O(n p^3 c)` at order 2, :math:`O(n p^4 c)` at order 3, plus
    :math:`O(n^2 p^\text{order} c)` for the messages.

    Args:
        channels: Width c.
        order: 1, 2 (the paper's choice) or 3.
        num_layers: Pairs of product and message layer.

    Shapes:
        - points ``[n, p]`` -> ``[n, c]``

    Example:
        >>> CartesianCloud(8)(torch.randn(5, 3)).shape
        torch.Size([5, 8])
    """

    def __init__(self, channels: int, *, order: int = 2, num_layers: int = 2) -> None:
        super().__init__(channels)
        if order not in (1, 2, 3):
            raise ValueError(f"order {order} is not supported; choose 1, 2 or 3")
        if num_layers < 1:
            raise ValueError(f"num_layers must be at least 1, got {num_layers}")
        self.order, self.num_layers = order, num_layers
        self.constant0 = nn.Parameter(torch.randn(channels))
        self.q = nn.ParameterList(nn.Parameter(torch.randn(channels)) for _ in range(order))
        last = num_layers - 1
        self.products = nn.ModuleList(
            BlockProductLayer(channels, order, final=i == last) for i in range(num_layers)
        )
        self.messages = nn.ModuleList(
            BlockMessageLayer(channels, order, final=i == last) for i in range(num_layers)
        )

    def forward(self, points: Tensor) -> Tensor:
        n, p = points.shape
        layout = _complete(points)
        q1, *higher = self.q
        w0 = self.constant0.expand(n, -1)  # [n, c]
        ones = points.new_ones(p)
        w = start_blocks(w0, points.flatten(), ones, q1.expand(p, -1), tuple(higher), layout)
        for product, message in zip(self.products, self.messages, strict=True):
            w = product(w, layout)
            w = message(w, layout)  # the tensors before the product are free by now
        return w.w0

    def extra_repr(self) -> str:
        return f"{self.channels}, order={self.order}, num_layers={self.num_layers}"


def _complete(points: Tensor) -> BlockLayout:
    """One cluster of all p axes, and edges between all points."""
    n, p = points.shape
    device = points.device
    source = torch.arange(n, device=device).repeat(n)
    target = torch.arange(n, device=device).repeat_interleave(n)
    gram = points @ points.mT  # [n, n]
    edges = Messages(source, target, gram.flatten().unsqueeze(-1))
    if p == 0:
        return BlockLayout(n, edges, gram, ())
    axes = torch.arange(p, device=device)
    node = torch.arange(n, device=device)
    block = Block(
        node=node,
        row=node.unsqueeze(1) * p + axes,
        eig=axes.expand(n, p),
        cluster=torch.zeros_like(node),
        rho=points.new_ones(1, p, p),
        messages=edges,
    )
    return BlockLayout(n, edges, gram, (block,))
