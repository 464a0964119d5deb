"""Message passing networks: one convolution again and again."""

from torch import Tensor, nn

from ogeaug.backbone_names import WITH_EDGES
from ogeaug.backbones.convs import ConvOptions, make_conv
from ogeaug.backbones.injection import Before
from ogeaug.backbones.norms import NORMS


class MessagePassing(nn.Module):
    r"""A stack of convolutions, each with norm, ReLU, dropout and a residual.

    .. math:: x \mathrel{+}= \operatorname{dropout}(\operatorname{ReLU}(\operatorname{norm}(
        \operatorname{conv}(x, e))))

    Args:
        channels: Width h.
        conv: ``"gcn"``, ``"gin"``, ``"gine"``, ``"gat"`` or ``"gatedgcn"``.
        layers: Number of convolutions.
        heads: Of ``"gat"``.
        dropout: After each layer.
        residual: Whether to add each layer's input.
        norm: ``"batch"``, ``"layer"`` or ``"none"``.
        gated: Whether distances gate the messages (``"gin"``, ``"gine"``, ``"gatedgcn"``).
        plain: Whether ``"gatedgcn"`` is that of earlier versions; see :class:`ConvOptions`.

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]``, batch ``[N]``, distance
          ``[E, 1]`` or None -> ``[N, h]``
    """

    def __init__(
        self,
        channels: int,
        *,
        conv: str = "gine",
        layers: int = 4,
        heads: int | None = None,
        dropout: float = 0.0,
        residual: bool = True,
        norm: str = "batch",
        gated: bool = False,
        plain: bool = False,
    ) -> None:
        super().__init__()
        self.channels, self.residual = channels, residual
        self.depth, self.gated = layers, gated
        options = ConvOptions(heads, gated, plain, norm, dropout, residual)
        self.convs = nn.ModuleList(make_conv(conv, channels, options) for _ in range(layers))
        self.norms = nn.ModuleList(NORMS[norm](channels) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)
        self.uses_edges = conv in WITH_EDGES

    def forward(
        self,
        x: Tensor,
        edge_index: Tensor,
        edge_attr: Tensor | None,
        batch: Tensor,
        *,
        distance: Tensor | None = None,
        before: Before | None = None,
    ) -> Tensor:
        for i, (conv, norm) in enumerate(zip(self.convs, self.norms, strict=True)):
            if before is not None:
                x, edge_attr = before(i, x, edge_attr)
            new, edge_attr = conv(x, edge_index, edge_attr, distance)
            new = self.dropout(norm(new).relu())  # [N, h]
            x = x + new if self.residual else new
        return x

    def extra_repr(self) -> str:
        return f"channels={self.channels}, residual={self.residual}"
