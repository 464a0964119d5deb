"""Local convolutions by name, all with one call: (x, edge_index, edge_attr) -> (x, edge_attr)."""

from collections.abc import Callable

from torch import Tensor, nn
from torch_geometric.nn import GATConv, GCNConv, GINConv, GINEConv

from ogeaug.backbones.gated_gcn import GatedGCNConv


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

    def reset_parameters(self) -> None:
        self.conv.reset_parameters()  # type: ignore[operator]

    def forward(
        self, x: Tensor, edge_index: Tensor, edge_attr: Tensor | None
    ) -> tuple[Tensor, Tensor | None]:
        if not self.uses_edges:
            return self.conv(x, edge_index), edge_attr
        return self.conv(x, edge_index, edge_attr), edge_attr


def _mlp(channels: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(channels, channels), nn.ReLU(), nn.Linear(channels, channels))


def _gcn(channels: int, heads: int | None) -> nn.Module:
    return LocalConv(GCNConv(channels, channels), uses_edges=False)


def _gin(channels: int, heads: int | None) -> nn.Module:
    return LocalConv(GINConv(_mlp(channels)), uses_edges=False)


def _gine(channels: int, heads: int | None) -> nn.Module:
    return LocalConv(GINEConv(_mlp(channels)), uses_edges=True)


def _gat(channels: int, heads: int | None) -> nn.Module:
    heads = heads or 1
    conv = GATConv(channels, channels // heads, heads=heads, edge_dim=channels)
    return LocalConv(conv, uses_edges=True)


def _gated_gcn(channels: int, heads: int | None) -> nn.Module:
    return GatedGCNConv(channels)


CONVS: dict[str, Callable[[int, int | None], nn.Module]] = {
    "gcn": _gcn,
    "gin": _gin,
    "gine": _gine,
    "gat": _gat,
    "gatedgcn": _gated_gcn,
}
"""Names of the convolutions in configuration files."""

WITH_EDGES = frozenset({"gine", "gat", "gatedgcn"})
"""The convolutions that take edge features."""
