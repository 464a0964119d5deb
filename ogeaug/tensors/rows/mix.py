"""The tilde copies that both layers start from: channel-mixed, normalised tensors."""

import torch
from torch import Tensor, nn

from ogeaug.layers import RowBatchNorm
from ogeaug.tensors.rows.records import Layout, Tensors

NORMS: dict[str, type[nn.Module]] = {"layer": nn.LayerNorm, "batch": RowBatchNorm}


class Mix(nn.Module):
    r"""Steps 1 to 3 of both layers of Algorithm 1.

    .. math::
        \tilde W^{(0)} = \operatorname{SiLU}(\operatorname{norm}(Q_0 W^{(0)} + b_0)), \qquad
        \tilde W^{(p)} = Q_p \, W^{(p)} / \sqrt{\|W^{(p)}\|^2 + \epsilon}

    with the norm over all eigenpairs (pairs) at one node and channel: it does not change under
    orthogonal maps. The root is smooth at zero, where :math:`x / \max(|x|, \epsilon)` has a kink;
    its slope there is :math:`1 / \sqrt\epsilon = 10`. (At :math:`\epsilon = 10^{-5}` tensors that
    pass near zero, as those of strongly truncated spectra do, turn ten times faster.)

    Args:
        channels: Width h.
        orders: The orders to copy, of 0, 1, 2.
        norm: ``"layer"`` or ``"batch"``.
        eps: Of the root.

    Shapes:
        - w0 ``[N, h]``, w1 ``[N1, h]``, w2 ``[N2, h]`` -> the same
    """

    def __init__(
        self, channels: int, orders: tuple[int, ...], *, norm: str = "layer", eps: float = 1e-2
    ) -> None:
        super().__init__()
        if norm not in NORMS:
            raise ValueError(f"unknown norm {norm!r}; choose from {', '.join(NORMS)}")
        self.eps = eps
        self.linear0 = nn.Linear(channels, channels)
        self.norm0 = NORMS[norm](channels)
        self.linear1 = nn.Linear(channels, channels, bias=False) if 1 in orders else None
        self.linear2 = nn.Linear(channels, channels, bias=False) if 2 in orders else None

    def reset_parameters(self) -> None:
        for module in self.children():
            module.reset_parameters()  # type: ignore[operator]

    def forward(self, w: Tensors, layout: Layout) -> tuple[Tensor, Tensor | None, Tensor | None]:
        t0 = self.scalars(w.w0)
        t1 = t2 = None
        if self.linear1 is not None:
            t1 = self.linear1(normalize(w.w1, layout.node, layout.num_nodes, self.eps))
        if self.linear2 is not None:
            assert w.w2 is not None
            assert layout.pairs is not None
            t2 = self.linear2(normalize(w.w2, layout.pairs.node, layout.num_nodes, self.eps))
        return t0, t1, t2

    def scalars(self, w0: Tensor) -> Tensor:
        """The tilde copy of order 0 alone: ``[N, h]`` -> ``[N, h]``."""
        return nn.functional.silu(self.norm0(self.linear0(w0)))


def normalize(w: Tensor, node: Tensor, num_nodes: int, eps: float) -> Tensor:
    """Divides the rows of each node by their common norm, channel by channel.

    Shapes:
        - w ``[R, h]``, node ``[R]`` -> ``[R, h]``
    """
    square = w.new_zeros(num_nodes, w.size(-1)).index_add(0, node, w.square())  # [N, h]
    return w * torch.rsqrt(square + eps).index_select(0, node)
