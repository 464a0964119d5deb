"""Cartesian tensors on a point cloud: the paper's choice of f."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, nn

from ogeaug.pointclouds.base import PointCloud
from ogeaug.tensors.blocks.layout import Block, BlockLayout, start_blocks
from ogeaug.tensors.blocks.message import BlockMessageLayer
from ogeaug.tensors.blocks.product import BlockProductLayer
from ogeaug.tensors.rows.records import Messages

AT_ONCE = 2**19
"""Numbers of the largest tensor when many clouds are taken at once: they stay in cache."""


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
        return self._stacked(points.unsqueeze(0)).squeeze(0)

    def forward_all(self, clouds: Sequence[Tensor]) -> list[Tensor]:
        """Clouds of one dimension at once, the smaller with zeros for the points that they lack.

        Points at zero have inner product zero with all others, so nobody hears of them.
        """
        features: dict[int, Tensor] = {}
        for group in self._groups(clouds):
            padded = nn.utils.rnn.pad_sequence([clouds[i] for i in group], batch_first=True)
            for i, cloud in zip(group, self._stacked(padded), strict=True):
                features[i] = cloud[: len(clouds[i])]
        return [features[i] for i in range(len(clouds))]

    def _groups(self, clouds: Sequence[Tensor]) -> Iterator[list[int]]:
        """Clouds of equal dimension and similar size, as many as fit."""
        group: list[int] = []
        for i in sorted(range(len(clouds)), key=lambda i: clouds[i].shape[::-1]):
            n, p = clouds[i].shape  # the largest so far of this p
            numbers = n * max(n, self.channels * p**self.order)
            if group and (clouds[group[0]].size(1) != p or (len(group) + 1) * numbers > AT_ONCE):
                yield group
                group = []
            group.append(i)
        if group:
            yield group

    def _stacked(self, points: Tensor) -> Tensor:
        """s clouds of one size: ``[s, n, p] -> [s, n, c]``."""
        s, n, p = points.shape
        layout = _complete(points)
        q1, *higher = self.q
        w0 = self.constant0.expand(s * n, -1)  # [s n, c]
        ones = points.new_ones(p)
        w = start_blocks(w0, points.flatten(), ones, q1.expand(p, -1), tuple(higher), layout)
        for product, message in zip(self.products, self.messages, strict=True):
            w = product(w, layout)
            w = message(w, layout)  # the tensors before the product are free by now
        return w.w0.view(s, n, -1)

    def extra_repr(self) -> str:
        return f"{self.channels}, order={self.order}, num_layers={self.num_layers}"


def _complete(points: Tensor) -> BlockLayout:
    """A cluster of all p axes per cloud, and edges between all its points: ``[s, n, p]``."""
    s, n, p = points.shape
    device = points.device
    nobody = torch.empty(0, dtype=torch.long, device=device)
    edges = Messages(nobody, nobody, points.new_empty(0, 1))  # all are in the matrix
    gram = points @ points.mT  # [s, n, n]
    if p == 0:
        return BlockLayout(s * n, edges, gram, ())
    axes = torch.arange(p, device=device)
    node = torch.arange(s * n, device=device)
    block = Block(
        node=node,
        row=node.unsqueeze(1) * p + axes,
        eig=axes.expand(s * n, p),
        cluster=node // n,
        rho=points.new_ones(s, p, p),
        messages=edges,
    )
    return BlockLayout(s * n, edges, gram, (block,))
