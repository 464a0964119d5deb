"""Layers one after the other, in less memory: what is large is computed again, not kept."""

from collections.abc import Callable, Sequence
from functools import partial

from torch import Tensor
from torch.utils.checkpoint import checkpoint

KEEP_LAYERS = 2 * 2**30
"""Bytes: layers that would keep more for their backward pass are computed again instead."""

Step = Callable[..., tuple[Tensor, ...]]


def run_steps(steps: Sequence[Step], *inputs: Tensor, recompute: bool) -> tuple[Tensor, ...]:
    """What the steps give, each called with the tensors that the one before it returned.

    Args:
        steps: At least one, without random numbers and running statistics.
        inputs: Of the first step.
        recompute: Keep only the input of a few steps, so that the backward pass has to run each
            step up to about log2(len(steps)) more times, and holds the tensors of one step and of
            the boundaries of log2(len(steps)) others. Same results, same gradients.
    """
    if not recompute:
        for step in steps:
            inputs = step(*inputs)
        return inputs
    return _run_halves(tuple(steps), *inputs)


def _run_halves(steps: tuple[Step, ...], *inputs: Tensor) -> tuple[Tensor, ...]:
    if len(steps) == 1:
        return _forget(steps[0], *inputs)
    half = len(steps) // 2
    inputs = _forget(partial(_run_halves, steps[:half]), *inputs)
    return _run_halves(steps[half:], *inputs)


def _forget(step: Step, *inputs: Tensor) -> tuple[Tensor, ...]:
    found: tuple[Tensor, ...] = checkpoint(
        step, *inputs, use_reentrant=False, preserve_rng_state=False
    )
    return found
