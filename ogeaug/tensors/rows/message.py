"""The message passing layer of Algorithm 1."""

import torch
from torch import Tensor, nn

from ogeaug.tensors.rows.mix import Mix
from ogeaug.tensors.rows.records import Layout, Messages, Tensors


class MessageLayer(nn.Module):
    r"""Adds to each node's tensors the tilde copies (see :class:`Mix`) of its neighbours'.

    .. math:: W^{(p)}_i \mathrel{+}= \sum_j A_{ij} \tilde W^{(p)}_j, \qquad p = 0, 1, 2

    Args:
        channels: Width h.
        order: Highest order, 1 or 2.
        final: Update only :math:`W^{(0)}`; see :class:`ogeaug.tensors.rows.product.ProductLayer`.
        norm, eps: See :class:`Mix`.

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
    ) -> None:
        super().__init__()
        self.order, self.final = order, final
        self.mix = Mix(channels, (0,) if final else (0, 1, 2)[: order + 1], norm=norm, eps=eps)

    def reset_parameters(self) -> None:
        self.mix.reset_parameters()

    def forward(self, w: Tensors, layout: Layout) -> Tensors:
        t0, t1, t2 = self.mix(w, layout)
        w0 = _receive(w.w0, t0, layout.edges)
        if self.final:
            return Tensors(w0, w.w1, w.w2)
        w1 = _receive(w.w1, t1, layout.messages)
        if layout.pairs is None or w.w2 is None:
            return Tensors(w0, w1)
        return Tensors(w0, w1, _receive(w.w2, t2, layout.pairs.messages))

    def extra_repr(self) -> str:
        return f"order={self.order}, final={self.final}"


MESSAGE_NORMS = ("sym",)


def check_message_norm(norm: str | None) -> None:
    """Refuses a norm that does not exist."""
    if norm is not None and norm not in MESSAGE_NORMS:
        raise ValueError(f"unknown message_norm {norm!r}; choose None or {MESSAGE_NORMS[0]!r}")


def normalize_messages(
    source: Tensor, target: Tensor, weight: Tensor | None, num_nodes: int
) -> Tensor:
    r"""Weights of messages that do not grow with the degree d.

    .. math:: A_{ij} / \sqrt{(1 + d_i)(1 + d_j)}

    Without the 1 an edge between two nodes that have no other would weigh 1 however weak it is, and
    jump to 0 where it vanishes.

    Shapes:
        - source, target ``[E]``, weight ``[E]`` (None: all 1) -> ``[E]``

    Example:
        >>> ends = torch.tensor([0, 1]), torch.tensor([1, 0])
        >>> normalize_messages(*ends, None, 2)
        tensor([0.5000, 0.5000], dtype=torch.float64)
    """
    ones = torch.ones(len(source), dtype=torch.float64, device=source.device)
    weight = ones if weight is None else weight.double()
    degree = weight.new_zeros(num_nodes).index_add(0, source, weight)  # [N]
    scale = (1 + degree).rsqrt()
    return weight * scale[source] * scale[target]


def _receive(w: Tensor, sent: Tensor, messages: Messages) -> Tensor:
    message = sent.index_select(0, messages.source) * messages.weight
    received = w.index_add(0, messages.target, message)
    for large in messages.large:
        nodes = sent[large.rows].view(len(large.adjacency), -1)  # [n, rows of a node x h]
        received[large.rows] += torch.sparse.mm(large.adjacency, nodes).view(-1, sent.size(-1))
    return received
