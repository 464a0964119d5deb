"""The gated graph convolution that also updates edges (Bresson and Laurent, 2017)."""

import torch
from torch import Tensor, nn


class GatedGCNConv(nn.Module):
    r"""Neighbours weighted by gates that are computed from, and kept on, the edges.

    .. math::
        \hat e_{ij} = A h_i + B h_j + C e_{ij}, \qquad
        h_i' = U h_i + \frac{\sum_j \sigma(\hat e_{ij}) \odot V h_j}
            {\sum_j \sigma(\hat e_{ij}) + \epsilon}, \qquad
        e_{ij}' = e_{ij} + \operatorname{ReLU}(\operatorname{norm}(\hat e_{ij}))

    Args:
        channels: Width h of nodes and edges.

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]`` -> x, edge_attr alike
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.A, self.B, self.C, self.U, self.V = (nn.Linear(channels, channels) for _ in range(5))
        self.norm = nn.LayerNorm(channels)

    def reset_parameters(self) -> None:
        for module in self.children():
            module.reset_parameters()  # type: ignore[operator]

    def forward(self, x: Tensor, edge_index: Tensor, edge_attr: Tensor) -> tuple[Tensor, Tensor]:
        source, target = edge_index
        sent = torch.cat([self.B(x), self.V(x)], 1).index_select(0, source)  # [E, 2h]
        to_gate, value = sent.chunk(2, 1)
        e = self.A(x).index_select(0, target) + to_gate + self.C(edge_attr)  # [E, h]
        gate = e.sigmoid()
        zeros = torch.zeros_like(x)
        total = zeros.to(gate.dtype).index_add(0, target, gate)  # [N, h]
        weighted = zeros.to(gate.dtype).index_add(0, target, gate * value)
        x = self.U(x) + weighted / (total + 1e-6)
        return x, edge_attr + self.norm(e).relu()
