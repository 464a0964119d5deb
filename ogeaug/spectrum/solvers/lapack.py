"""Spectra of any graphs by NumPy, with every check: the plain way, oracle of the fast one."""

import math
from itertools import accumulate

import numpy as np
import torch
from torch import Tensor

from ogeaug.graph.adjacencies import adjacencies
from ogeaug.graph.edges import Floats
from ogeaug.graph.laplacian import check_degrees, laplacian, random_walk_scale
from ogeaug.spectrum.memory import announce
from ogeaug.spectrum.noise import Draw
from ogeaug.spectrum.solvers.base import FEWER, Problem, Solution, check_scale

COPIES, WORK = 4.0, 3.5
"""Matrices alive at once: of each graph, and of the one at work (measured for one graph: 7.3)."""


class Lapack:
    """All eigenpairs of any graphs; refuses, with reasons, what is not a graph."""

    def can(self, problem: Problem) -> bool:
        return True

    def solve(self, problem: Problem) -> Solution:
        announce("a spectrum", problem.sizes, copies=COPIES, work=WORK, hint=FEWER)
        pairs = decompose(problem)
        if len(pairs) == 1:  # nothing to copy
            return Solution.whole(pairs[0][0], pairs[0][1].flatten(), problem.sizes)
        eigvals = torch.cat([vals for vals, _ in pairs])
        eigvecs = torch.cat([vecs.flatten() for _, vecs in pairs])
        return Solution.whole(eigvals, eigvecs, problem.sizes)


def decompose(problem: Problem) -> list[tuple[Tensor, Tensor]]:
    """All eigenpairs of each graph: eigvals ``[n]``, eigvecs ``[n, n]``."""
    sizes, drawn, normalization = problem.sizes, problem.drawn, problem.options.normalization
    stacks, names = adjacencies(
        problem.edge_index, torch.tensor(sizes), problem.edge_weight, problem.options.directed
    )
    place = np.arange(sum(sizes)) if drawn.place is None else drawn.place.numpy()
    places = np.split(place, np.cumsum(sizes)[:-1])
    entry = [0, *accumulate(n * (n + 1) // 2 for n in sizes)]
    found: dict[int, tuple[Tensor, Tensor]] = {}
    for graphs, adjacent in stacks:
        signed = bool((adjacent < 0).any())
        if signed:
            for adj, g in zip(adjacent, graphs, strict=True):
                check_degrees(adj, normalization, names[g])
        matrices = laplacian(adjacent, normalization)  # [b, n, n]
        scale = None
        if normalization == "rw":
            scale = random_walk_scale(adjacent)  # [b, n]
            check_scale(scale, [names[g] for g in graphs])
        for i, g in enumerate(graphs):
            matrix = matrices[i]
            if drawn.place is not None:
                matrix[np.ix_(places[g], places[g])] = matrix.copy()
            _add_noise(matrix, drawn, entry[g])
            eigvals, eigvecs = _eigh(matrix, names[g])  # [n], [n, n]
            if signed:
                _check_positive(eigvals, names[g], drawn.scale)
            if drawn.place is not None:
                eigvecs = eigvecs[places[g]]
            if scale is not None:
                eigvecs = eigvecs * scale[i, :, None]
            found[g] = torch.from_numpy(eigvals), torch.from_numpy(eigvecs)
    return [found[g] for g in range(len(sizes))]


def _add_noise(matrix: Floats, drawn: Draw, start: int) -> None:
    """On the lower triangle, the one that ``eigh`` reads."""
    if drawn.noise is not None:
        below = np.tril_indices(len(matrix))
        noise = drawn.noise[start : start + len(below[0])].double()
        matrix[below] += drawn.scale * noise.numpy()


def _eigh(matrix: Floats, name: str) -> tuple[Floats, Floats]:
    try:
        return np.linalg.eigh(matrix)
    except np.linalg.LinAlgError as error:
        raise ValueError(
            f"{name} ({len(matrix)} nodes): LAPACK's eigh did not converge ({error}); "
            "look for edge weights of very different sizes, and rescale them"
        ) from error


def _check_positive(eigvals: Floats, name: str, noise: float) -> None:
    tolerance = 1e-9 * max(1.0, float(np.abs(eigvals).max()))
    tolerance += 4 * noise * math.sqrt(len(eigvals))  # noise may push 0 a little below 0
    if eigvals[0] < -tolerance:
        raise ValueError(
            f"{name}: negative edge weights give the Laplacian a negative eigenvalue "
            f"{eigvals[0]:g}; use non-negative weights, or their absolute values"
        )
