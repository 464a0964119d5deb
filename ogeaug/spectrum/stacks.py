"""Stacks of matrices ready for ``eigh``: the fast way for ordinary graphs, the careful for all."""

from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import torch
from torch import Tensor

from ogeaug.spectrum.adjacencies import adjacencies, by_size, graph_names
from ogeaug.spectrum.assemble import Draw, assemble
from ogeaug.spectrum.laplacian import (
    Directed,
    Floats,
    Normalization,
    check_degrees,
    laplacian,
    random_walk_scale,
)


@dataclass(frozen=True, eq=False)
class Stack:
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


def stack_fast(
    edge_index: Tensor, sizes: list[int], edge_weight: Tensor | None, drawn: Draw
) -> list[Stack] | None:
    """The stacks by the compiled core; None if that cannot be used for these graphs."""
    groups = by_size(sizes)
    ends = starts([sizes[g] ** 2 for graphs in groups for g in graphs])
    begin = dict(zip((g for graphs in groups for g in graphs), ends, strict=False))
    offsets = [begin[g] for g in range(len(sizes))]
    flat = assemble(edge_index, edge_weight, sizes, offsets, drawn)
    if flat is None:
        return None
    stacks = []
    for graphs in groups:
        n, at = sizes[graphs[0]], begin[graphs[0]]
        matrices = flat[at : at + len(graphs) * n * n].reshape(-1, n, n)
        stacks.append(Stack(graphs, matrices))
    return stacks


def stack_carefully(
    edge_index: Tensor,
    sizes: list[int],
    edge_weight: Tensor | None,
    normalization: Normalization | None,
    directed: Directed,
    drawn: Draw,
) -> list[Stack]:
    """The stacks for any graphs; refuses, with reasons, what is not a graph."""
    groups, _ = adjacencies(edge_index, torch.tensor(sizes), edge_weight, directed)
    node, entry = starts(sizes), starts([n * (n + 1) // 2 for n in sizes])
    stacks = []
    for graphs, stack in groups:
        signed = bool((stack < 0).any())
        if signed:
            for adj, name in zip(stack, graph_names(graphs, len(sizes)), strict=True):
                check_degrees(adj, normalization, name)
        matrices = laplacian(stack, normalization)  # [b, n, n]
        for matrix, g in zip(matrices, graphs, strict=True):
            if drawn.place is not None:
                place = drawn.place[node[g] : node[g + 1]].numpy()
                matrix[np.ix_(place, place)] = matrix.copy()
            if drawn.noise is not None:
                below = np.tril_indices(sizes[g])
                matrix[below] += drawn.scale * drawn.noise[entry[g] : entry[g + 1]].numpy()
        row_scale = random_walk_scale(stack) if normalization == "rw" else None
        stacks.append(Stack(graphs, matrices, row_scale, signed))
    return stacks


def starts(counts: list[int]) -> list[int]:
    """Where each run begins when they stand one after another, and where the last one ends."""
    return [0, *accumulate(counts)]
