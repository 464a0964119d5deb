"""How much an encoding moves when the graph moves a little: numbers, no verdicts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn
from torch_geometric.data import Data

from ogeaug.errors import UserError
from ogeaug.measure.invariance import without_spectrum

SIZES = tuple(10.0**e for e in (-8, -7, -6, -5, -4, -3, -2, -1))


@dataclass(frozen=True)
class Curve:
    r"""Change of the output against the size of a perturbation.

    Attributes:
        sizes: :math:`\|L - L'\|_F`.
        changes: :math:`\|Z - Z'\|_F / \|Z\|_F`, the largest of several draws for each size.
        exponent: Slope of log(change) over log(size), fitted to all sizes. 1 for a differentiable
            encoding, at least 1/2 by the paper's bound. A jump shows in ``half_power``.
        half_power: The largest change / size^(1/2), the constant of the bound's power: moderate
            for a stable encoding, large for one that jumps at a small size.
        scale: :math:`\|Z\|_F`, which changes are divided by.
        spectral: The largest :math:`\|L - L'\|_2 / \|L - L'\|_F` of the directions.
    """

    sizes: tuple[float, ...]
    changes: tuple[float, ...]
    exponent: float
    half_power: float
    scale: float = 1.0
    spectral: float = 1.0


@torch.no_grad()
def stability_curve(
    encoding: nn.Module,
    data: Data,
    *,
    sizes: Sequence[float] = SIZES,
    draws: int = 5,
    generator: Generator | None = None,
) -> Curve:
    """Perturbs the weights of the edges, which keeps L a Laplacian, and measures the change.

    Args:
        encoding: In float64 and eval mode, or rounding and its own randomness count.
        data: One graph with at least one edge.
        sizes: Frobenius norms of the change of L.
        draws: Random directions; the same ones for each size.
        generator: Of the directions.

    Example:
        >>> from ogeaug import OGEAug
        >>> path = Data(edge_index=torch.tensor([[0, 1, 2], [1, 2, 3]]), num_nodes=4)
        >>> encode = OGEAug(8, hidden_channels=8).double().eval()
        >>> round(stability_curve(encode, path).exponent, 1)
        1.0
    """
    if not sizes or min(sizes) <= 0 or draws < 1:
        raise ValueError(f"positive sizes and at least one draw are needed: {sizes}, {draws}")
    start = encoding(reweighted(data, None))
    scale = float(start.norm()) or 1.0
    directions = [random_direction(data, generator) for _ in range(draws)]
    changes = tuple(
        max(
            float((encoding(reweighted(data, size * d)) - start).norm()) / scale for d in directions
        )
        for size in sizes
    )
    half_power = max(c / math.sqrt(s) for s, c in zip(sizes, changes, strict=True))
    spectral = max(spectral_share(data, direction) for direction in directions)
    return Curve(tuple(sizes), changes, slope(sizes, changes), half_power, scale, spectral)


def reweighted(data: Data, change: Tensor | None) -> Data:
    """The graph with weights 1 + change, or 1."""
    out = without_spectrum(data)
    weight = data.get("edge_weight", None)
    base = torch.ones(data.num_edges) if weight is None else weight
    out.edge_weight = base.double() if change is None else base.double() + change
    return out


def slope(sizes: Sequence[float], changes: Sequence[float]) -> float:
    """Least-squares slope in the log-log plot; NaN if fewer than two changes are not zero."""
    points = [(math.log(s), math.log(c)) for s, c in zip(sizes, changes, strict=True) if c > 0]
    if len(points) < 2:
        return math.nan
    xs, ys = zip(*points, strict=True)
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a in xs)


def random_direction(data: Data, generator: Generator | None) -> Tensor:
    """A random symmetric change of the edge weights ``[E]`` that changes L by norm 1."""
    if data.num_edges == 0:
        raise UserError("a graph without edges has no weights to perturb; choose another graph")
    n = int(data.num_nodes or 0)
    noise = torch.randn(n, n, dtype=torch.float64, generator=generator)
    change = (noise + noise.T)[data.edge_index[0], data.edge_index[1]]  # [E]
    return change / _laplacian(data, change).norm()


def spectral_share(data: Data, change: Tensor) -> float:
    """The spectral norm, over the Frobenius norm, of what a change of edge weights does to L."""
    laplacian = _laplacian(data, change)
    return float(torch.linalg.matrix_norm(laplacian, 2) / laplacian.norm())


def _laplacian(data: Data, weight: Tensor) -> Tensor:
    n, (i, j) = int(data.num_nodes or 0), data.edge_index
    adjacency = torch.zeros(n, n, dtype=torch.float64)
    adjacency[i, j] = weight
    adjacency[j, i] = weight
    return torch.diag(adjacency.sum(1)) - adjacency
