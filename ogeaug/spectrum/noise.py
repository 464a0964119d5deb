"""The random numbers that disturb Laplacians in training."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Draw:
    """Noise and new numbers of nodes for the graphs of a batch.

    Attributes:
        place: ``[N]`` int64, the new number of each node in its graph; None to leave the order.
        noise: ``[sum n (n + 1) / 2]`` float32, standard normal, each graph's lower triangle row by
            row; None for none. Noise needs no more digits, and torch draws these faster.
        scale: Standard deviation of the noise.
    """

    place: Tensor | None
    noise: Tensor | None
    scale: float


def draw(sizes: list[int], variance: float, permute: bool) -> Draw:
    """Draws from torch's global generator, the same numbers whatever uses them."""
    place = noise = None
    if variance > 0:
        count = sum(n * (n + 1) // 2 for n in sizes)
        noise = torch.randn(count, dtype=torch.float32, device="cpu")
    if permute:
        orders = [torch.randperm(n, device="cpu") for n in sizes]
        place = orders[0] if len(orders) == 1 else torch.cat(orders)
    return Draw(place, noise, variance**0.5)
