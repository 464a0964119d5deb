"""A scalar network on tuples of points."""

from itertools import combinations

import torch
from torch import Tensor, nn

from ogeaug.pointclouds.base import PointCloud
from ogeaug.tensors.blocks import CHUNK
from ogeaug.tensors.memory import memory_bytes

COPIES = 7
"""Tensors of all tuples alive at once, without gradients (measured: 6.7)."""


class TupleCloud(PointCloud):
    r"""Refines features of all a-tuples of points, which start from the inner products.

    .. math::
        X_t &= \tanh \textstyle\sum_{p < q} Q_{pq} (\langle x_{t_p}, x_{t_q} \rangle,
            \delta_{t_p t_q}) \\
        X_t &\leftarrow \tanh \Big( Q X_t + \textstyle\sum_p Q_p \operatorname{norm} \sum_j
            A_p X_{t[p+1 \to j]} \cdot B_p X_{t[p \to j]} \Big)

    where :math:`t[p \to j]` has point j in place p (places in a ring), and norm subtracts the mean
    over all tuples and divides by the standard deviation. The features of a point are linear maps
    of the means over all tuples with that point in each place.

    Universal: as a goes to n; at a fixed a it is bounded by (a + 1)-WL on the inner products.
    Unlike Cartesian tensors, it has a non-linearity for each tuple, so that small differences
    survive many layers. Cost: :math:`O(a n^{a + 1} c)` operations, :math:`7 n^a c` numbers.

    Args:
        channels: Width c.
        arity: Size a of the tuples, 2 or more.
        num_layers: Rounds of refinement.
        gain: Size of the initial weights. 2 makes untrained networks more sensitive.

    Shapes:
        - points ``[n, p]`` -> ``[n, c]``

    Example:
        >>> TupleCloud(8)(torch.randn(5, 3)).shape
        torch.Size([5, 8])
    """

    def __init__(
        self, channels: int, *, arity: int = 2, num_layers: int = 2, gain: float = 1.0
    ) -> None:
        super().__init__(channels)
        if arity < 2 or num_layers < 1 or gain <= 0:
            raise ValueError(
                f"arity must be at least 2, num_layers at least 1, gain positive; got "
                f"{arity}, {num_layers}, {gain}"
            )
        self.arity, self.num_layers, self.gain = arity, num_layers, gain
        pairs = arity * (arity - 1) // 2
        self.start = nn.ModuleList(ChannelMap(2, channels, gain) for _ in range(pairs))
        self.layers = nn.ModuleList(
            TupleLayer(channels, arity, gain=gain) for _ in range(num_layers)
        )
        self.out = nn.Linear(arity * channels, channels)

    def forward(self, points: Tensor) -> Tensor:
        n, a = len(points), self.arity
        self._check_memory(points)
        gram, same = points @ points.mT, torch.eye(n, dtype=points.dtype, device=points.device)
        pair = normalise(torch.stack([gram - gram * same, same]))  # [2, n, n]
        x = pair.new_zeros(())
        for (p, q), start in zip(combinations(range(a), 2), self.start, strict=True):
            shape = [n if axis in (p, q) else 1 for axis in range(a)]
            x = x + start(pair).view(-1, *shape)  # [c, n, ..., n]
        x = x.tanh()
        for layer in self.layers:
            x = layer(x)
        means = [x.mean([1 + q for q in range(a) if q != p]) for p in range(a)]  # [c, n] each
        return self.out(torch.cat(means).T)  # [n, c]

    def _check_memory(self, points: Tensor) -> None:
        n = len(points)
        needed = COPIES * n**self.arity * self.channels * points.element_size()
        if points.device.type == "cpu" and needed > memory_bytes():
            raise MemoryError(
                f"{self.arity}-tuples of {n} points with {self.channels} channels need about "
                f"{needed / 2**30:.0f} GiB; this machine has {memory_bytes() / 2**30:.0f} GiB. "
                "Choose a smaller arity or fewer channels"
            )

    def extra_repr(self) -> str:
        return (
            f"{self.channels}, arity={self.arity}, num_layers={self.num_layers}, gain={self.gain}"
        )


class TupleLayer(nn.Module):
    """One refinement of :class:`TupleCloud`: ``[c, n, ..., n]`` -> the same."""

    def __init__(self, channels: int, arity: int, *, gain: float) -> None:
        super().__init__()
        self.own = ChannelMap(channels, channels, gain)
        self.left, self.right, self.joint = (
            nn.ModuleList(ChannelMap(channels, channels, gain) for _ in range(arity))
            for _ in range(3)
        )

    def forward(self, x: Tensor) -> Tensor:
        total = self.own(x)
        for p, maps in enumerate(zip(self.left, self.right, self.joint, strict=True)):
            left, right, joint = maps
            axes = (1 + p, 1 + (p + 1) % (x.dim() - 1))
            turned = x.movedim(axes, (-2, -1))  # [c, others, n, n]
            paths = _paths(turned.flatten(1, -3) if x.dim() > 3 else turned, left, right)
            total = total + joint(normalise(paths)).view(turned.shape).movedim((-2, -1), axes)
        return total.tanh()


def _paths(x: Tensor, left: nn.Module, right: nn.Module) -> Tensor:
    """Matrix products of two maps of x ``[c, ..., n, n]``, in parts that stay in cache."""
    if x.dim() == 3:
        return left(x) @ right(x)
    step = max(1, CHUNK // (x.size(0) * x.size(-1) ** 2))
    parts = (x[:, start : start + step] for start in range(0, x.size(1), step))
    return torch.cat([left(part) @ right(part) for part in parts], 1)


class ChannelMap(nn.Module):
    """A linear map of the first axis: ``[i, ...] -> [o, ...]``."""

    def __init__(self, in_channels: int, out_channels: int, gain: float) -> None:
        super().__init__()
        self.gain = gain
        self.weight = nn.Parameter(torch.empty(out_channels, in_channels))
        self.bias = nn.Parameter(torch.empty(out_channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.normal_(self.weight, std=self.gain * self.weight.size(1) ** -0.5)
        nn.init.normal_(self.bias, std=0.5)

    def forward(self, x: Tensor) -> Tensor:
        flat = torch.addmm(self.bias.unsqueeze(1), self.weight, x.flatten(1))
        return flat.view(-1, *x.shape[1:])


def normalise(x: Tensor, eps: float = 1e-2) -> Tensor:
    """Mean 0 and variance 1 over all but the first axis; what hardly varies becomes small."""
    flat = x.flatten(1)
    flat = flat - flat.mean(1, keepdim=True)
    return (flat * torch.rsqrt(flat.square().mean(1, keepdim=True) + eps)).view_as(x)
