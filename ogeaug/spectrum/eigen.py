"""Eigendecomposition of graph Laplacians, one by one or many at once."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ogeaug.spectrum.assemble import Draw, assemble, draw
from ogeaug.spectrum.laplacian import (
    Directed,
    Floats,
    Normalization,
    adjacency,
    check_choice,
    check_degrees,
    check_shapes,
    laplacian,
    random_walk_scale,
)
from ogeaug.spectrum.record import Spectrum, SpectrumBatch


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


@dataclass(frozen=True, eq=False)
class _Stack:
    """Matrices of graphs of one size, disturbed and permuted, ready for ``eigh``.

    Attributes:
        graphs: Their numbers in the batch.
        matrices: ``[b, n, n]``; only the lower triangles count.
        row_scale: ``[b, n]`` factors of the eigenvectors' rows; None for none.
        signed: Whether some weight is negative.
    """

    graphs: list[int]
    matrices: Floats
    row_scale: Floats | None = None
    signed: bool = False


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
        stacks = _stack_fast(edge_index, sizes, edge_weight, drawn)
    if stacks is None:
        stacks = _stack_carefully(edge_index, sizes, edge_weight, options, drawn)
    spectra: dict[int, Spectrum] = {}
    node, place = _ends(sizes), None if drawn.place is None else drawn.place.numpy()
    for stack in stacks:
        names = _names(stack.graphs, len(sizes))
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


def _stack_fast(
    edge_index: Tensor, sizes: list[int], edge_weight: Tensor | None, drawn: Draw
) -> list[_Stack] | None:
    groups = _by_size(sizes)
    ends = _ends([sizes[g] ** 2 for graphs in groups for g in graphs])
    begin = dict(zip((g for graphs in groups for g in graphs), ends, strict=False))
    offsets = [begin[g] for g in range(len(sizes))]
    flat = assemble(edge_index, edge_weight, sizes, offsets, drawn)
    if flat is None:
        return None
    stacks = []
    for graphs in groups:
        n, at = sizes[graphs[0]], begin[graphs[0]]
        matrices = flat[at : at + len(graphs) * n * n].reshape(-1, n, n)
        stacks.append(_Stack(graphs, matrices))
    return stacks


def _stack_carefully(
    edge_index: Tensor,
    sizes: list[int],
    edge_weight: Tensor | None,
    options: SpectrumOptions,
    drawn: Draw,
) -> list[_Stack]:
    groups, _ = adjacencies(edge_index, torch.tensor(sizes), edge_weight, options.directed)
    node, entry = _ends(sizes), _ends([n * (n + 1) // 2 for n in sizes])
    stacks = []
    for graphs, stack in groups:
        signed = bool((stack < 0).any())
        if signed:
            for adj, name in zip(stack, _names(graphs, len(sizes)), strict=True):
                check_degrees(adj, options.normalization, name)
        matrices = laplacian(stack, options.normalization)  # [b, n, n]
        for matrix, g in zip(matrices, graphs, strict=True):
            if drawn.place is not None:
                place = drawn.place[node[g] : node[g + 1]].numpy()
                matrix[np.ix_(place, place)] = matrix.copy()
            if drawn.noise is not None:
                below = np.tril_indices(sizes[g])
                matrix[below] += drawn.scale * drawn.noise[entry[g] : entry[g + 1]].numpy()
        row_scale = random_walk_scale(stack) if options.normalization == "rw" else None
        stacks.append(_Stack(graphs, matrices, row_scale, signed))
    return stacks


def _by_size(sizes: list[int]) -> list[list[int]]:
    """The graphs of each size."""
    groups: dict[int, list[int]] = {}
    for g, n in enumerate(sizes):
        groups.setdefault(n, []).append(g)
    return list(groups.values())


def _ends(counts: list[int]) -> list[int]:
    return [0, *accumulate(counts)]


def _names(graphs: Iterable[int], total: int) -> list[str]:
    """How error messages call these graphs."""
    return ["the graph"] if total == 1 else [f"graph {g} of the batch" for g in graphs]


def adjacencies(
    edge_index: Tensor,
    num_nodes: Tensor,
    edge_weight: Tensor | None = None,
    directed: Directed = "symmetrize",
) -> tuple[list[tuple[list[int], Floats]], list[str]]:
    """The adjacency matrices of a PyG batch, those of one size stacked.

    Args:
        edge_index, num_nodes, edge_weight: See :func:`compute_spectra`.
        directed: See :func:`ogeaug.spectrum.laplacian.adjacency`.

    Returns:
        For each size n the graphs' numbers and their matrices ``[b, n, n]``; and the names of all
        graphs, for error messages.
    """
    sizes: list[int] = num_nodes.tolist()
    weight = None if edge_weight is None else _weights(edge_weight)
    names = _names(range(len(sizes)), len(sizes))
    matrices = [
        adjacency(local, n, w, directed=directed, graph=name)
        for (local, w), n, name in zip(
            _split_edges(_edges(edge_index), weight, sizes), sizes, names, strict=True
        )
    ]
    stacks = [(graphs, np.stack([matrices[g] for g in graphs])) for graphs in _by_size(sizes)]
    return stacks, names


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


def _edges(edge_index: Tensor) -> NDArray[np.int64]:
    edges = edge_index.detach().cpu().numpy()
    # Narrow integers would overflow in products with the number of nodes.
    return edges.astype(np.int64) if edges.dtype.kind in "iu" else edges


def _weights(edge_weight: Tensor) -> Floats:
    return edge_weight.detach().cpu().double().numpy()


def _split_edges(
    edge_index: NDArray[np.int64], weight: Floats | None, sizes: list[int]
) -> list[tuple[NDArray[np.int64], Floats | None]]:
    """Each graph's own edges, its nodes numbered from 0."""
    check_shapes(edge_index, weight, "the batch")
    if len(sizes) == 1:
        return [(edge_index, weight)]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    outside = ((edge_index < 0) | (edge_index >= starts[-1])).any(0)
    if outside.any():
        at = int(outside.argmax())
        raise ValueError(
            f"the batch: edge {at} ({edge_index[0, at]} -> {edge_index[1, at]}) names a node "
            f"outside 0..{starts[-1] - 1}; is num_nodes right?"
        )
    owner = np.searchsorted(starts, edge_index, side="right") - 1  # [2, E]
    owner = owner.clip(0, len(sizes) - 1)  # nodes outside the batch are found by their graph
    if (owner[0] != owner[1]).any():
        at = int((owner[0] != owner[1]).argmax())
        raise ValueError(
            f"the batch: edge {at} ({edge_index[0, at]} -> {edge_index[1, at]}) joins graph "
            f"{owner[0, at]} and graph {owner[1, at]}; is the batch vector right?"
        )
    if len(owner[0]) and (np.diff(owner[0]) < 0).any():
        order = np.argsort(owner[0], kind="stable")
        edge_index, owner = edge_index[:, order], owner[:, order]
        weight = None if weight is None else weight[order]
    bounds = np.searchsorted(owner[0], np.arange(len(sizes) + 1))
    return [
        (edge_index[:, a:b] - starts[g], None if weight is None else weight[a:b])
        for g, (a, b) in enumerate(pairwise(bounds))
    ]
