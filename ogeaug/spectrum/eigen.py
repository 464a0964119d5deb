"""Eigendecomposition of graph Laplacians, one by one or many at once."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from ogeaug.spectrum.careful import decompose_carefully
from ogeaug.spectrum.draw import draw
from ogeaug.spectrum.fast import decompose_fast
from ogeaug.spectrum.laplacian import Directed, Normalization, check_choice, check_counts
from ogeaug.spectrum.record import Spectrum, SpectrumBatch
from ogeaug.spectrum.truncate import truncate


@dataclass(frozen=True)
class SpectrumOptions:
    """Which matrix to decompose and how much of its spectrum to keep; see compute_spectrum."""

    k: int | None = None
    normalization: Normalization | None = None
    directed: Directed = "symmetrize"

    def __post_init__(self) -> None:
        if self.k is not None:
            check_counts(k=self.k)  # NumPy's whole numbers, too
            object.__setattr__(self, "k", int(self.k))
        if self.normalization is not None:
            check_choice("normalization (if not None)", self.normalization, Normalization)
        check_choice("directed", self.directed, Directed)


@dataclass(frozen=True)
class Disturbance:
    """What is done to a Laplacian in training; see compute_spectrum."""

    noise: float = 0.0
    permute: bool = False

    def __post_init__(self) -> None:
        if not (self.noise >= 0 and math.isfinite(self.noise)):
            raise ValueError(f"noise is a variance and must be at least 0, got {self.noise}")

    def __bool__(self) -> bool:
        return self.noise > 0 or self.permute


def compute_spectrum(
    edge_index: Tensor,
    num_nodes: int,
    edge_weight: Tensor | None = None,
    *,
    k: int | None = None,
    normalization: Normalization | None = None,
    directed: Directed = "symmetrize",
    noise: float = 0.0,
    permute: bool = False,
) -> Spectrum:
    r"""The eigenpairs of a graph's Laplacian :math:`L = D - A`, ascending, by float64 ``eigh``.

    With ``k``, only the lowest eigenpairs are kept, and never a part of an eigenspace: if the k-th
    and the (k+1)-th eigenvalue are equal (to 1e-9 of the largest), the whole eigenspace is left
    out. ``cutoff`` is the first eigenvalue that was left out; an encoding fades eigenpairs near it.

    Args:
        edge_index: Edges; see :func:`ogeaug.spectrum.laplacian.adjacency` for self-loops, parallel
            and one-directional edges.
        num_nodes: Number of nodes.
        edge_weight: One weight per edge. Negative ones are allowed as long as no eigenvalue of L
            becomes negative.
        k: How many eigenpairs to keep at most; all if absent or more than there are nodes.
        normalization: ``None``, ``"sym"`` or ``"rw"``; see
            :func:`ogeaug.spectrum.laplacian.laplacian`.
        directed: ``"symmetrize"`` or ``"refuse"`` edges listed in one direction only.
        noise: Variance of symmetric Gaussian noise added to L (training only; 1e-5 in the paper),
            drawn from torch's global generator.
        permute: Renumber the nodes at random before the decomposition and undo it after (training
            only): the arbitrary basis that LAPACK picks in an eigenspace is then arbitrary.

    Shapes:
        - edge_index ``[2, E]``, edge_weight ``[E]`` -> eigvals ``[K]``, eigvecs ``[n, K]``

    Example:
        >>> triangle = torch.tensor([[0, 1, 2], [1, 2, 0]])
        >>> compute_spectrum(triangle, 3).eigvals.abs().round(decimals=6)
        tensor([0., 3., 3.], dtype=torch.float64)
    """
    options, disturbance = SpectrumOptions(k, normalization, directed), Disturbance(noise, permute)
    check_counts(num_nodes=num_nodes.item() if isinstance(num_nodes, Tensor) else num_nodes)
    return decompose_one(edge_index, int(num_nodes), edge_weight, options, disturbance)


def compute_spectra(
    edge_index: Tensor,
    num_nodes: Tensor,
    edge_weight: Tensor | None = None,
    options: SpectrumOptions = SpectrumOptions(),  # noqa: B008 (frozen)
    disturbance: Disturbance = Disturbance(),  # noqa: B008 (frozen)
) -> SpectrumBatch:
    """The spectrum of each graph of a PyG batch.

    Nothing is padded, so no padding can mix with a null space.

    Args:
        edge_index: Edges of all graphs, nodes numbered through as in a PyG ``Batch``.
        num_nodes: Number of nodes of each graph.
        edge_weight: One weight per edge.
        options: Which matrix, and how much of its spectrum.
        disturbance: Noise and permutation, for training.

    Shapes:
        - edge_index ``[2, E]``, num_nodes ``[B]``, edge_weight ``[E]`` -> B spectra

    Example:
        >>> edges = torch.tensor([[0, 2, 3], [1, 3, 4]])  # an edge, and a path of three nodes
        >>> [s.num_nodes for s in compute_spectra(edges, torch.tensor([2, 3]))]
        [2, 3]
    """
    sizes: list[int] = num_nodes.tolist()
    drawn = draw(sizes, disturbance.noise, disturbance.permute)
    if options.normalization is None:
        fast = decompose_fast(edge_index, sizes, edge_weight, drawn)
        if fast is not None:
            nodes = num_nodes.cpu()
            cutoff = torch.full((len(sizes),), math.inf, dtype=torch.float64)
            return truncate(SpectrumBatch(*fast, cutoff, nodes, nodes), options.k)
    pairs = decompose_carefully(
        edge_index, sizes, edge_weight, options.normalization, options.directed, drawn
    )
    return SpectrumBatch.stack([_truncate(*pair, options.k) for pair in pairs])


def decompose_one(
    edge_index: Tensor,
    num_nodes: int,
    edge_weight: Tensor | None,
    options: SpectrumOptions,
    disturbance: Disturbance,
) -> Spectrum:
    """The spectrum of one graph; arguments as in :func:`compute_spectrum`."""
    drawn = draw([num_nodes], disturbance.noise, disturbance.permute)
    if options.normalization is None:
        fast = decompose_fast(edge_index, [num_nodes], edge_weight, drawn)
        if fast is not None:
            return _truncate(fast[0], fast[1].view(num_nodes, num_nodes), options.k)
    (pair,) = decompose_carefully(
        edge_index, [num_nodes], edge_weight, options.normalization, options.directed, drawn
    )
    return _truncate(*pair, options.k)


def _truncate(eigvals: Tensor, eigvecs: Tensor, k: int | None) -> Spectrum:
    """One graph's whole spectrum, cut by the rule of :func:`compute_spectrum`."""
    if k is None or k >= len(eigvals):
        return Spectrum(eigvals, eigvecs, math.inf)
    cutoff = float(eigvals[k])
    tolerance = 1e-9 * max(1.0, abs(float(eigvals[-1])))
    kept = int(torch.searchsorted(eigvals[:k], cutoff - tolerance))
    return Spectrum(eigvals[:kept].clone(), eigvecs[:, :kept].contiguous(), cutoff)
