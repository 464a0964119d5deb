"""The steps of a search in PyTorch, with gradients."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ogeaug.pointclouds.tree import Branch

if TYPE_CHECKING:
    from ogeaug.pointclouds.search import SearchCloud

EQUAL = 1e3
"""Inner products that differ by less than this many roundings of the largest are equal."""


@dataclass(frozen=True, eq=False)
class Cloud:
    """What a search looks at.

    Attributes:
        gram: Inner products ``[n, n]``.
        kernels: What points send to each other, ``[c, n, n]``.
        start: First features ``[c, n]``.
    """

    gram: Tensor
    kernels: Tensor
    start: Tensor

    @property
    def tolerance(self) -> float:
        return EQUAL * torch.finfo(self.gram.dtype).eps * float(self.gram.detach().abs().max())


class TorchSteps:
    """Branch by branch, with gradients to all that has them."""

    def __init__(self, network: "SearchCloud", cloud: Cloud) -> None:
        self.network, self.cloud = network, cloud
        self.gram, self.tolerance = cloud.gram.detach(), cloud.tolerance
        self.last: tuple[tuple[int, ...], Tensor]  # marks, and the points sorted by their features
        self.kept: list[tuple[tuple[int, ...], Tensor]] = []

    def visit(self, marks: tuple[int, ...]) -> Branch:
        network, cloud = self.network, self.cloud
        x = network.refine(mark(cloud.start, marks), cloud.kernels)  # [c, n]
        line = torch.linspace(1, 2, len(x), dtype=x.dtype, device=x.device) @ x.detach()  # [n]
        self.last = marks, line.argsort()
        square = float(line.square().mean())
        return Branch(network.value(x.T), network.choose(x), key(square, x.dtype))

    def keep(self) -> int:
        self.kept.append(self.last)
        return len(self.kept) - 1

    def match(self, numbers: list[int]) -> tuple[int, Tensor] | None:
        marks, order = self.last
        for number in numbers:
            others, other = self.kept[number]
            perm = torch.empty_like(order)
            perm[other] = order
            if perm[list(others)].tolist() == list(marks):
                error = self.gram[order][:, order] - self.gram[other][:, other]
                if float(error.abs().max()) <= self.tolerance:
                    return number, perm
        return None


def mark(x: Tensor, marks: tuple[int, ...]) -> Tensor:
    """The features ``[c, n]`` with those of the marked points replaced by waves, one a mark."""
    channel = torch.arange(1.0, len(x) + 1, dtype=x.dtype, device=x.device)
    x = x.clone()
    for k, point in enumerate(marks, 1):
        x[:, point] = 2 * torch.cos(k * channel)
    return x


def key(square: float, dtype: torch.dtype) -> int:
    """A number for features whose mean square is the same up to rounding; -1 for no number."""
    return round(square * torch.finfo(dtype).eps ** (-1 / 3)) if square < math.inf else -1
