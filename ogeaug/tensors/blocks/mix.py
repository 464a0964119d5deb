"""The tilde copies of tensors on blocks, with axis permutations."""

from itertools import permutations

import torch
from torch import Tensor, nn

from ogeaug.tensors.blocks.layout import BlockLayout, BlockTensors, chunks
from ogeaug.tensors.rows.mix import NORMS


class BlockMix(nn.Module):
    r"""Channel-mixed, normalised copies, each axis permutation with its own mixing matrix.

    .. math::
        \tilde W^{(0)} = \operatorname{SiLU}(\operatorname{norm}(Q_0 W^{(0)} + b_0)), \qquad
        \tilde W^{(p)} = \sum_{\pi \in S_p} Q_{p\pi} \, \pi W^{(p)} /
            \sqrt{\|W^{(p)}\|^2 + \epsilon}

    where :math:`\pi` permutes the p axes over eigenpairs: the linear maps that commute with all
    orthogonal maps are these (and, for :math:`p \ge 2`, traces). See :class:`Mix` for the norm.

    Args:
        channels: Width h.
        order: Highest order to copy.
        norm: ``"layer"`` or ``"batch"``.
        eps: Of the root.

    Shapes:
        - w0 ``[N, h]``, order p ``[M, h, c, ..., c]`` -> the same
    """

    def __init__(
        self, channels: int, order: int, *, norm: str = "layer", eps: float = 1e-2
    ) -> None:
        super().__init__()
        if norm not in NORMS:
            raise ValueError(f"unknown norm {norm!r}; choose from {', '.join(NORMS)}")
        self.eps = eps
        self.linear0 = nn.Linear(channels, channels)
        self.norm0 = NORMS[norm](channels)
        self.permuted = nn.ModuleList(PermutedLinear(channels, p + 1) for p in range(order))

    def reset_parameters(self) -> None:
        for module in (self.linear0, self.norm0, *self.permuted):
            module.reset_parameters()

    def scalars(self, w0: Tensor) -> Tensor:
        """The copy of order 0: ``[N, h] -> [N, h]``."""
        return nn.functional.silu(self.norm0(self.linear0(w0)))

    def inverse_norms(self, w: BlockTensors, layout: BlockLayout) -> list[Tensor]:
        """One over the norm of all entries of a node, channel by channel: ``[N, h]`` an order."""
        inverse = []
        for blocks in w.higher[: len(self.permuted)]:
            square = torch.zeros_like(w.w0)
            for x, block in zip(blocks, layout.blocks, strict=True):
                parts = [
                    x[rows].square().flatten(2).sum(2) for rows in chunks(len(x), x[0].numel())
                ]
                square = square.index_add(0, block.node, torch.cat(parts))
            inverse.append(torch.rsqrt(square + self.eps))
        return inverse

    def copy(self, order: int, x: Tensor, inverse: Tensor, node: Tensor) -> Tensor:
        """The copy of an order at some nodes.

        Shapes:
            - x ``[m, h, c, ..., c]``, inverse ``[N, h]``, node ``[m]`` -> ``[m, h, c, ..., c]``
        """
        return self.permuted[order - 1](x * per_node(inverse, node, x.dim()))


class PermutedLinear(nn.Module):
    r"""Sums over the permutations of the axes, each after its own channel mixing.

    .. math:: y = \sum_{\pi \in S_p} Q_\pi \, \pi x

    The entries of :math:`Q_\pi` start with standard deviation :math:`1 / \sqrt{3 p! h}`, so that
    the sum is as large as one ``nn.Linear`` would make it.

    Args:
        channels: Width h.
        order: p.

    Shapes:
        - x ``[M, h, c, ..., c]`` -> the same

    Example:
        >>> PermutedLinear(4, 3)(torch.randn(5, 4, 2, 2, 2)).shape
        torch.Size([5, 4, 2, 2, 2])
    """

    def __init__(self, channels: int, order: int) -> None:
        super().__init__()
        self.perms = tuple(permutations(range(1, order + 1)))
        self.weight = nn.Parameter(torch.empty(len(self.perms), channels, channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        bound = (self.weight.size(0) * self.weight.size(1)) ** -0.5
        nn.init.uniform_(self.weight, -bound, bound)

    def forward(self, x: Tensor) -> Tensor:
        every = mix_channels(self.weight.mT.flatten(0, 1), x)  # [M, p! h, c, ..., c]
        first, *others = every.unflatten(1, (-1, x.size(1))).unbind(1)
        y = first.clone()
        for perm, other in zip(self.perms[1:], others, strict=True):
            y += other.permute(0, 1, *(axis + 1 for axis in perm))
        return y


def mix_channels(weight: Tensor, x: Tensor) -> Tensor:
    """A linear map of the channels: ``[g, h], [M, h, c, ..., c] -> [M, g, c, ..., c]``."""
    return (weight @ x.flatten(2)).view(len(x), -1, *x.shape[2:])


def per_node(w0: Tensor, node: Tensor, dim: int) -> Tensor:
    """Order 0 at some nodes, ready to multiply a tensor with ``dim`` axes.

    Shapes:
        - w0 ``[N, h]``, node ``[m]`` -> ``[m, h, 1, ..., 1]``
    """
    rows = w0.index_select(0, node)
    return rows.view(*rows.shape, *[1] * (dim - 2))
