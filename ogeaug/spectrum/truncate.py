r"""The lowest eigenpairs of a spectrum: the one place that knows the rule.

Asked for k eigenpairs of a graph that has more, we keep all eigenvalues below a cutoff:

.. math:: \lambda_\text{cut} = \max\Big( \lambda_{k+1}, \;
    \max_{j > k + 1} \min\big( \lambda_j, g(\lambda_{j-1}) \big) \Big), \qquad
    g(\lambda) = 0.05 \max\Big( 0, \frac{10^{-6}}{\lambda} - 1 \Big)

(eigenvalues ascending, numbered from 1, infinity after the last; those up to 1e-9 of the largest,
or 1e-9, count as 0). In words:

- Unless more than k eigenvalues are below 1e-6, the cutoff is the first eigenvalue after k. At most
  k eigenpairs are kept. An eigenspace at the cut is left out whole. Where that leaves fewer than
  half of k (a star, a complete graph), a warning says so.
- If more than k eigenvalues are 0, because the graph has more than k components, the null space is
  kept whole, and the cutoff is the first eigenvalue above 0.

Why so: encodings fade eigenpairs out as they near the cutoff, so that nothing jumps as long as the
cutoff moves continuously with the graph. An eigenspace at the cut has weight 0 there. To keep it
whole would be a jump, since as soon as it splits, its parts would again be within reach of the
cutoff and faded. The same holds for the null space, unless eigenvalues *near* zero are kept
together with those at zero: that is what g does, over a range of 1e-6 (of eigenvalues, so about of
weights between components). There an encoding is steep, but it does not jump.
"""

import warnings
from dataclasses import replace

import torch
from torch import Tensor

from ogeaug.ragged import ragged_arange
from ogeaug.spectrum.spectra import Spectrum, SpectrumBatch

EQUAL = 1e-9
"""Eigenvalues closer than this, relative to the largest (or to 1), are one."""
NEAR = 1e-6
"""Eigenvalues below this are kept with those at zero, more or less."""
HALFWAY = 0.05
"""The limit of the cutoff that an eigenvalue of half of ``NEAR`` sets: encodings' default delta."""


def truncate_one(spectrum: Spectrum, k: int | None, largest: float | None = None) -> Spectrum:
    """One graph's spectrum, cut by the rule above; see :func:`truncate`.

    Args:
        spectrum: The spectrum, or the low end of it.
        k: How many eigenpairs to keep; all if absent.
        largest: Eigenvalue of the graph; the last one that is there if absent.

    Shapes:
        - eigvals ``[K]``, eigvecs ``[n, K]`` -> fewer of the same
    """
    eigvals = spectrum.eigvals
    if k is None or k >= len(eigvals):
        return spectrum
    tolerance = EQUAL * max(1.0, abs(float(eigvals[-1])) if largest is None else largest)
    cutoff, kept = place_cut(eigvals, k, tolerance, spectrum.cutoff)
    if 2 * kept < k:
        _warn(k, kept)
    eigvecs = spectrum.eigvecs[:, :kept].contiguous()
    return replace(spectrum, eigvals=eigvals[:kept].clone(), eigvecs=eigvecs, cutoff=cutoff)


def place_cut(eigvals: Tensor, k: int, tolerance: float, after: float) -> tuple[float, int]:
    """The cutoff of one graph, and how many eigenvalues are below it.

    Args:
        eigvals: ``[K]`` ascending, more than k of them.
        k: How many were asked for.
        tolerance: What counts as zero, and as equal.
        after: The eigenvalue after the last; infinity if there is none.
    """
    cutoff = float(eigvals[k])
    if cutoff < tolerance + NEAR:
        cutoff = _past_null_space(eigvals, k, tolerance, after)
    return cutoff, int(torch.searchsorted(eigvals, cutoff - tolerance))


def truncate(spectra: SpectrumBatch, k: int | None) -> SpectrumBatch:
    """The k lowest eigenpairs of each graph, by the rule above.

    Args:
        spectra: The spectra, whole or truncated.
        k: How many eigenpairs to keep; all if absent.

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
    tolerance = EQUAL * highest
    first_out = spectra.eigvals[(start + k).clamp(max=last)].to(spectra.cutoff)  # [B]
    cutoff = torch.where(too_long, first_out, spectra.cutoff)
    for g in (too_long & (first_out < tolerance + NEAR)).nonzero().flatten().tolist():
        own = spectra.eigvals[start[g] : start[g] + counts[g]]
        cutoff[g] = _past_null_space(own, k, float(tolerance[g]), float(spectra.cutoff[g]))
    limit = torch.where(too_long, cutoff - tolerance, torch.inf)  # [B]
    keep = spectra.eigvals < limit[graph]  # [sum K]
    kept = torch.bincount(graph[keep], minlength=len(spectra))  # [B]
    few = kept[too_long & (2 * kept < k)]
    if len(few):
        _warn(k, int(few.min()))
    sizes = spectra.num_nodes.to(device)
    per_node = counts.repeat_interleave(sizes)  # [N]
    eig = start.repeat_interleave(sizes)[torch.repeat_interleave(per_node)]
    eig = eig + ragged_arange(per_node)  # [sum n K]
    return SpectrumBatch(
        spectra.eigvals[keep], spectra.eigvecs[keep[eig]], cutoff, spectra.num_nodes, kept.cpu()
    )


def _past_null_space(eigvals: Tensor, k: int, tolerance: float, after: float) -> float:
    """The cutoff of a graph with more than k eigenvalues near zero.

    Args:
        eigvals: ``[K]`` ascending, more than k of them.
        k: How many were asked for.
        tolerance: What counts as zero.
        after: The eigenvalue after the last; infinity if there is none.
    """
    high = eigvals[k:].double()  # [K - k]
    limit = (NEAR / (high - tolerance).clamp(min=0.0) - 1).clamp(min=0.0) * HALFWAY
    following = torch.cat([high[1:], high.new_tensor([after])])
    return max(float(high[0]), float(torch.minimum(following, limit).max()))


def _warn(k: int, kept: int) -> None:
    warnings.warn(
        f"k={k} keeps only {kept} eigenpair(s) of a graph: the eigenspace at the cut does not fit, "
        "and none is cut in two. Choose another k, or none, which keeps all eigenpairs",
        stacklevel=3,
    )
