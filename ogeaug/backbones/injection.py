"""Encodings that enter every layer of a backbone, not only the first."""

from collections.abc import Callable

from torch import Tensor, nn

Before = Callable[[int, Tensor, Tensor | None], tuple[Tensor, Tensor | None]]
"""What a backbone calls before each layer: (layer from 0, x, edge_attr) -> (x, edge_attr)."""


class Injection(nn.Module):
    r"""Adds encodings before each layer l after the first, which has them in its input.

    .. math:: x \mathrel{+}= P_l z, \qquad e \mathrel{+}= P'_l z'

    Args:
        channels: Width h of the backbone.
        node_channels: Width of the encodings z of nodes; 0 if there are none.
        edge_channels: Likewise z' of edges.
        depth: Layers of the backbone, at least 2.

    Shapes:
        - z ``[N, node_channels]``, z' ``[E, edge_channels]``; x ``[N, h]``, e ``[E, h]`` alike
    """

    def __init__(
        self, channels: int, *, node_channels: int, edge_channels: int, depth: int
    ) -> None:
        super().__init__()

        def maps(width: int) -> nn.ModuleList:
            count = depth - 1 if width else 0
            return nn.ModuleList(nn.Linear(width, channels, bias=False) for _ in range(count))

        self.nodes, self.edges = maps(node_channels), maps(edge_channels)

    def forward(self, z: Tensor | None, z_edges: Tensor | None) -> Before:
        """What the backbone is to call with the encodings of a batch."""

        def before(layer: int, x: Tensor, edge_attr: Tensor | None) -> tuple[Tensor, Tensor | None]:
            if layer and z is not None:
                x = x + self.nodes[layer - 1](z)
            if layer and z_edges is not None and edge_attr is not None:
                edge_attr = edge_attr + self.edges[layer - 1](z_edges)
            return x, edge_attr

        return before
