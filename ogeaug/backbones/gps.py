"""Graph transformers: local convolution and global attention side by side (GPS), or one of them."""

from torch import Tensor, nn

from ogeaug.backbones.attention import GlobalAttention
from ogeaug.backbones.convs import CONVS, WITH_EDGES
from ogeaug.backbones.norms import NORMS


class GPSLayer(nn.Module):
    r"""A layer of the GPS recipe (Rampasek et al., 2022).

    .. math::
        y = \operatorname{norm}(x + \operatorname{conv}(x, e)) +
            \operatorname{norm}(x + \operatorname{attention}(x)), \qquad
        x' = \operatorname{norm}(y + \operatorname{MLP}(y))

    Without convolution it is a plain transformer layer; without attention a convolution with MLP.

    Args:
        channels: Width h.
        conv: Name of the convolution, or None.
        heads: Attention heads; no attention if None.
        dropout: Of each branch.
        attention_dropout: Of the attention weights.
        norm: ``"batch"``, ``"layer"`` or ``"none"``.

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]``, batch ``[N]`` -> x, edge_attr
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
    ) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        if conv is not None:
            self.conv = CONVS[conv](channels, None)
            self.conv_norm = NORMS[norm](channels)
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
        self, x: Tensor, edge_index: Tensor, edge_attr: Tensor | None, batch: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        branches = []
        if self.local:
            new, edge_attr = self.conv(x, edge_index, edge_attr)
            branches.append(self.conv_norm(x + self.dropout(new)))  # [N, h]
        if self.dense:
            branches.append(self.attention_norm(x + self.dropout(self.attention(x, batch))))
        y = branches[0] if len(branches) == 1 else branches[0] + branches[1]
        return self.mlp_norm(y + self.mlp(y)), edge_attr


class GPS(nn.Module):
    """A stack of :class:`GPSLayer`; with ``conv=None`` a plain transformer.

    Args:
        channels: Width h.
        conv: Name of the local convolution, see :data:`ogeaug.backbones.convs.CONVS`, or None.
        layers: Number of layers.
        heads: Attention heads; no attention if None.
        dropout: Of each branch.
        attention_dropout: Of the attention weights.
        norm: ``"batch"``, ``"layer"`` or ``"none"``.

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]``, batch ``[N]`` -> ``[N, h]``
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
    ) -> None:
        super().__init__()
        if conv is None and heads is None:
            raise ValueError("a GPS backbone needs a convolution, attention heads, or both")
        self.channels = channels
        self.layers = nn.ModuleList(
            GPSLayer(
                channels,
                conv=conv,
                heads=heads,
                dropout=dropout,
                attention_dropout=attention_dropout,
                norm=norm,
            )
            for _ in range(layers)
        )
        self.uses_edges = conv in WITH_EDGES

    def forward(
        self, x: Tensor, edge_index: Tensor, edge_attr: Tensor | None, batch: Tensor
    ) -> Tensor:
        for layer in self.layers:
            x, edge_attr = layer(x, edge_index, edge_attr, batch)
        return x

    def extra_repr(self) -> str:
        return f"channels={self.channels}"
