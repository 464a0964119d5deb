"""The tensor product layer on blocks, for orders 1, 2 (with transposes), 3 and 4."""

import torch
from torch import Tensor, nn

from ogeaug.tensors.blocks.layout import BlockLayout, BlockPart, BlockTensors, Collect, chunks
from ogeaug.tensors.blocks.mix import BlockMix, mix_channels, per_node


class BlockProductLayer(nn.Module):
    r"""Multiplies the tensors at each node with their tilde copies (see :class:`BlockMix`).

    Orders 0 to 2 get the terms of the rows' :class:`~ogeaug.tensors.rows.product.ProductLayer`; the
    tilde copies hold all axis permutations, so transposed factors are among them. New are traces,
    and

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
    permutation and every contraction that leaves at most three axes. Order 4 adds, in the same way,

    .. math::
        W^{(0)} &\leftarrow \textstyle\sum_{klmn} W^{(4)}_{klmn} \tilde W^{(4)}_{klmn}, \qquad
            W^{(1)}_k \leftarrow \sum_{lmn} W^{(3)}_{lmn} \tilde W^{(4)}_{klmn} \\
        W^{(2)}_{kl} &\leftarrow \rho_{kl}^2 \textstyle\big( \sum_{mn} W^{(2)}_{mn}
            \tilde W^{(4)}_{klmn}, \quad \sum_{mno} W^{(4)}_{kmno} \tilde W^{(4)}_{lmno}, \quad
            \sum_m \tilde W^{(4)}_{klmm} \big) \\
        W^{(3)}_{klm} &\leftarrow \rho_{klm} \textstyle\sum_n W^{(1)}_n \tilde W^{(4)}_{nklm} \\
        W^{(4)}_{klmn} &\leftarrow W^{(4)}_{klmn} \tilde W^{(0)}, \quad \rho_{klmn} \big(
            W^{(1)}_k \tilde W^{(3)}_{lmn}, \quad W^{(2)}_{kl} \tilde W^{(2)}_{mn}, \quad
            \textstyle\sum_o W^{(2)}_{ko} \tilde W^{(4)}_{olmn} \big), \quad \tilde W^{(4)}_{klmn}

    Args:
        channels: Width h.
        order: Highest order, 1 to 4.
        final: Update only :math:`W^{(0)}`, the one that is read after the last layer.
        norm, eps: See :class:`BlockMix`.
        in_order: Whether each order reads the lower ones that the layer has just written.

    Shapes:
        - w0 ``[N, h]``, order p ``[M, h, c, ..., c]`` -> the same
    """

    def __init__(
        self,
        channels: int,
        order: int,
        *,
        final: bool = False,
        norm: str = "layer",
        eps: float = 1e-2,
        in_order: bool = False,
    ) -> None:
        super().__init__()
        self.order, self.final, self.in_order = order, final, in_order
        self.mix = BlockMix(channels, order, norm=norm, eps=eps)
        updated = 1 if final else order + 1
        self.linear = nn.ModuleList(
            nn.Linear(channels, channels, bias=False) for _ in range(updated)
        )
        terms = {1: (2, 1), 2: (4, 2, 4), 3: (5, 4, 6, 4), 4: (6, 5, 9, 5, 5)}[order]
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
            out = [] if self.final else [Collect(len(x)) for x in tensors]
            for rows in chunks(len(tensors[-1]), tensors[-1][0].numel()):
                part, wb = block.part(rows), [x[rows] for x in tensors]
                tb = [self.mix.copy(p + 1, x, inverse[p], part.node) for p, x in enumerate(wb)]
                sum0 = sum0.index_add(0, part.node, self._scalars(wb, tb))
                updates = (self._vectors, self._matrices, self._cubes, self._fourth)
                for p, (collect, update) in enumerate(zip(out, updates[: len(out)], strict=True)):
                    total = update(wb, tb, per_node(t0, part.node, wb[p].dim()), part)
                    weight: Tensor = self.linear[p + 1].weight  # type: ignore[assignment]
                    new = wb[p] + mix_channels(weight, total)
                    collect.add(new)
                    if self.in_order:
                        wb[p] = new
            for p, collect in enumerate(out):
                higher[p].append(collect.joined())
        w0 = w.w0 + self.linear[0](sum0)
        return BlockTensors(w0, w.higher if self.final else tuple(map(tuple, higher)))

    def _scalars(self, w: list[Tensor], t: list[Tensor]) -> Tensor:
        c = self.c[0]
        total = c[1] * _dot(w[0], t[0])  # [m, h]
        if self.order >= 2:
            total = total + c[2] * _dot(w[1], t[1]) + c[3] * _trace(w[1])
        for p in range(2, self.order):
            total = total + c[p + 2] * _dot(w[p], t[p])
        return total

    def _vectors(self, w: list[Tensor], t: list[Tensor], t0: Tensor, part: BlockPart) -> Tensor:
        c = self.c[1]
        total = c[0] * w[0] * t0  # [m, h, c]
        if self.order >= 2:
            total = total + c[1] * _apply(t[1], w[0])
        if self.order >= 3:
            total = total + c[2] * _apply(t[2].flatten(3), w[1].flatten(2))
            total = total + c[3] * _trace(t[2])
        if self.order >= 4:
            total = total + c[4] * _apply(t[3].flatten(3), w[2].flatten(2))
        return total

    def _matrices(self, w: list[Tensor], t: list[Tensor], t0: Tensor, part: BlockPart) -> Tensor:
        c = self.c[2]
        total = c[1] * w[0].unsqueeze(-1) * t[0].unsqueeze(-2)  # [m, h, c, c]
        total = total + c[2] * (w[1] @ t[1])
        if self.order >= 3:
            cube = t[2].flatten(3)  # [m, h, c, c c]
            total = total + c[4] * _apply(cube.mT, w[0]).view_as(total)
            total = total + c[5] * (w[2].flatten(3) @ cube.mT)
        if self.order >= 4:
            fourth = t[3].flatten(4).flatten(2, 3)  # [m, h, c c, c c]
            total = total + c[6] * _apply(fourth, w[1].flatten(2)).view_as(total)
            total = total + c[7] * (w[3].flatten(3) @ t[3].flatten(3).mT)
            total = total + c[8] * _trace(t[3])
        return c[0] * w[1] * t0 + c[3] * t[1] + part.rho.square().unsqueeze(1) * total

    def _cubes(self, w: list[Tensor], t: list[Tensor], t0: Tensor, part: BlockPart) -> Tensor:
        c = self.c[3]
        total = c[2] * (w[1] @ t[2].flatten(3)).view_as(t[2])  # [m, h, c, c, c]
        total = total + c[1] * w[0][..., None, None] * t[1].unsqueeze(2)
        if self.order >= 4:
            total = total + c[4] * _apply(t[3].flatten(3).mT, w[0]).view_as(total)
        return c[0] * w[2] * t0 + c[3] * t[2] + part.rho3.unsqueeze(1) * total

    def _fourth(self, w: list[Tensor], t: list[Tensor], t0: Tensor, part: BlockPart) -> Tensor:
        c = self.c[4]
        total = c[3] * (w[1] @ t[3].flatten(3)).view_as(t[3])  # [m, h, c, c, c, c]
        total = total + c[1] * w[0][..., None, None, None] * t[2].unsqueeze(2)
        total = total + c[2] * w[1][..., None, None] * t[1][:, :, None, None]
        return c[0] * w[3] * t0 + c[4] * t[3] + part.rho4.unsqueeze(1) * total

    def extra_repr(self) -> str:
        return f"order={self.order}, final={self.final}"


def _trace(w: Tensor) -> Tensor:
    """Contracts the last two axes: ``[..., c, c] -> [...]``."""
    return w.diagonal(dim1=-2, dim2=-1).sum(-1)


def _dot(w: Tensor, t: Tensor) -> Tensor:
    """Contracts all axes over eigenpairs: ``[m, h, c, ..., c]``, the same -> ``[m, h]``."""
    return (w * t).flatten(2).sum(2)


def _apply(matrix: Tensor, vector: Tensor) -> Tensor:
    """A matrix times a vector: ``[..., a, b], [..., b] -> [..., a]``."""
    return (matrix @ vector.unsqueeze(-1)).squeeze(-1)
