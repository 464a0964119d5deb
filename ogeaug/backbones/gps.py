"""Graph transformers: local convolution and global attention side by side (GPS), or one of them."""

from torch import Tensor, nn

from ogeaug.backbone_names import WITH_EDGES
from ogeaug.backbones.attention import GlobalAttention
from ogeaug.backbones.convs import ConvOptions, make_conv
from ogeaug.backbones.injection import Before
from ogeaug.backbones.norms import NORMS


class GPSLayer(nn.Module):
    r"""A layer of the GPS recipe (Rampasek et al., 2022).

    .. math::
        y = \operatorname{norm}(x + \operatorname{conv}(x, e)) +
            \operatorname{norm}(x + \operatorname{attention}(x)), \qquad
        x' = \operatorname{norm}(y + \operatorname{MLP}(y))

    Without convolution it is a plain transformer layer; without attention a convolution with MLP.
    GatedGCN has a norm, ReLU and dropout of its own before its residual.

    Args:
        channels: Width h.
        conv: Name of the convolution, or None.
        heads: Attention heads; no attention if None.
        dropout: Of each branch.
        attention_dropout: Of the attention weights.
        norm: ``"batch"``, ``"layer"`` or ``"none"``.
        gated: Whether distances gate the messages of the convolution.
        plain: Whether ``"gatedgcn"`` is that of earlier versions, without norm, ReLU and dropout of
            its own; see :class:`ConvOptions`.

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]``, batch ``[N]``,
          distance ``[E, 1]`` or None -> x, edge_attr
    """

    def __init__(
        self,
        channels: int,
        *,
        conv: str | None,
        heads: int | None,
        dropout: float,
        attention_dropout: float,
        norm: str,
        gated: bool = False,
        plain: bool = False,
    ) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        if conv is not None:
            options = ConvOptions(None, gated, plain, norm, dropout)
            self.conv = make_conv(conv, channels, options)
            self.conv_norm = NORMS[norm](channels)
        whole = conv == "gatedgcn" and not plain
        self.own_norm = NORMS[norm](channels) if whole else None
        if heads is not None:
            self.attention = GlobalAttention(channels, heads, attention_dropout)
            self.attention_norm = NORMS[norm](channels)
        self.local, self.dense = conv is not None, heads is not None
        self.mlp = nn.Sequential(
            nn.Linear(channels, 2 * channels),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(2 * channels, channels),
            nn.Dropout(dropout),
        )
        self.mlp_norm = NORMS[norm](channels)

    def forward(
        self,
        x: Tensor,
        edge_index: Tensor,
        edge_attr: Tensor | None,
        batch: Tensor,
        distance: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        branches = []
        if self.local:
            new, edge_attr = self.conv(x, edge_index, edge_attr, distance)
            if self.own_norm is not None:
                new = self.own_norm(new).relu()
            branches.append(self.conv_norm(x + self.dropout(new)))  # [N, h]
        if self.dense:
            branches.append(self.attention_norm(x + self.dropout(self.attention(x, batch))))
        y = branches[0] if len(branches) == 1 else branches[0] + branches[1]
        return self.mlp_norm(y + self.mlp(y)), edge_attr


class GPS(nn.Module):
    """A stack of :class:`GPSLayer`; with ``conv=None`` a plain transformer.

    Args:
        channels: Width h.
        conv: Name of the local convolution, see :data:`ogeaug.backbone_names.CONVS`, or None.
        layers: Number of layers.
        heads: Attention heads; no attention if None.
        dropout: Of each branch.
        attention_dropout: Of the attention weights.
        norm: ``"batch"``, ``"layer"`` or ``"none"``.
        gated: Whether distances gate the messages of the convolution.
        plain: Whether ``"gatedgcn"`` is that of earlier versions, without norm, ReLU and dropout of
            its own; see :class:`ConvOptions`.

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]``, batch ``[N]``, distance
          ``[E, 1]`` or None -> ``[N, h]``
    """

    def __init__(
        self,
        channels: int,
        *,
        conv: str | None = "gine",
        layers: int = 4,
        heads: int | None = 4,
        dropout: float = 0.0,
        attention_dropout: float = 0.0,
        norm: str = "batch",
        gated: bool = False,
        plain: bool = False,
    ) -> None:
        super().__init__()
        if conv is None and heads is None:
            raise ValueError("a GPS backbone needs a convolution, attention heads, or both")
        self.channels, self.depth, self.gated = channels, layers, gated
        self.layers = nn.ModuleList(
            GPSLayer(
                channels,
                conv=conv,
                heads=heads,
                dropout=dropout,
                attention_dropout=attention_dropout,
                norm=norm,
                gated=gated,
                plain=plain,
            )
            for _ in range(layers)
        )
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
        for i, layer in enumerate(self.layers):
            if before is not None:
                x, edge_attr = before(i, x, edge_attr)
            x, edge_attr = layer(x, edge_index, edge_attr, batch, distance)
        return x

    def extra_repr(self) -> str:
        return f"channels={self.channels}"
