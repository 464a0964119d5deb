"""Bands: which pairs of eigenpairs see each other (the support of the smoothing function)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from ogeaug.ragged import ragged_arange
from ogeaug.spectrum.smoothing import Smoothing
from ogeaug.spectrum.spectra import SpectrumBatch


@dataclass(frozen=True, eq=False)
class Bands:
    r"""The pairs :math:`(k, l)` with :math:`\rho(|\lambda_k - \lambda_l|) > 0`, of a batch.

    Eigenpairs are numbered through the batch. Pairs are sorted by graph, then k, then l. A
    *cluster* is a run of eigenpairs that pairs hold together: none reaches out of it.

    Attributes:
        left: ``[P]`` k of each pair.
        right: ``[P]`` l of each pair.
        rho: ``[P]`` float64, :math:`\rho(|\lambda_k - \lambda_l|)`.
        num_pairs: ``[B]`` pairs of each graph, on the CPU.
        cluster: ``[sum K]`` the cluster of each eigenpair, numbered through the batch.
    """

    left: Tensor
    right: Tensor
    rho: Tensor
    num_pairs: Tensor
    cluster: Tensor


def find_bands(spectra: SpectrumBatch, smoothing: Smoothing) -> Bands:
    """Finds the pairs by binary search in the sorted eigenvalues, for the whole batch at once.

    Shapes:
        - B spectra -> P pairs
    """
    eigvals, device = spectra.eigvals.double(), spectra.eigvals.device
    counts = spectra.num_eigvals.to(device)
    graph = torch.repeat_interleave(torch.arange(len(spectra), device=device), counts)  # [sum K]
    line = _side_by_side(eigvals, graph, smoothing.delta)  # [sum K]
    reach = smoothing.delta * (1 + 1e-6)
    first = torch.searchsorted(line, line - reach)  # [sum K]
    width = torch.searchsorted(line, line + reach, right=True) - first
    left = torch.repeat_interleave(width)  # [P]
    right = ragged_arange(width) + first[left]
    rho = smoothing((eigvals[left] - eigvals[right]).abs())
    seen = rho > 0
    left, right, rho = left[seen], right[seen], rho[seen]
    num_pairs = torch.bincount(graph[left], minlength=len(spectra)).cpu()
    return Bands(left, right, rho, num_pairs, _clusters(left, right, len(eigvals)))


def _clusters(left: Tensor, right: Tensor, count: int) -> Tensor:
    """The cluster of each eigenpair: a new one begins where no pair reaches across."""
    own = torch.arange(count, device=left.device)
    farthest = own.scatter_reduce(0, left, right, "amax").cummax(0).values  # [sum K]
    begins = farthest[:-1] < own[1:]
    return torch.cat([begins.new_zeros(min(1, count)), begins]).cumsum(0)


def _side_by_side(eigvals: Tensor, graph: Tensor, delta: float) -> Tensor:
    """One ascending line of all eigenvalues, the graphs so far apart that no window spans two."""
    if len(eigvals) == 0:
        return eigvals
    step = eigvals.max() - eigvals.min() + 4 * delta
    # Repeated eigenvalues may be out of order by rounding; the search needs them ascending.
    return (eigvals + step * graph).cummax(0).values
