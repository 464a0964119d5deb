"""Cuts spectra that are already there, by the rule of compute_spectrum."""

import torch

from ogeaug.spectrum.bands import ragged_arange
from ogeaug.spectrum.record import SpectrumBatch


def truncate(spectra: SpectrumBatch, k: int | None) -> SpectrumBatch:
    """At most the k lowest eigenpairs of each graph, and never a part of an eigenspace.

    If the k-th and the (k+1)-th eigenvalue are equal (to 1e-9 of the largest), the whole
    eigenspace is left out.

    Args:
        spectra: The spectra, whole or truncated.
        k: How many eigenpairs to keep at most; all if absent.

    Shapes:
        - B spectra -> B spectra

    Example:
        >>> from ogeaug import compute_spectrum
        >>> triangle = compute_spectrum(torch.tensor([[0, 1, 2], [1, 2, 0]]), 3)
        >>> truncate(SpectrumBatch.stack([triangle]), 2).num_eigvals
        tensor([1])
    """
    if k is None or int(spectra.num_eigvals.max()) <= k:
        return spectra
    device = spectra.eigvals.device
    counts = spectra.num_eigvals.to(device)
    graph = torch.repeat_interleave(counts)  # [sum K]
    start, too_long = counts.cumsum(0) - counts, counts > k  # [B]
    last = len(spectra.eigvals) - 1
    highest = spectra.eigvals[(start + counts - 1).clamp(0, last)].abs().clamp(min=1.0)  # [B]
    first_out = spectra.eigvals[(start + k).clamp(max=last)].to(spectra.cutoff)  # [B]
    cutoff = torch.where(too_long, first_out, spectra.cutoff)
    limit = torch.where(too_long, cutoff - 1e-9 * highest, torch.inf)  # [B]
    keep = (ragged_arange(counts) < k) & (spectra.eigvals < limit[graph])  # [sum K]
    kept = torch.bincount(graph[keep], minlength=len(spectra))  # [B]
    sizes = spectra.num_nodes.to(device)
    per_node = counts.repeat_interleave(sizes)  # [N]
    eig = start.repeat_interleave(sizes)[torch.repeat_interleave(per_node)]
    eig = eig + ragged_arange(per_node)  # [sum n K]
    return SpectrumBatch(
        spectra.eigvals[keep], spectra.eigvecs[keep[eig]], cutoff, spectra.num_nodes, kept.cpu()
    )
