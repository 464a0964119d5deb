"""A vector-neuron network."""

import torch
from torch import Tensor, nn

from ogeaug.pointclouds.base import PointCloud, mlp


class VectorCloud(PointCloud):
    r"""Vectors and scalars at each point that update each other, in the manner of vector neurons.

    .. math::
        V_{i} = x_i \otimes q, \qquad s_i = s, \qquad
        s_i \mathrel{+}= \operatorname{MLP}\big(\operatorname{norm}(s_i, \langle V_i A, V_i B
            \rangle)\big), \qquad
        V_i \mathrel{+}= g(s_i) \odot V_i C + \sum_j \langle x_i, x_j \rangle \, g'(s_j) \odot V_j D

    where q and s are learned, A to D mix channels, and inner products are channel by channel.

    Universal: no (tensors of order 1 only). Cost: :math:`O(n p^2 c + n p c^2)`: the sum over j is
    done by the matrix :math:`\sum_j x_j V_j` once.

    Args:
        channels: Width c.
        num_layers: Updates.

    Shapes:
        - points ``[n, p]`` -> ``[n, c]``

    Example:
        >>> VectorCloud(8)(torch.randn(5, 3)).shape
        torch.Size([5, 8])
    """

    def __init__(self, channels: int, *, num_layers: int = 3) -> None:
        super().__init__(channels)
        if num_layers < 1:
            raise ValueError(f"num_layers must be at least 1, got {num_layers}")
        self.num_layers = num_layers
        self.q = nn.Parameter(torch.randn(channels))
        self.s = nn.Parameter(torch.randn(channels))

        def linears(out: int, count: int) -> nn.ModuleList:
            return nn.ModuleList(nn.Linear(channels, out, bias=False) for _ in range(count))

        last = num_layers - 1  # nothing reads the vectors after the last layer
        self.a, self.b = linears(channels, num_layers), linears(channels, num_layers)
        self.c, self.d = linears(channels, last), linears(channels, last)
        self.gate, self.send = linears(channels, last), linears(channels, last)
        self.norm = nn.ModuleList(nn.LayerNorm(2 * channels) for _ in range(num_layers))
        self.update = nn.ModuleList(mlp(2 * channels, channels) for _ in range(num_layers))

    def forward(self, points: Tensor) -> Tensor:
        vectors = points.unsqueeze(-1) * self.q  # [n, p, c]
        scalars = self.s.expand(len(points), -1)  # [n, c]
        for layer in range(self.num_layers):
            product = (self.a[layer](vectors) * self.b[layer](vectors)).sum(1)  # [n, c]
            scalars = scalars + self.update[layer](
                self.norm[layer](torch.cat([scalars, product], -1))
            )
            if layer + 1 < self.num_layers:
                sent = self.d[layer](vectors) * self.send[layer](scalars).unsqueeze(1)  # [n, p, c]
                moment = torch.einsum("jq,jpc->qpc", points, sent)  # [p, p, c]
                received = torch.einsum("iq,qpc->ipc", points, moment)
                gated = self.c[layer](vectors) * self.gate[layer](scalars).unsqueeze(1)
                vectors = vectors + gated + received
        return scalars

    def extra_repr(self) -> str:
        return f"{self.channels}, num_layers={self.num_layers}"
