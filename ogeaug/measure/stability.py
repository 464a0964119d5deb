"""How much an encoding moves when the graph moves a little: numbers, no verdicts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn
from torch_geometric.data import Data

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
    """

    sizes: tuple[float, ...]
    changes: tuple[float, ...]
    exponent: float
    half_power: float


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
    return Curve(tuple(sizes), changes, slope(sizes, changes), half_power)


@torch.no_grad()
def edge_changes(encoding: nn.Module, data: Data) -> list[float]:
    r"""The change :math:`\|Z - Z'\|_F / \|Z\|_F` by leaving out one edge, for each edge."""
    plain = without_spectrum(data)
    start = encoding(plain)
    scale = float(start.norm()) or 1.0
    i, j = data.edge_index
    changes = []
    for a, b in sorted({(min(p), max(p)) for p in zip(i.tolist(), j.tolist(), strict=True)}):
        kept = ~(((i == a) & (j == b)) | ((i == b) & (j == a)))
        changes.append(float((encoding(plain.edge_subgraph(kept)) - start).norm()) / scale)
    return changes


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
    n = int(data.num_nodes or 0)
    if data.num_edges == 0:
        raise ValueError("a graph without edges has no weights to perturb")
    noise = torch.randn(n, n, dtype=torch.float64, generator=generator)
    i, j = data.edge_index
    change = (noise + noise.T)[i, j]  # [E]
    adjacency = torch.zeros(n, n, dtype=torch.float64)
    adjacency[i, j] = change
    adjacency[j, i] = change
    laplacian = torch.diag(adjacency.sum(1)) - adjacency
    return change / laplacian.norm()
