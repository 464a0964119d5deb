"""A scalar network on inner products."""

import torch
from torch import Tensor, nn

from ogeaug.pointclouds.base import PointCloud, mlp


class InnerProductCloud(PointCloud):
    r"""Message passing between all pairs of points, with inner products as edge features.

    .. math::
        h_i^{(0)} = \operatorname{MLP}(\langle x_i, x_i \rangle), \qquad
        h_i \mathrel{+}= \operatorname{MLP}\Big(\operatorname{norm}\big(h_i, \textstyle\sum_j
            \operatorname{MLP}(h_i, h_j, \langle x_i, x_j \rangle) \, \langle x_i, x_j \rangle,
            \ \sum_{jk} a_{ij} \, \langle x_j, x_k \rangle \, b_{ki} \big)\Big)

    with :math:`a_{ij}, b_{ki}` from the MLP of the pair: the last sum lets three points interact.

    Universal: no (it refines pairs and triples, so it is bounded by 3-WL on the Gram matrix).
    Cost: :math:`O(n^2 p)` for the Gram matrix, :math:`O(n^3 c)` for the triples.

    Args:
        channels: Width c.
        num_layers: Rounds of messages.

    Shapes:
        - points ``[n, p]`` -> ``[n, c]``

    Example:
        >>> InnerProductCloud(8)(torch.randn(5, 3)).shape
        torch.Size([5, 8])
    """

    def __init__(self, channels: int, *, num_layers: int = 2) -> None:
        super().__init__(channels)
        if num_layers < 1:
            raise ValueError(f"num_layers must be at least 1, got {num_layers}")
        self.num_layers = num_layers
        self.start = mlp(1, channels)
        self.left = nn.ModuleList(nn.Linear(channels, channels) for _ in range(num_layers))
        self.right = nn.ModuleList(nn.Linear(channels, channels) for _ in range(num_layers))
        self.gram = nn.ModuleList(nn.Linear(1, channels) for _ in range(num_layers))
        self.pair = nn.ModuleList(nn.Linear(channels, channels) for _ in range(num_layers))
        self.norm = nn.ModuleList(nn.LayerNorm(3 * channels) for _ in range(num_layers))
        self.update = nn.ModuleList(mlp(3 * channels, channels) for _ in range(num_layers))

    def forward(self, points: Tensor) -> Tensor:
        gram = points @ points.mT  # [n, n]
        h = self.start(gram.diagonal().unsqueeze(-1))  # [n, c]
        for left, right, of_gram, pair, norm, update in zip(
            self.left, self.right, self.gram, self.pair, self.norm, self.update, strict=True
        ):
            edge = left(h).unsqueeze(1) + right(h) + of_gram(gram.unsqueeze(-1))  # [n, n, c]
            a = pair(nn.functional.silu(edge)) * gram.unsqueeze(-1)  # [n, n, c]
            triples = torch.einsum("ijc,jk,kic->ic", a, gram, a)  # [n, c]
            h = h + update(norm(torch.cat([h, a.sum(1), triples], -1)))
        return h

    def extra_repr(self) -> str:
        return f"{self.channels}, num_layers={self.num_layers}"
