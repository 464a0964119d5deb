"""The gated graph convolution that also updates edges (Bresson and Laurent, 2017)."""

import torch
from torch import Tensor, nn

from ogeaug.backbones.distance_gate import DistanceGate
from ogeaug.backbones.norms import NORMS


class GatedGCNConv(nn.Module):
    r"""Neighbours weighted by gates that are computed from, and kept on, the edges.

    .. math::
        \hat e_{ij} = A h_i + B h_j + C e_{ij}, \qquad
        h_i' = U h_i + \frac{\sum_j r_{ij} \sigma(\hat e_{ij}) \odot V h_j}
            {\sum_j r_{ij} \sigma(\hat e_{ij}) + \epsilon}, \qquad
        e_{ij}' = e_{ij} + \operatorname{dropout}(\operatorname{ReLU}(
            \operatorname{norm}(\hat e_{ij})))

    with r = 1, or that of :class:`DistanceGate`, as GraphGPS has it for EquivStableLapPE.

    Args:
        channels: Width h of nodes and edges.
        norm: Of the edges: ``"batch"``, ``"layer"`` or ``"none"``.
        dropout: Of the edges.
        residual: Whether edges add what they were.
        gated: Whether distances gate the messages.

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]``, distance ``[E, 1]`` or None ->
          x, edge_attr alike
    """

    def __init__(
        self,
        channels: int,
        *,
        norm: str = "batch",
        dropout: float = 0.0,
        residual: bool = True,
        gated: bool = False,
    ) -> None:
        super().__init__()
        self.A, self.B, self.C, self.U, self.V = (nn.Linear(channels, channels) for _ in range(5))
        self.norm = NORMS[norm](channels)
        self.dropout = nn.Dropout(dropout)
        self.residual = residual
        self.gate = DistanceGate(channels) if gated else None

    def forward(
        self, x: Tensor, edge_index: Tensor, edge_attr: Tensor, distance: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        source, target = edge_index
        e = self.A(x).index_select(0, target) + self.B(x).index_select(0, source)
        e = e + self.C(edge_attr)  # [E, h]
        gate = e.sigmoid()
        if self.gate is not None:
            gate = gate * self.gate(distance)
        zeros = torch.zeros_like(x)
        total = zeros.to(gate.dtype).index_add(0, target, gate)  # [N, h]
        sent = self.V(x).index_select(0, source)  # [E, h]
        weighted = zeros.to(gate.dtype).index_add(0, target, gate * sent)
        x = self.U(x) + weighted / (total + 1e-6)
        new = self.dropout(self.norm(e).relu())
        return x, edge_attr + new if self.residual else new
