"""The lowest eigenpairs of large sparse graphs, with a proof that none is missing."""

from itertools import accumulate

import numpy as np
import torch

from ogeaug.graph.adjacencies import graph_names, split_edges
from ogeaug.graph.edges import looks_ordinary
from ogeaug.spectrum.solvers.base import Problem, Solution

LARGE = 1_500
"""Nodes from which a few eigenpairs are found sooner than all of them."""


class Sparse:
    """Some eigenpairs of graphs of which at least one is large.

    Each connected component is solved on its own: components that are alike, whose eigenvalues
    coincide, are then no harder than others.
    """

    def can(self, problem: Problem) -> bool:
        k, sizes = problem.options.k, problem.sizes
        return (
            k is not None
            and len(sizes) > 0
            and min(sizes) >= 1
            and max(sizes) >= max(LARGE, 4 * (k + 1))
            and problem.disturbance.noise == 0  # it leaves no entry 0
            and looks_ordinary(problem.edge_index, problem.edge_weight)
        )

    def solve(self, problem: Problem) -> Solution | None:
        """None if a weight is negative: components then say nothing of the null space."""
        if problem.edge_weight is not None and bool((problem.edge_weight < 0).any()):
            return None
        from ogeaug.graph.sparse import sparse_adjacency  # SciPy takes a fifth of a second
        from ogeaug.spectrum.solvers.sparse.merging import decompose

        names = graph_names(range(len(problem.sizes)), len(problem.sizes))
        starts = [0, *accumulate(problem.sizes)]
        edges = split_edges(problem.edge_index, problem.sizes, problem.edge_weight)
        found = []
        for g, (own, weight) in enumerate(edges):
            adjacency = sparse_adjacency(
                own, problem.sizes[g], weight, directed=problem.options.directed, graph=names[g]
            )
            place = problem.drawn.place
            order = None if place is None else place[starts[g] : starts[g + 1]].numpy()
            found.append(decompose(adjacency, order, problem, names[g]))
        return Solution(
            torch.from_numpy(np.concatenate([each.eigvals for each in found])),
            torch.from_numpy(np.concatenate([each.eigvecs.ravel() for each in found])),
            problem.sizes,
            [len(each.eigvals) for each in found],
            [each.cutoff for each in found],
            largest=[each.largest for each in found],
            certified=[each.certified for each in found],
        )
