"""The message passing layer on blocks."""

import torch
from torch import Tensor, nn

from ogeaug.tensors.blocks.layout import BlockLayout, BlockTensors, Collect, chunks
from ogeaug.tensors.blocks.mix import BlockMix
from ogeaug.tensors.rows.records import Messages


class BlockMessageLayer(nn.Module):
    r"""Adds to each node's tensors the tilde copies (see :class:`BlockMix`) of its neighbours'.

    .. math:: W^{(p)}_i \mathrel{+}= \sum_j A_{ij} \tilde W^{(p)}_j, \qquad p = 0, ..., \text{order}

    Args:
        channels: Width h.
        order: Highest order, 1 to 4.
        final: Update only :math:`W^{(0)}`, the one that is read after the last layer.
        norm, eps: See :class:`BlockMix`.

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
    ) -> None:
        super().__init__()
        self.order, self.final = order, final
        self.mix = BlockMix(channels, 0 if final else order, norm=norm, eps=eps)

    def reset_parameters(self) -> None:
        self.mix.reset_parameters()

    def forward(self, w: BlockTensors, layout: BlockLayout) -> BlockTensors:
        t0 = self.mix.scalars(w.w0)
        if layout.adjacency is not None:
            w0 = _multiply(w.w0, t0, layout.adjacency)  # [N, h]
        else:
            w0 = _receive(w.w0, t0, layout.edges)
        if self.final:
            return BlockTensors(w0, w.higher)
        higher = []
        for p, (blocks, inverse) in enumerate(
            zip(w.higher, self.mix.inverse_norms(w, layout), strict=True)
        ):
            updated = []
            for x, block in zip(blocks, layout.blocks, strict=True):
                collect = Collect(len(x))
                for rows in chunks(len(x), x[0].numel()):
                    collect.add(self.mix.copy(p + 1, x[rows], inverse, block.node[rows]))
                sent = collect.joined()
                if layout.adjacency is not None:
                    updated.append(_multiply(x, sent, layout.adjacency))
                else:
                    updated.append(_receive(x, sent, block.messages))
            higher.append(tuple(updated))
        return BlockTensors(w0, tuple(higher))

    def extra_repr(self) -> str:
        return f"order={self.order}, final={self.final}"


def _receive(w: Tensor, sent: Tensor, messages: Messages) -> Tensor:
    """In chunks: all messages at once would be larger than the tensor by the mean degree."""
    out = w.clone()
    for part in chunks(len(messages.source), w[0].numel()):
        message = sent.index_select(0, messages.source[part])
        message = message * messages.weight[part].view(-1, *[1] * (w.dim() - 1))
        out.index_add_(0, messages.target[part], message)
    return out


def _multiply(w: Tensor, sent: Tensor, adjacency: Tensor) -> Tensor:
    """The same by dense matrices: one for all clusters, or one each."""
    n = adjacency.size(-1)
    clusters = len(w) // n
    flat = sent.reshape(clusters, n, -1)
    out = torch.baddbmm(w.reshape(clusters, n, -1), adjacency.expand(clusters, n, n), flat)
    return out.view_as(w)
