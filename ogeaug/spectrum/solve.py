"""The one door to eigenpairs of graph Laplacians, one by one or many at once.

Solvers (:mod:`ogeaug.spectrum.solvers`) stand behind it; what they find is cut here, by one rule.
"""

import math
from collections.abc import Sequence
from itertools import accumulate

import torch
from torch import Tensor

from ogeaug.checks import check_counts
from ogeaug.graph.adjacencies import count_components
from ogeaug.graph.edges import Directed, plain_edges
from ogeaug.graph.laplacian import Normalization
from ogeaug.spectrum.digest import digest_graphs
from ogeaug.spectrum.options import Disturbance, SpectrumOptions
from ogeaug.spectrum.solvers import SOLVERS
from ogeaug.spectrum.solvers.base import Problem, Solution
from ogeaug.spectrum.spectra import Spectrum, SpectrumBatch
from ogeaug.spectrum.truncate import truncate, truncate_one

__all__ = ["Disturbance", "SpectrumOptions", "compute_spectra", "compute_spectrum"]


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

    Of a graph with 1,500 nodes or more only these eigenpairs are computed, from its sparse matrix
    (not with noise, which leaves no entry 0, nor with negative weights). ``certified`` says whether
    they are proven to be the lowest.

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
    for name, value in (("edge_index", edge_index), ("edge_weight", edge_weight)):
        if not isinstance(value, Tensor) and (value is not None or name == "edge_index"):
            raise TypeError(f"{name} must be a tensor, got {type(value).__name__}")
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
    sizes = num_nodes.tolist()
    problem = Problem(plain_edges(edge_index), sizes, edge_weight, options, disturbance)
    solved = solve(problem)
    spectra = solved.to_batch()
    if options.k is None:
        return spectra
    ks, largest = _wanted(problem, solved, options.k), solved.largest
    if largest is None and all(k == options.k for k in ks):
        return truncate(spectra, options.k)
    bounds: Sequence[float | None] = largest or [None] * len(ks)
    cut = zip(spectra, ks, bounds, strict=True)
    return SpectrumBatch.stack([truncate_one(*each) for each in cut])


def decompose_one(
    edge_index: Tensor,
    num_nodes: int,
    edge_weight: Tensor | None,
    options: SpectrumOptions,
    disturbance: Disturbance,
) -> Spectrum:
    """The spectrum of one graph; arguments as in :func:`compute_spectrum`."""
    problem = Problem(plain_edges(edge_index), [num_nodes], edge_weight, options, disturbance)
    solved = solve(problem)
    digest = solved.digest
    if digest is None:
        found = digest_graphs(problem.edge_index, torch.tensor([num_nodes]), edge_weight)
        assert found is not None  # the solver has refused what is no graph
        digest = int(found[0])
    eigvecs = solved.eigvecs.view(num_nodes, solved.counts[0])
    certified = solved.certified is None or solved.certified[0]
    spectrum = Spectrum(solved.eigvals, eigvecs, solved.cutoff[0], digest, certified)
    if options.k is None:
        return spectrum
    (k,), largest = _wanted(problem, solved, options.k), solved.largest
    return truncate_one(spectrum, k, None if largest is None else largest[0])


def solve(problem: Problem) -> Solution:
    """What the first solver finds that can do the problem; the last one can do all."""
    for solver in SOLVERS:
        if solver.can(problem) and (found := solver.solve(problem)) is not None:
            return found
    raise RuntimeError("the last of SOLVERS must solve every problem")


def _wanted(problem: Problem, solved: Solution, k: int) -> list[int]:
    """How many eigenpairs to keep of each graph: k, or more where noise hides a null space.

    That is to be kept whole, and the edges tell how large it is.
    """
    drawn, ks = problem.drawn, [k] * len(problem.sizes)
    if drawn.noise is None:
        return ks
    starts = accumulate(solved.counts, initial=0)
    near_zero = any(
        k < count and float(solved.eigvals[start + k]) < 3 * drawn.scale * math.sqrt(n)
        for start, count, n in zip(starts, solved.counts, problem.sizes, strict=False)
    )
    if not near_zero:
        return ks
    parts = count_components(problem.edge_index, problem.sizes, problem.edge_weight)
    return [max(k, count) for count in parts]
