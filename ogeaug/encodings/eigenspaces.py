"""The eigenspaces of a batch, and their projectors."""

from dataclasses import dataclass

import torch
from torch import Tensor

from ogeaug.ragged import ragged_arange
from ogeaug.spectrum.spectra import SpectrumBatch


@dataclass(frozen=True, eq=False)
class Spaces:
    """The S eigenspaces of a batch.

    Attributes:
        graph: ``[S]`` the graph of each.
        size: ``[S]`` its number of nodes.
        first: ``[S]`` the first eigenpair, numbered through the batch.
        multiplicity: ``[S]``.
        eigval: ``[S]`` the mean eigenvalue.
    """

    graph: Tensor
    size: Tensor
    first: Tensor
    multiplicity: Tensor
    eigval: Tensor


def find_spaces(spectra: SpectrumBatch, tolerance: float) -> Spaces:
    """Runs of eigenvalues of one graph that are less than ``tolerance`` apart."""
    eigvals, device = spectra.eigvals, spectra.eigvals.device
    graph = torch.repeat_interleave(spectra.num_eigvals.to(device))  # [sum K]
    starts = (eigvals.diff() >= tolerance) | (graph.diff() > 0)
    starts = torch.cat([starts.new_ones(min(1, len(graph))), starts])  # [sum K]
    first = starts.nonzero().flatten()  # [S]
    space = starts.cumsum(0) - 1  # [sum K]
    multiplicity = torch.bincount(space, minlength=len(first))
    total = eigvals.new_zeros(len(first)).index_add(0, space, eigvals)
    size = spectra.num_nodes.to(device)[graph[first]]
    return Spaces(graph[first], size, first, multiplicity, total / multiplicity)


def project(
    spectra: SpectrumBatch, spaces: Spaces, chosen: Tensor, n: int
) -> tuple[Tensor, Tensor]:
    """The matrices n V V^T of eigenspaces of graphs with n nodes, and the node of each index.

    Shapes:
        - B spectra, chosen ``[S']`` -> ``[S', n, n, 1]``, ``[S', n]``
    """
    device = spectra.eigvals.device
    sizes, counts = spectra.num_nodes.to(device), spectra.num_eigvals.to(device)
    entry_start = (sizes * counts).cumsum(0) - sizes * counts  # [B] into eigvecs
    eig_start, node_start = counts.cumsum(0) - counts, sizes.cumsum(0) - sizes  # [B]
    d = spaces.multiplicity[chosen]  # [S']
    space = torch.repeat_interleave(d)  # [M] the space of each of its eigenvectors
    graph = spaces.graph[chosen][space]
    column = spaces.first[chosen][space] + ragged_arange(d) - eig_start[graph]  # [M]
    index = torch.arange(n, device=device)
    entry = (entry_start[graph] + column).unsqueeze(1) + counts[graph].unsqueeze(1) * index
    v = spectra.eigvecs[entry]  # [M, n]
    outer = n * v.unsqueeze(2) * v.unsqueeze(1)  # [M, n, n]
    projectors = outer.new_zeros(len(chosen), n, n).index_add(0, space, outer)
    return projectors.unsqueeze(-1), node_start[spaces.graph[chosen]].unsqueeze(1) + index
