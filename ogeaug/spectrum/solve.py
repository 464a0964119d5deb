"""Eigendecomposition of graph Laplacians, one by one or many at once."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ogeaug.checks import check_choice, check_counts
from ogeaug.graph.adjacencies import count_components
from ogeaug.graph.edges import LARGEST_WEIGHT, Directed, plain_edges
from ogeaug.graph.laplacian import Normalization
from ogeaug.spectrum.digest import digest_graphs
from ogeaug.spectrum.memory import announce
from ogeaug.spectrum.noise import draw
from ogeaug.spectrum.solvers.lapack import decompose_carefully
from ogeaug.spectrum.solvers.native import decompose_fast
from ogeaug.spectrum.spectra import Spectrum, SpectrumBatch
from ogeaug.spectrum.truncate import truncate, truncate_one

COPIES, WORK = {False: 1.0, True: 4.0}, 3.5
"""Matrices alive at once: of each graph, the fast and the careful way, and of the one at work
(measured for one graph: 4.2 and 7.3)."""


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
        if not 0 <= self.noise <= LARGEST_WEIGHT:
            raise ValueError(
                f"noise is a variance and must be at least 0 (and at most {LARGEST_WEIGHT:g}), got "
                f"{self.noise}"
            )

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
    out, with a warning if that leaves fewer than half of k. Only the null space is always kept,
    however many components the graph has. ``cutoff`` is the first eigenvalue that was left out; an
    encoding fades eigenpairs near it. See :mod:`ogeaug.spectrum.truncate` for the rule and why.

    Args:
        edge_index: Edges; see :func:`ogeaug.graph.edges.adjacency` for self-loops, parallel
            and one-directional edges.
        num_nodes: Number of nodes.
        edge_weight: One weight per edge, at most 1e12. Negative ones are allowed as long as no
            eigenvalue of L becomes negative.
        k: How many eigenpairs to keep at most (more only of a graph with more than k components);
            all if absent or more than there are nodes.
        normalization: ``None``, ``"sym"`` or ``"rw"``; see
            :func:`ogeaug.graph.laplacian.laplacian`.
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
    careful = options.normalization is not None
    announce("a spectrum", sizes, copies=COPIES[careful], work=WORK)
    drawn = draw(sizes, disturbance.noise, disturbance.permute)
    fast = None
    if not careful:
        fast = decompose_fast(edge_index, sizes, edge_weight, drawn)
    if fast is not None:
        nodes = num_nodes.cpu()
        cutoff = torch.full((len(sizes),), math.inf, dtype=torch.float64)
        spectra = SpectrumBatch(*fast, cutoff, nodes, nodes)
        if options.k is None or drawn.noise is None:
            return truncate(spectra, options.k)
        pairs = [(spectrum.eigvals, spectrum.eigvecs) for spectrum in spectra]
    else:
        if not careful:
            announce("a spectrum", sizes, copies=COPIES[True], work=WORK)
        pairs = decompose_carefully(
            edge_index, sizes, edge_weight, options.normalization, options.directed, drawn
        )
    ks = [options.k] * len(pairs)
    if options.k is not None and drawn.noise is not None:
        parts = count_components(edge_index, sizes, edge_weight)
        ks = [max(options.k, count) for count in parts]
    return SpectrumBatch.stack([truncate_one(*p, k) for p, k in zip(pairs, ks, strict=True)])


def decompose_one(
    edge_index: Tensor,
    num_nodes: int,
    edge_weight: Tensor | None,
    options: SpectrumOptions,
    disturbance: Disturbance,
) -> Spectrum:
    """The spectrum of one graph; arguments as in :func:`compute_spectrum`."""
    careful = options.normalization is not None
    announce("a spectrum", [num_nodes], copies=COPIES[careful], work=WORK)
    drawn = draw([num_nodes], disturbance.noise, disturbance.permute)
    digest, fast = np.zeros(1, np.int64), None
    if not careful:
        fast = decompose_fast(edge_index, [num_nodes], edge_weight, drawn, torch.from_numpy(digest))
    if fast is not None:
        eigvals, eigvecs = fast[0], fast[1].view(num_nodes, num_nodes)
    else:
        if not careful:
            announce("a spectrum", [num_nodes], copies=COPIES[True], work=WORK)
        ((eigvals, eigvecs),) = decompose_carefully(
            edge_index, [num_nodes], edge_weight, options.normalization, options.directed, drawn
        )
        found = digest_graphs(plain_edges(edge_index), torch.tensor([num_nodes]), edge_weight)
        assert found is not None  # the careful way has refused what is no graph
        digest = found[0].numpy()
    k = options.k
    if k is not None and k < num_nodes and drawn.noise is not None:
        near_zero = float(eigvals[k]) < 3 * drawn.scale * math.sqrt(num_nodes)
        # Noise hides a null space that is to be kept whole: the edges tell how large it is.
        k = max(k, *count_components(edge_index, [num_nodes], edge_weight)) if near_zero else k
    return truncate_one(eigvals, eigvecs, k, int(digest[0]))
