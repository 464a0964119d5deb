"""Local convolutions by name, all with one call.

``(x, edge_index, edge_attr, distance) -> (x, edge_attr)``
"""

from dataclasses import dataclass

from torch import Tensor, nn
from torch_geometric.nn import GATConv, GCNConv, GINConv

from ogeaug.backbone_names import CONVS, WITH_EDGES, WITH_GATES
from ogeaug.backbones.gated_gcn import GatedGCNConv
from ogeaug.backbones.gated_gin import GatedGINConv
from ogeaug.backbones.gine import GINEConv


@dataclass(frozen=True)
class ConvOptions:
    """What convolutions may be told besides their width.

    Attributes:
        heads: Of ``"gat"``.
        gated: Whether distances gate the messages.
        plain: Whether ``"gatedgcn"`` is that of earlier versions: a layer norm on edges, no dropout
            of edges, edges always with residual.
        norm: Of the edges of ``"gatedgcn"``; dropout and residual likewise.
    """

    heads: int | None = None
    gated: bool = False
    plain: bool = False
    norm: str = "batch"
    dropout: float = 0.0
    residual: bool = True


class LocalConv(nn.Module):
    """One of PyG's convolutions behind the common call.

    Args:
        conv: The convolution, channels -> channels.
        uses_edges: Whether it takes edge features.

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]`` -> the same
    """

    def __init__(self, conv: nn.Module, *, uses_edges: bool) -> None:
        super().__init__()
        self.conv = conv
        self.uses_edges = uses_edges

    def forward(
        self,
        x: Tensor,
        edge_index: Tensor,
        edge_attr: Tensor | None,
        distance: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        if not self.uses_edges:
            return self.conv(x, edge_index), edge_attr
        return self.conv(x, edge_index, edge_attr), edge_attr


def make_conv(name: str, channels: int, options: ConvOptions) -> nn.Module:
    """A convolution from its name.

    Args:
        name: One of :data:`~ogeaug.backbone_names.CONVS`.
        channels: Its width.
        options: See there.

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]``, distance ``[E, 1]`` or None ->
          x, edge_attr
    """
    if name not in CONVS:
        raise ValueError(f"unknown convolution {name!r}; choose from {', '.join(CONVS)}")
    if options.gated and name not in WITH_GATES:
        raise ValueError(f"messages of {name} cannot be gated by distances")
    if name == "gcn":
        return LocalConv(GCNConv(channels, channels), uses_edges=False)
    if name == "gat":
        heads = options.heads or 1
        conv = GATConv(channels, channels // heads, heads=heads, edge_dim=channels)
        return LocalConv(conv, uses_edges=True)
    if name == "gatedgcn":
        if options.plain:
            return GatedGCNConv(channels, norm="layer", gated=options.gated)
        return GatedGCNConv(
            channels,
            norm=options.norm,
            dropout=options.dropout,
            residual=options.residual,
            gated=options.gated,
        )
    edges = name in WITH_EDGES
    mlp = nn.Sequential(nn.Linear(channels, channels), nn.ReLU(), nn.Linear(channels, channels))
    if options.gated:
        return GatedGINConv(mlp, channels, uses_edges=edges)
    return LocalConv(GINEConv(mlp) if edges else GINConv(mlp), uses_edges=edges)
