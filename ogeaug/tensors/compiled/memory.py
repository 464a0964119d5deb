"""Memory that one step of training takes over from another.

What the system hands out anew it fills with zeros, page by page: up to a third of a step.
"""

import torch
from torch import Tensor

MOST_BYTES, MOST_PIECES = 256 * 2**20, 2
"""Of what is put aside. A step often begins while the graph of the last one is still there."""
_ASIDE: list[Tensor] = []


class Loan:
    """Memory for so many numbers; put aside when nothing refers to the loan any more.

    Whoever has :attr:`numbers` must keep the loan.

    Args:
        count: How many numbers.
        dtype: Their kind.
    """

    def __init__(self, count: int, dtype: torch.dtype) -> None:
        size = count * dtype.itemsize
        self._memory = _take(size)
        self.numbers = self._memory[:size].view(dtype)  # [count]

    def __del__(self) -> None:
        memory = getattr(self, "_memory", None)  # absent where there was none to be had
        if memory is None or _ASIDE is None:  # None: Python is about to end
            return
        if len(_ASIDE) < MOST_PIECES and sum(map(len, _ASIDE)) + len(memory) <= MOST_BYTES:
            _ASIDE.append(memory)


def _take(size: int) -> Tensor:
    """At least so many bytes; what was put aside and is too small is let go."""
    while _ASIDE:
        memory = _ASIDE.pop()
        if len(memory) >= size:
            return memory
    return torch.empty(size + size // 4, dtype=torch.uint8, device="cpu")  # batches differ in size
