"""Which path computes OGE-Aug: the compiled core or plain PyTorch."""

from dataclasses import replace

import torch
from torch import Tensor

from ogeaug.graph.edges import neighbours
from ogeaug.native import build
from ogeaug.spectrum.smoothing import Smoothing
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.compiled.neighbours import list_neighbours, neighbours_of_sorted
from ogeaug.tensors.compiled.plan import Plan, make_plan
from ogeaug.tensors.rows.message import normalize_messages

KERNELS = ("auto", "torch", "compiled", "compiled_bf16")


def check_kernel(kernel: str, order: int, transposes: bool) -> None:
    """Refuses a kernel that does not exist, or that does not do this order."""
    if kernel not in KERNELS:
        raise ValueError(f"unknown kernel {kernel!r}; choose from {', '.join(KERNELS)}")
    if kernel.startswith("compiled") and (order != 2 or transposes):
        raise ValueError("the compiled kernel is for order 2 as it is; use kernel='auto'")


def use_core(
    kernel: str, weight: Tensor, spectra: SpectrumBatch, edge_weight: Tensor | None
) -> bool:
    """Whether the compiled core does a batch of order 2; it has no gradients for the spectrum.

    Args:
        kernel: What the user asked for: one of ``KERNELS``.
        weight: A parameter of the encoding ``[..., h]``, for its precision, device and channels h.
        spectra: Of the batch.
        edge_weight: Of the batch.
    """
    if kernel == "torch":
        return False
    constant = (spectra.eigvals, spectra.eigvecs, edge_weight)
    unfit = None
    if weight.device.type != "cpu":
        unfit = f"is for CPUs, and the encoding is on {weight.device}"
    elif weight.dtype not in (torch.float32, torch.float64):
        unfit = f"is for float32 and float64, and the encoding is {weight.dtype}"
    elif any(t is not None and t.requires_grad for t in constant):
        unfit = "gives no gradients for eigenvalues, eigenvectors and edge weights"
    if kernel == "auto":
        return unfit is None and build.available()
    if unfit is not None:
        raise ValueError(f"the compiled kernel {unfit}; use kernel='auto' or 'torch'")
    core = build.load_core()
    if kernel == "compiled_bf16":
        multiple, channels = core.bf16_channels(), weight.size(-1)
        if not multiple or channels % multiple or weight.dtype != torch.float32:
            raise ValueError(
                "kernel='compiled_bf16' needs a processor with AVX512-BF16 "
                f"({'this is one' if multiple else 'this is none'}), float32 (this is "
                f"{weight.dtype}) and hidden_channels in multiples of 64 (these are "
                f"{channels}); use kernel='auto'"
            )
    return True


def plan_core(
    kernel: str,
    edge_index: Tensor,
    num_nodes: int,
    edge_weight: Tensor | None,
    spectra: SpectrumBatch,
    smoothing: Smoothing,
    dtype: torch.dtype,
    *,
    normalize: bool = False,
) -> Plan | None:
    """The plan of a batch for the core; None if its windows have holes, which PyTorch can do.

    With ``normalize`` messages are weighed by :func:`normalize_messages`.
    """
    found = list_neighbours(edge_index, num_nodes, edge_weight)
    if found is None:
        edges, weight = neighbours(edge_index, num_nodes, edge_weight)
        found = neighbours_of_sorted(edges, num_nodes, weight)
    if normalize:
        source = torch.repeat_interleave(found.start.diff())
        weight = normalize_messages(source, found.neighbour, found.weight, num_nodes)
        found = replace(found, weight=weight)
    return make_plan(spectra, smoothing, found, dtype, half=kernel == "compiled_bf16")
