"""What an encoding tells apart at all, beside how far it moves: distances to different graphs."""

import math
from itertools import combinations

import networkx as nx
import numpy as np
import torch
from scipy.optimize import linear_sum_assignment
from torch import Tensor, nn
from torch_geometric.data import Data
from torch_geometric.utils import to_networkx

from ogeaug.measure.invariance import without_spectrum
from ogeaug.measure.named_graphs import from_networkx

MOST_EDGES = 60
"""Beyond it, pairs of edges to switch are too many to try; single edges are left out all the same.
"""


@torch.no_grad()
def distance_to_others(encoding: nn.Module, data: Data) -> float:
    r"""Distance to the nearest of the graphs that :func:`different_graphs` makes.

    .. math:: \min_{G' \ne G} \min_P \|Z(G) - P Z(G')\|_F \, / \, \|Z(G)\|_F

    The permutation is exact (Hungarian method, on squared distances between nodes). Divided by how
    far the encoding moves under a perturbation, it says whether that can be taken for another
    graph: at 1 it can.

    Args:
        encoding: In float64 and eval mode.
        data: One graph with at least one edge.

    Example:
        >>> from ogeaug import OGEAug
        >>> ring = from_networkx(nx.cycle_graph(8))
        >>> distance_to_others(OGEAug(8, hidden_channels=8).double().eval(), ring) > 0.01
        True
    """
    start = encoding(without_spectrum(data))
    scale = float(start.norm()) or 1.0
    return min(matched_distance(start, encoding(other)) / scale for other in different_graphs(data))


def matched_distance(left: Tensor, right: Tensor) -> float:
    r"""The Frobenius norm of the difference, over the best permutation of the rows.

    Shapes:
        - ``[n, c]``, ``[n, c]`` -> scalar

    Example:
        >>> matched_distance(torch.tensor([[1.0], [5.0]]), torch.tensor([[5.0], [2.0]]))
        1.0
    """
    cost = torch.cdist(left, right).square().numpy()
    return math.sqrt(cost[linear_sum_assignment(cost)].sum())


def different_graphs(data: Data) -> list[Data]:
    """Graphs that differ a little and are not isomorphic, to the given one or to each other.

    All that lack one edge, and, up to :data:`MOST_EDGES` edges, all with two edges switched (ab, cd
    for ac, bd), which keeps the degrees. Nodes keep their features; edges have no weights.
    """
    graph = nx.Graph(to_networkx(data, to_undirected=True, remove_self_loops=True).edges)
    graph.add_nodes_from(range(int(data.num_nodes or 0)))
    if not graph.edges:
        raise ValueError("a graph without edges has none that differs by an edge")
    found: dict[bytes, list[nx.Graph]] = {}

    def add(removed: list[tuple[int, int]], added: list[tuple[int, int]]) -> None:
        other = graph.copy()
        other.remove_edges_from(removed)
        other.add_edges_from(added)
        alike = found.setdefault(_spectrum(other), [])  # graphs of other keys are not isomorphic
        if not any(nx.is_isomorphic(other, known) for known in [graph, *alike]):
            alike.append(other)

    for edge in graph.edges:
        add([edge], [])
    if graph.number_of_edges() <= MOST_EDGES:
        for (a, b), (c, d) in combinations(graph.edges, 2):
            for new in (((a, c), (b, d)), ((a, d), (b, c))):
                if len({a, b, c, d}) == 4 and not any(graph.has_edge(*e) for e in new):
                    add([(a, b), (c, d)], list(new))
    made = [from_networkx(_ordered(other)) for alike in found.values() for other in alike]
    if data.x is not None:
        for other in made:
            other.x = data.x
    return made


def _spectrum(graph: nx.Graph) -> bytes:
    laplacian = nx.laplacian_matrix(graph).toarray().astype(float)
    return (np.linalg.eigvalsh(laplacian).round(6) + 0.0).tobytes()


def _ordered(graph: nx.Graph) -> nx.Graph:
    """Nodes in the order of their numbers, which :func:`from_networkx` keeps."""
    out = nx.Graph()
    out.add_nodes_from(sorted(graph))
    out.add_edges_from(graph.edges)
    return out
