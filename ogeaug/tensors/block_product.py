"""The tensor product layer on blocks, for orders 1, 2 (with transposes) and 3."""

import torch
from torch import Tensor, nn

from ogeaug.tensors.block_mix import BlockMix, per_node
from ogeaug.tensors.blocks import BlockLayout, BlockPart, BlockTensors, chunks


class BlockProductLayer(nn.Module):
    r"""Multiplies the tensors at each node with their tilde copies (see :class:`BlockMix`).

    Orders 0 to 2 get the terms of :class:`ogeaug.tensors.product.ProductLayer`; the tilde copies
    hold all axis permutations, so transposed factors are among them. New are traces, and

    .. math::
        W^{(0)} &\leftarrow \textstyle\sum_{klm} W^{(3)}_{klm} \tilde W^{(3)}_{klm} \\
        W^{(1)}_k &\leftarrow \textstyle\sum_{lm} W^{(2)}_{lm} \tilde W^{(3)}_{klm}, \quad
            \sum_l \tilde W^{(3)}_{kll} \\
        W^{(2)}_{kl} &\leftarrow \rho_{kl}^2 \big( \textstyle\sum_m W^{(1)}_m \tilde W^{(3)}_{mkl},
            \quad \sum_{mn} W^{(3)}_{kmn} \tilde W^{(3)}_{lmn} \big), \quad \tilde W^{(2)}_{kl} \\
        W^{(3)}_{klm} &\leftarrow W^{(3)}_{klm} \tilde W^{(0)}, \quad \rho_{klm} \big(
            W^{(1)}_k \tilde W^{(2)}_{lm}, \quad \textstyle\sum_n W^{(2)}_{kn} \tilde W^{(3)}_{nlm}
            \big), \quad \tilde W^{(3)}_{klm}

    with :math:`\rho_{klm} = \rho_{kl} \rho_{lm} \rho_{km}`; each term has its own factor, the sum
    its channel mixing R. The last terms permute axes; with them, repeated layers reach every
    permutation and every contraction that leaves at most three axes.

    Args:
        channels: Width h.
        order: Highest order, 1, 2 or 3.
        final: Update only :math:`W^{(0)}`, the one that is read after the last layer.
        norm: See :class:`BlockMix`.

    Shapes:
        - w0 ``[N, h]``, order p ``[M, c, ..., c, h]`` -> the same
    """

    def __init__(
        self, channels: int, order: int, *, final: bool = False, norm: str = "layer"
    ) -> None:
        super().__init__()
        self.order, self.final = order, final
        self.mix = BlockMix(channels, order, norm=norm)
        updated = 1 if final else order + 1
        self.linear = nn.ModuleList(
            nn.Linear(channels, channels, bias=False) for _ in range(updated)
        )
        terms = {1: (2, 1), 2: (4, 2, 4), 3: (5, 4, 6, 4)}[order]
        self.c = nn.ParameterList(nn.Parameter(torch.ones(t)) for t in terms[:updated])

    def reset_parameters(self) -> None:
        for module in (self.mix, *self.linear):
            module.reset_parameters()
        for parameter in self.c:
            nn.init.ones_(parameter)

    def forward(self, w: BlockTensors, layout: BlockLayout) -> BlockTensors:
        t0, inverse = self.mix.scalars(w.w0), self.mix.inverse_norms(w, layout)
        sum0 = self.c[0][0] * w.w0 * t0  # [N, h]
        higher: list[list[Tensor]] = [[] for _ in range(self.order)]
        for block, *tensors in zip(layout.blocks, *w.higher, strict=True):
            done: list[list[Tensor]] = [[] for _ in range(self.order)]
            for rows in chunks(len(tensors[-1]), tensors[-1][0].numel()):
                part, wb = block.part(rows), [x[rows] for x in tensors]
                tb = [self.mix.copy(p + 1, x, inverse[p], part.node) for p, x in enumerate(wb)]
                sum0 = sum0.index_add(0, part.node, self._scalars(wb, tb))
                updates = () if self.final else (self._vectors, self._matrices, self._cubes)
                for p, update in enumerate(updates[: self.order]):
                    total = update(wb, tb, per_node(t0, part.node, wb[p].dim()), part)
                    done[p].append(wb[p] + self.linear[p + 1](total))
            if not self.final:
                for p, parts in enumerate(done):
                    higher[p].append(torch.cat(parts))
        w0 = w.w0 + self.linear[0](sum0)
        return BlockTensors(w0, w.higher if self.final else tuple(map(tuple, higher)))

    def _scalars(self, w: list[Tensor], t: list[Tensor]) -> Tensor:
        c = self.c[0]
        total = c[1] * (w[0] * t[0]).sum(1)  # [m, h]
        if self.order >= 2:
            total = total + c[2] * (w[1] * t[1]).sum((1, 2)) + c[3] * _trace(w[1])
        if self.order == 3:
            total = total + c[4] * (w[2] * t[2]).sum((1, 2, 3))
        return total

    def _vectors(self, w: list[Tensor], t: list[Tensor], t0: Tensor, part: BlockPart) -> Tensor:
        c = self.c[1]
        total = c[0] * w[0] * t0  # [m, c, h]
        if self.order >= 2:
            total = total + c[1] * torch.einsum("ilj,iklj->ikj", w[0], t[1])
        if self.order == 3:
            total = total + c[2] * torch.einsum("ilmj,iklmj->ikj", w[1], t[2])
            total = total + c[3] * _trace(t[2])
        return total

    def _matrices(self, w: list[Tensor], t: list[Tensor], t0: Tensor, part: BlockPart) -> Tensor:
        c = self.c[2]
        total = c[1] * w[0].unsqueeze(2) * t[0].unsqueeze(1)  # [m, c, c, h]
        total = total + c[2] * torch.einsum("ikmj,imlj->iklj", w[1], t[1])
        if self.order == 3:
            total = total + c[4] * torch.einsum("imj,imklj->iklj", w[0], t[2])
            total = total + c[5] * torch.einsum("ikmnj,ilmnj->iklj", w[2], t[2])
        return c[0] * w[1] * t0 + c[3] * t[1] + part.rho.square().unsqueeze(-1) * total

    def _cubes(self, w: list[Tensor], t: list[Tensor], t0: Tensor, part: BlockPart) -> Tensor:
        c = self.c[3]
        total = c[1] * w[0][:, :, None, None] * t[1].unsqueeze(1)  # [m, c, c, c, h]
        total = total + c[2] * torch.einsum("iknj,inlmj->iklmj", w[1], t[2])
        return c[0] * w[2] * t0 + c[3] * t[2] + part.rho3.unsqueeze(-1) * total

    def extra_repr(self) -> str:
        return f"order={self.order}, final={self.final}"


def _trace(w: Tensor) -> Tensor:
    """Contracts the last two axes: ``[..., c, c, h] -> [..., h]``."""
    return w.diagonal(dim1=-3, dim2=-2).sum(-1)
