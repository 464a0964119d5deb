"""The last step of a model: node vectors -> predictions in the units of the targets."""

from collections.abc import Callable
from typing import Self

import torch
from torch import Tensor, nn
from torch_geometric.data import Data
from torch_geometric.nn import global_add_pool, global_mean_pool

TYPICAL = 20.0
"""Nodes of a small molecule: a sum divided by it is about as large as a mean."""


def sum_mean_pool(x: Tensor, batch: Tensor, size: int) -> Tensor:
    """Half of the channels as sums / :data:`TYPICAL`, the others as means: ``[N, h] -> [B, h]``.

    Some targets grow with the molecule and others do not; here the head need not learn which.
    """
    half = x.size(1) // 2
    sums = global_add_pool(x[:, :half], batch, size) / TYPICAL
    return torch.cat([sums, global_mean_pool(x[:, half:], batch, size)], 1)


POOLING = {"sum": global_add_pool, "mean": global_mean_pool, "sum_mean": sum_mean_pool}
"""Names of the graph poolings in configuration files."""


class Scale(nn.Module):
    r"""Turns standardised numbers into the units of the targets: :math:`\sigma y + \mu`.

    Both are set from training data and saved with the model. They are float64 whatever the dtype of
    the model, as is the result: targets like 1e9 + i differ in digits that float32 does not have.

    Args:
        channels: Number of targets t.

    Shapes:
        - ``[B, t]`` -> ``[B, t]`` float64
    """

    mean: Tensor
    std: Tensor

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(channels, dtype=torch.float64))
        self.register_buffer("std", torch.ones(channels, dtype=torch.float64))

    @torch.no_grad()
    def fit(self, y: Tensor) -> None:
        """Takes mean and standard deviation of each column ``[rows, t]``, NaN left out."""
        y = y.double()
        mean = y.nanmean(0)
        std = (y - mean).square().nanmean(0).sqrt()
        self.mean.copy_(mean)
        self.std.copy_(torch.where(std > 0, std, 1.0))

    def forward(self, y: Tensor) -> Tensor:
        return y.double() * self.std + self.mean

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        # Moves with the model, but .float() and .bfloat16() of the model leave it as it is.
        device = fn(torch.zeros(1, device=self.mean.device)).device
        self.mean, self.std = self.mean.to(device), self.std.to(device)
        return self


class GraphHead(nn.Module):
    """Pools each graph, then an MLP that halves its width at each layer.

    Args:
        channels: Width h of the nodes.
        out_channels: Number t of targets (or classes).
        pooling: ``"sum"``, ``"mean"`` or ``"sum_mean"``.
        layers: Hidden layers of the MLP.
        dropout: In the MLP.
        standardized: Whether targets are numbers, to which :class:`Scale` leads back.

    Shapes:
        - x ``[N, h]``, a batch of B graphs -> ``[B, t]``, float64 if standardized
    """

    def __init__(
        self,
        channels: int,
        out_channels: int,
        *,
        pooling: str = "sum_mean",
        layers: int = 2,
        dropout: float = 0.0,
        standardized: bool = True,
    ) -> None:
        super().__init__()
        self.pooling, self.standardized = pooling, standardized
        self.mlp = halving_mlp(channels, out_channels, layers, dropout)
        self.scale = Scale(out_channels)

    def forward(self, x: Tensor, data: Data, batch: Tensor) -> Tensor:
        size = getattr(data, "num_graphs", None)
        if size is None:  # no Batch, but it may have a batch vector
            size = int(batch.max()) + 1
        out = self.mlp(POOLING[self.pooling](x, batch, size))  # [B, t]
        return self.scale(out) if self.standardized else out

    def shares(self, x: Tensor) -> Tensor:
        """What each node of one graph adds to the pooled vector: ``[n, h] -> [n, h]``."""
        n, h = x.shape
        scale = {"sum": x.new_ones(h), "mean": x.new_full((h,), 1 / n)}
        half = torch.arange(h, device=x.device) < h // 2
        scale["sum_mean"] = torch.where(half, 1 / TYPICAL, scale["mean"])
        return x * scale[self.pooling]

    def extra_repr(self) -> str:
        return f"pooling={self.pooling!r}"


class NodeHead(nn.Module):
    """An MLP at each node.

    Shapes:
        - x ``[N, h]`` -> ``[N, t]``
    """

    def __init__(
        self, channels: int, out_channels: int, *, layers: int = 2, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.mlp = halving_mlp(channels, out_channels, layers, dropout)
        self.scale = Scale(out_channels)  # classes need none; model files have it

    def forward(self, x: Tensor, data: Data, batch: Tensor) -> Tensor:
        out: Tensor = self.mlp(x)
        return out


class LinkHead(nn.Module):
    r"""An MLP at each node; pairs are scored by the dot product of their vectors.

    .. math:: s_{ij} = z_i^\top z_j, \qquad z_i = \operatorname{MLP}(x_i)

    Args:
        channels: Width h.
        layers: Hidden layers of the MLP.
        dropout: In the MLP.

    Shapes:
        - x ``[N, h]`` -> z ``[N, h]``
    """

    def __init__(self, channels: int, *, layers: int = 2, dropout: float = 0.0) -> None:
        super().__init__()
        steps: list[nn.Module] = []
        for _ in range(layers):
            steps += [nn.Linear(channels, channels), nn.ReLU(), nn.Dropout(dropout)]
        self.mlp = nn.Sequential(*steps, nn.Linear(channels, channels))

    def forward(self, x: Tensor, data: Data, batch: Tensor) -> Tensor:
        z: Tensor = self.mlp(x)
        return z


def halving_mlp(channels: int, out_channels: int, layers: int, dropout: float) -> nn.Sequential:
    """``layers`` hidden layers, each of half the width before it, then a linear one."""
    steps: list[nn.Module] = []
    for _ in range(layers):
        half = max(1, channels // 2)
        steps += [nn.Linear(channels, half), nn.ReLU(), nn.Dropout(dropout)]
        channels = half
    return nn.Sequential(*steps, nn.Linear(channels, out_channels))
