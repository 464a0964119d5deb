"""Eigendecomposition of graph Laplacians, one by one or many at once."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ogeaug.spectrum.adjacencies import graph_names
from ogeaug.spectrum.assemble import draw
from ogeaug.spectrum.laplacian import (
    Directed,
    Floats,
    Normalization,
    check_choice,
)
from ogeaug.spectrum.record import Spectrum, SpectrumBatch
from ogeaug.spectrum.stacks import stack_carefully, stack_fast, starts


@dataclass(frozen=True)
class SpectrumOptions:
    """Which matrix to decompose and how much of its spectrum to keep; see compute_spectrum."""

    k: int | None = None
    normalization: Normalization | None = None
    directed: Directed = "symmetrize"

    def __post_init__(self) -> None:
        if self.k is not None and (isinstance(self.k, bool) or not isinstance(self.k, int)):
            raise TypeError(f"k must be a whole number or None, got {self.k!r}")
        if self.k is not None and self.k < 1:
            raise ValueError(f"k must be at least 1 (or None for the whole spectrum), got {self.k}")
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
        edge_weight: One weight an edge. Negative ones are allowed as long as no eigenvalue of L
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
    return decompose(edge_index, [num_nodes], edge_weight, options, disturbance)[0]


def compute_spectra(
    edge_index: Tensor,
    num_nodes: Tensor,
    edge_weight: Tensor | None = None,
    options: SpectrumOptions = SpectrumOptions(),  # noqa: B008 (frozen)
    disturbance: Disturbance = Disturbance(),  # noqa: B008 (frozen)
) -> SpectrumBatch:
    """The spectrum of each graph of a PyG batch; graphs of one size share a LAPACK call.

    Nothing is padded, so no padding can mix with a null space.

    Args:
        edge_index: Edges of all graphs, nodes numbered through as in a PyG ``Batch``.
        num_nodes: Number of nodes of each graph.
        edge_weight: One weight an edge.
        options: Which matrix, and how much of its spectrum.
        disturbance: Noise and permutation, for training.

    Shapes:
        - edge_index ``[2, E]``, num_nodes ``[B]``, edge_weight ``[E]`` -> B spectra

    Example:
        >>> edges = torch.tensor([[0, 2, 3], [1, 3, 4]])  # an edge, and a path of three nodes
        >>> [s.num_nodes for s in compute_spectra(edges, torch.tensor([2, 3]))]
        [2, 3]
    """
    return SpectrumBatch.stack(
        decompose(edge_index, num_nodes.tolist(), edge_weight, options, disturbance)
    )


def decompose(
    edge_index: Tensor,
    sizes: list[int],
    edge_weight: Tensor | None,
    options: SpectrumOptions,
    disturbance: Disturbance,
) -> list[Spectrum]:
    """The spectra of the graphs of a batch; arguments as in :func:`compute_spectra`."""
    drawn = draw(sizes, disturbance.noise, disturbance.permute)
    stacks = None
    if options.normalization is None:
        stacks = stack_fast(edge_index, sizes, edge_weight, drawn)
    if stacks is None:
        stacks = stack_carefully(
            edge_index, sizes, edge_weight, options.normalization, options.directed, drawn
        )
    spectra: dict[int, Spectrum] = {}
    node, place = starts(sizes), None if drawn.place is None else drawn.place.numpy()
    for stack in stacks:
        names = graph_names(stack.graphs, len(sizes))
        eigvals, eigvecs = _eigh(stack.matrices, names)  # [b, n], [b, n, n]
        if stack.signed:
            _check_positive(eigvals, names, disturbance.noise)
        for i, g in enumerate(stack.graphs):
            vecs = eigvecs[i]
            if place is not None:
                vecs = vecs.take(place[node[g] : node[g + 1]], 0)
            if stack.row_scale is not None:
                vecs = vecs * stack.row_scale[i, :, None]
            spectra[g] = _truncate(eigvals[i], vecs, options.k)
    return [spectra[g] for g in range(len(sizes))]


def _truncate(eigvals: Floats, eigvecs: Floats, k: int | None) -> Spectrum:
    cutoff, kept = math.inf, len(eigvals)
    if k is not None and k < kept:
        cutoff = float(eigvals[k])
        tolerance = 1e-9 * max(1.0, abs(float(eigvals[-1])))
        kept = int(np.searchsorted(eigvals[:k], cutoff - tolerance))
        eigvals, eigvecs = eigvals[:kept].copy(), np.ascontiguousarray(eigvecs[:, :kept])
    return Spectrum(torch.from_numpy(eigvals), torch.from_numpy(eigvecs), cutoff)


def _eigh(matrices: Floats, names: list[str]) -> tuple[Floats, Floats]:
    try:
        return np.linalg.eigh(matrices)
    except np.linalg.LinAlgError as error:
        name = names[0]
        for matrix, candidate in zip(matrices, names, strict=True):
            try:
                np.linalg.eigh(matrix)
            except np.linalg.LinAlgError:
                name = candidate
                break
        raise ValueError(
            f"{name} ({matrices.shape[-1]} nodes): LAPACK's eigh did not converge ({error}); "
            "look for edge weights of very different sizes, and rescale them"
        ) from error


def _check_positive(eigvals: Floats, names: list[str], noise: float) -> None:
    tolerance = 1e-9 * np.maximum(1.0, np.abs(eigvals).max(-1))
    tolerance += 4 * math.sqrt(noise * eigvals.shape[-1])  # noise may push 0 a little below 0
    bad = eigvals[:, 0] < -tolerance
    if bad.any():
        at = int(bad.argmax())
        raise ValueError(
            f"{names[at]}: negative edge weights give the Laplacian a negative eigenvalue "
            f"{eigvals[at, 0]:g}; use non-negative weights, or their absolute values"
        )
