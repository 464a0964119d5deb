"""What tensors on blocks will need, before anything is allocated; and errors of memory."""

import math

import torch

from ogeaug.spectrum.bands import find_bands
from ogeaug.spectrum.memory import memory_bytes
from ogeaug.spectrum.smoothing import Smoothing
from ogeaug.spectrum.spectra import SpectrumBatch

COPIES = 4
"""Tensors of the highest order alive at once, without gradients (measured: 2.7 to 2.9)."""


SAYS = (
    "can't allocate memory",
    "not enough memory",
    "bad_alloc",
    "Storage size calculation overflowed",
)
"""PyTorch has no class of its own for what the CPU's memory lacks."""

NO_MEMORY = "the memory of this machine does not suffice"


def out_of_memory(error: BaseException) -> bool:
    """Whether an error says that the memory does not suffice; ours, Python's or PyTorch's.

    Example:
        >>> out_of_memory(MemoryError()), out_of_memory(RuntimeError("a mistake"))
        (True, False)
    """
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return isinstance(error, RuntimeError) and any(text in str(error) for text in SAYS)


def block_bytes(
    spectra: SpectrumBatch, smoothing: Smoothing, order: int, channels: int, dtype: torch.dtype
) -> int:
    r"""Bytes that one forward pass without gradients needs, to within a factor of about 1.5.

    .. math:: h \cdot \text{bytes} \cdot \big( 4 \sum_{\text{clusters}} n \, c^p
        + p! \max_{\text{clusters}} c^p \big)

    with c the sizes of the clusters of eigenvalues less than :math:`\delta` apart, p the order. The
    last term, from order 4 on, is all permutations of the axes at one node.
    """
    device = spectra.eigvals.device
    size = torch.bincount(find_bands(spectra, smoothing).cluster)  # [C]
    first = size.cumsum(0) - size
    graph = torch.repeat_interleave(spectra.num_eigvals.to(device))[first]  # [C]
    entries = int((spectra.num_nodes.to(device)[graph] * size**order).sum())
    permuted = math.factorial(order) * int(size.max()) ** order if order > 3 and len(size) else 0
    return (COPIES * entries + permuted) * channels * dtype.itemsize


def check_memory(
    spectra: SpectrumBatch, smoothing: Smoothing, order: int, channels: int, dtype: torch.dtype
) -> None:
    """Refuses a batch that cannot fit into the machine's memory; says what to choose instead."""
    if spectra.eigvals.device.type != "cpu":
        return  # the device's own allocator reports what it lacks
    needed = block_bytes(spectra, smoothing, order, channels, dtype)
    check_bytes(needed, spectra, smoothing, order, channels)


def check_bytes(
    needed: int, spectra: SpectrumBatch, smoothing: Smoothing, order: int, channels: int
) -> None:
    """Refuses so many bytes if the machine has fewer; says what to choose instead."""
    there = memory_bytes()
    if needed <= there:
        return
    size = torch.bincount(find_bands(spectra, smoothing).cluster)
    raise MemoryError(
        f"order {order} with {channels} channels needs about {needed / 2**30:.0f} GiB "
        f"({needed:,} bytes) for "
        f"{len(spectra)} graph(s) of up to {int(spectra.num_nodes.max())} nodes, whose largest "
        f"cluster holds {int(size.max())} eigenvalues; {there / 2**30:.0f} GiB are there. "
        f"Choose a lower order, fewer channels, a smaller delta (now {smoothing.delta:g}), fewer "
        "eigenpairs (k) or smaller batches"
    )
