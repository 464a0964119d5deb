"""GIN and GINE whose messages pass gates by distance."""

import torch
from torch import Tensor, nn

from ogeaug.backbones.distance_gate import DistanceGate


class GatedGINConv(nn.Module):
    r"""Neighbours, weighed by a gate of the distance to each.

    .. math:: x_i' = \operatorname{MLP}\Big( x_i + \sum_j r_{ij} \, m_{ij} \Big), \qquad
        m_{ij} = \operatorname{ReLU}(x_j + e_{ij}) \text{ (GINE) or } x_j \text{ (GIN)}

    with r of :class:`DistanceGate`: GINE with EquivStableLapPE in GraphGPS.

    Args:
        mlp: channels -> channels.
        channels: Width h.
        uses_edges: Whether it takes edge features.

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]``, distance ``[E, 1]`` -> x,
          edge_attr alike
    """

    def __init__(self, mlp: nn.Sequential, channels: int, *, uses_edges: bool) -> None:
        super().__init__()
        self.mlp, self.uses_edges = mlp, uses_edges
        self.gate = DistanceGate(channels)

    def forward(
        self, x: Tensor, edge_index: Tensor, edge_attr: Tensor | None, distance: Tensor | None
    ) -> tuple[Tensor, Tensor | None]:
        assert distance is not None
        source, target = edge_index
        message = x.index_select(0, source)  # [E, h]
        if self.uses_edges:
            assert edge_attr is not None
            message = (message + edge_attr).relu()
        message = self.gate(distance) * message
        total = torch.zeros_like(x).to(message.dtype).index_add(0, target, message)
        return self.mlp(x + total), edge_attr
