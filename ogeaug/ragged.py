"""Index arithmetic for lists of different lengths, one after the other."""

import torch
from torch import Tensor


def ragged_arange(counts: Tensor) -> Tensor:
    """``0..c-1`` for each count, one after another.

    Example:
        >>> ragged_arange(torch.tensor([2, 0, 3]))
        tensor([0, 1, 0, 1, 2])
    """
    ends = counts.cumsum(0)
    total = int(ends[-1]) if len(ends) else 0
    return torch.arange(total, device=counts.device) - torch.repeat_interleave(
        ends - counts, counts, output_size=total
    )
