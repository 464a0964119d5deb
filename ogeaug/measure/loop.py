"""Encodings on a small loop around a graph: whether they come back steadily, or by jumps."""

import math

import torch
from torch import Generator, nn
from torch_geometric.data import Data

from ogeaug.errors import UserError
from ogeaug.measure.stability import random_direction, reweighted


@torch.no_grad()
def loop_path(
    encoding: nn.Module,
    data: Data,
    *,
    size: float = 1e-3,
    steps: int = 72,
    generator: Generator | None = None,
) -> list[float]:
    r"""The change since the loop's start, of edge weights that go once around those of a graph.

    .. math:: w(\theta) = w + \varepsilon (a \cos \theta + b \sin \theta)

    with random directions a and b that change L by norm 1. Where the graph has a repeated
    eigenvalue, its eigenvectors turn by a half circle on the way, however small the loop is.

    Args:
        encoding: In float64 and eval mode.
        data: One graph with at least one edge.
        size: :math:`\varepsilon`.
        steps: Of equal angle; the last one is back at the start.
        generator: Of the directions.

    Returns:
        :math:`\|Z(\theta) - Z(0)\|_F / \|Z(0)\|_F` after each step.

    Example:
        >>> from ogeaug import OGEAug
        >>> ring = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> moved = loop_path(OGEAug(8, hidden_channels=8).double().eval(), ring, steps=4)
        >>> max(moved) < 1e-2, moved[-1] < 1e-9
        (True, True)
    """
    if size <= 0 or steps < 2:
        raise ValueError(f"a loop has a positive size and at least 2 steps, got {size}, {steps}")
    a, b = (random_direction(data, generator) for _ in range(2))
    weight = reweighted(data, None).edge_weight
    if ((weight > 0) & (size * torch.hypot(a, b) > weight)).any():
        raise UserError(
            f"a loop of size {size:g} makes edge weights negative; choose a smaller one"
        )
    angles = [2 * math.pi * i / steps for i in range(steps + 1)]
    start, *found = (
        encoding(reweighted(data, size * (math.cos(t) * a + math.sin(t) * b))) for t in angles
    )
    scale = float(start.norm()) or 1.0
    return [float((z - start).norm()) / scale for z in found]
