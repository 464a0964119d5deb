"""Graphs that lose an edge or a node, matched to what they were by the best permutation."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import networkx as nx
import numpy as np
import torch
from scipy.optimize import quadratic_assignment
from torch import Tensor, nn
from torch_geometric.data import Data
from torch_geometric.utils import to_networkx

from ogeaug.measure.invariance import without_spectrum

SMALL = 8
"""Nodes of graphs for which all permutations are tried (40,320 of them)."""


@dataclass(frozen=True, eq=False)
class Edit:
    r"""A graph less an edge, or less the edges of a node, which then stands alone.

    Attributes:
        kind: ``"edge"`` or ``"node"``.
        data: The graph after the edit, as many nodes as before.
        perm: :math:`P_*`: node ``perm[i]`` of it takes the place of node i ``[n]``.
        size: :math:`\|L - P_* L' P_*^T\|_F`.
        exact: Whether no permutation gives less. Proven by a lower bound, or by trying all of them
            (up to 8 nodes); else the best that a heuristic found (fast approximate quadratic
            assignment, then exchanges of two nodes).
    """

    kind: str
    data: Data
    perm: Tensor
    size: float
    exact: bool


def all_edits(data: Data) -> list[Edit]:
    """Every edge left out, then every node, once for edits that give isomorphic graphs.

    Example:
        >>> path = Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
        >>> [(edit.kind, edit.size, edit.exact) for edit in all_edits(path)]
        [('edge', 2.0, True), ('node', 3.1622776601683795, True)]
    """
    before, found = _laplacian(data), list[tuple[Edit, nx.Graph]]()
    for kind, other in _edited(data):
        graph = to_networkx(other, to_undirected=True)
        if any(nx.is_isomorphic(graph, known) for _, known in found):
            continue
        perm, size, exact = match(before, _laplacian(other))
        found.append((Edit(kind, other, torch.from_numpy(perm), size, exact), graph))
    return [edit for edit, _ in found]


@torch.no_grad()
def edit_changes(encoding: nn.Module, data: Data, edits: list[Edit]) -> list[float]:
    r"""The change :math:`\|Z - P_* Z'\|_F / \|Z\|_F` by each edit."""
    start = encoding(without_spectrum(data))
    scale = float(start.norm()) or 1.0
    return [float((start - encoding(edit.data)[edit.perm]).norm()) / scale for edit in edits]


def match(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, float, bool]:
    """The permutation that brings one Laplacian nearest to another, its distance, and whether it is
    proven to be the best; see :class:`Edit`."""
    n, best = len(left), np.arange(len(left))
    least = _lower_bound(left, right)

    def distance(perm: np.ndarray) -> float:
        return float(np.linalg.norm(left - right[np.ix_(perm, perm)]))

    if distance(best) <= least * (1 + 1e-9):  # nothing moves: so it is with a single edge
        return best, distance(best), True
    if n <= SMALL:
        best = min((np.array(perm) for perm in permutations(range(n))), key=distance)
        return best, distance(best), True
    # Of the trace of L P L' P^T, which makes the distance small.
    options = {"maximize": True, "rng": np.random.default_rng(0)}
    start = quadratic_assignment(left, right, method="faq", options=options).col_ind
    for first in (best, start):
        guess = {"partial_guess": np.stack([np.arange(n), first], 1)}
        found = quadratic_assignment(left, right, method="2opt", options=options | guess).col_ind
        best = min((best, found), key=distance)
    return best, distance(best), distance(best) <= least * (1 + 1e-9)


def _lower_bound(left: np.ndarray, right: np.ndarray) -> float:
    """Sorted entries are as near as any: of the diagonals, and of all others."""
    off = ~np.eye(len(left), dtype=bool)
    pairs = (np.diag(left), np.diag(right)), (left[off], right[off])
    return math.sqrt(sum(float(((np.sort(a) - np.sort(b)) ** 2).sum()) for a, b in pairs))


def _edited(data: Data) -> Iterator[tuple[str, Data]]:
    plain, (i, j) = without_spectrum(data), data.edge_index
    for a, b in sorted({(min(p), max(p)) for p in zip(i.tolist(), j.tolist(), strict=True)}):
        yield "edge", plain.edge_subgraph(~(((i == a) & (j == b)) | ((i == b) & (j == a))))
    for node in range(int(data.num_nodes or 0)):
        if bool(((i == node) | (j == node)).any()):
            yield "node", plain.edge_subgraph(~((i == node) | (j == node)))


def _laplacian(data: Data) -> np.ndarray:
    n, (i, j) = int(data.num_nodes or 0), data.edge_index
    weight = data.get("edge_weight", None)
    adjacency = torch.zeros(n, n, dtype=torch.float64)
    adjacency[i, j] = adjacency[j, i] = (
        torch.ones(len(i)).double() if weight is None else weight.double()
    )
    return (torch.diag(adjacency.sum(1)) - adjacency).numpy()
