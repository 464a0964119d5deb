"""Message passing networks: one convolution again and again."""

from torch import Tensor, nn

from ogeaug.backbones.convs import CONVS, WITH_EDGES
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

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]``, batch ``[N]`` -> ``[N, h]``
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
    ) -> None:
        super().__init__()
        self.channels, self.residual = channels, residual
        self.convs = nn.ModuleList(CONVS[conv](channels, heads) for _ in range(layers))
        self.norms = nn.ModuleList(NORMS[norm](channels) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)
        self.uses_edges = conv in WITH_EDGES

    def forward(
        self, x: Tensor, edge_index: Tensor, edge_attr: Tensor | None, batch: Tensor
    ) -> Tensor:
        for conv, norm in zip(self.convs, self.norms, strict=True):
            new, edge_attr = conv(x, edge_index, edge_attr)
            new = self.dropout(norm(new).relu())  # [N, h]
            x = x + new if self.residual else new
        return x

    def extra_repr(self) -> str:
        return f"channels={self.channels}, residual={self.residual}"
