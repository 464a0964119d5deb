"""The tensor product layer of Algorithm 1."""

import torch
from torch import Tensor, nn

from ogeaug.tensors.rows.mix import Mix
from ogeaug.tensors.rows.records import Layout, PairLayout, RowMatrices, Tensors


class ProductLayer(nn.Module):
    r"""Multiplies the tensors at each node with their tilde copies (see :class:`Mix`).

    .. math::
        W^{(0)} &\mathrel{+}= R_0 \big[ c_{00} W^{(0)} \tilde W^{(0)}
            + c_{01} \textstyle\sum_k W^{(1)}_k \tilde W^{(1)}_k
            + c_{02} \sum_{kl} W^{(2)}_{kl} \tilde W^{(2)}_{kl} \big] \\
        W^{(1)}_k &\mathrel{+}= R_1 \big[ c_{10} W^{(1)}_k \tilde W^{(0)}
            + c_{12} \textstyle\sum_l W^{(1)}_l \tilde W^{(2)}_{kl} \big] \\
        W^{(2)}_{kl} &\mathrel{+}= R_2 \big[ c_{20} W^{(2)}_{kl} \tilde W^{(0)}
            + \rho_{kl}^2 \big( c_{11} W^{(1)}_k \tilde W^{(1)}_l
            + c_{22} \textstyle\sum_m W^{(2)}_{km} \tilde W^{(2)}_{ml} \big) \big]

    All right-hand sides use the values before the layer (or, ``in_order``, the sum of
    :math:`W^{(2)}` the new :math:`W^{(1)}_k`); products are channel by channel, the matrices
    :math:`R` mix channels.

    Args:
        channels: Width h.
        order: Highest order, 1 or 2.
        final: Update only :math:`W^{(0)}`. In the last layer nothing reads the other two, so
            their weights would never get a gradient.
        norm, eps: See :class:`Mix`.
        in_order: Whether order 2 reads the order 1 that the layer has just written.

    Shapes:
        - w0 ``[N, h]``, w1 ``[N1, h]``, w2 ``[N2, h]`` -> the same
    """

    def __init__(
        self,
        channels: int,
        order: int = 2,
        *,
        final: bool = False,
        norm: str = "layer",
        eps: float = 1e-2,
        in_order: bool = False,
    ) -> None:
        super().__init__()
        self.order, self.final, self.in_order = order, final, in_order
        self.mix = Mix(channels, (0, 1, 2)[: order + 1], norm=norm, eps=eps)
        self.linear0 = nn.Linear(channels, channels, bias=False)
        self.c0 = nn.Parameter(torch.ones(order + 1))  # c00, c01, c02
        if not final:
            self.linear1 = nn.Linear(channels, channels, bias=False)
            self.c1 = nn.Parameter(torch.ones(order))  # c10, c12
        if not final and order == 2:
            self.linear2 = nn.Linear(channels, channels, bias=False)
            self.c2 = nn.Parameter(torch.ones(3))  # c20, c11, c22

    def reset_parameters(self) -> None:
        for module in self.children():
            module.reset_parameters()  # type: ignore[operator]
        for parameter in (p for n, p in self.named_parameters(recurse=False)):
            nn.init.ones_(parameter)

    def forward(self, w: Tensors, layout: Layout) -> Tensors:
        t0, t1, t2 = self.mix(w, layout)
        w0, w1, w2, pairs = w.w0, w.w1, w.w2, layout.pairs
        sum0 = self.c0[0] * w0 * t0  # [N, h]
        sum0 = sum0.index_add(0, layout.node, self.c0[1] * w1 * t1)
        if pairs is not None and w2 is not None:
            sum0 = sum0.index_add(0, pairs.node, self.c0[2] * w2 * t2)
        w0 = w0 + self.linear0(sum0)
        if self.final:
            return Tensors(w0, w1, w2)

        sum1 = self.c1[0] * w1 * t0.index_select(0, layout.node)  # [N1, h]
        if pairs is None or w2 is None:
            return Tensors(w0, w1 + self.linear1(sum1))
        sum1 = sum1.index_add(0, pairs.left, self.c1[1] * w1.index_select(0, pairs.right) * t2)
        new1 = w1 + self.linear1(sum1)

        sum2 = self.c2[0] * w2 * t0.index_select(0, pairs.node)  # [N2, h]
        left = new1 if self.in_order else w1
        outer = left.index_select(0, pairs.left) * t1.index_select(0, pairs.right)
        matmul = band_matmul(w2, t2, pairs)
        sum2 = sum2 + pairs.rho2 * (self.c2[1] * outer + self.c2[2] * matmul)
        return Tensors(w0, new1, w2 + self.linear2(sum2))

    def extra_repr(self) -> str:
        return f"order={self.order}, final={self.final}"


def band_matmul(a: Tensor, b: Tensor, pairs: PairLayout) -> Tensor:
    r""":math:`\sum_m a_{km} b_{ml}` at each node and channel, for the pairs (k, l) in the bands.

    No pair reaches out of its cluster, so the product is one of small dense matrices.

    Shapes:
        - a ``[N2, h]``, b ``[N2, h]`` -> ``[N2, h]``
    """
    products = [_matmul(_matrices(a, block), _matrices(b, block)) for block in pairs.blocks]
    if not products:
        return torch.zeros_like(a)
    return torch.cat([p.flatten(0, 2) for p in products]).index_select(0, pairs.unblock)


def _matrices(w: Tensor, block: RowMatrices) -> Tensor:
    rows = w.index_select(0, block.rows.flatten()).view(*block.rows.shape, w.size(-1))
    return rows if block.present is None else rows * block.present  # [M, c, c, h]


def _matmul(a: Tensor, b: Tensor) -> Tensor:
    c = a.size(1)
    if c > 8:  # below this, sums of products beat a batched matrix product
        return torch.einsum("ikmj,imlj->iklj", a, b)
    total = a[:, :, :1] * b[:, :1]
    for m in range(1, c):
        total = total + a[:, :, m : m + 1] * b[:, m : m + 1]
    return total
