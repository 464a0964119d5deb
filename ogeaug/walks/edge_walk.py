"""Return probabilities of random walks on the edges of a graph."""

from typing import Literal

import numpy as np
from scipy.sparse import csr_array
from torch import Tensor

from ogeaug.checks import check_choice, check_counts
from ogeaug.graph.adjacencies import adjacencies
from ogeaug.graph.edge_list import EdgeList, list_edges, to_columns
from ogeaug.graph.edges import Directed, Floats
from ogeaug.spectrum.memory import announce
from ogeaug.walks.node_walk import SMALLEST, check_weights, returns

EdgeWalk = Literal["uniform", "endpoint"]
SMALL = 150  # edges up to which powers of the whole transition matrix are faster
BLOCK = 64  # starting edges at a time: their probabilities stay in the cache
HEAVY = 16.0  # weight of an edge, relative to its neighbours', from which subtraction is inexact


def edge_walks(
    edge_index: Tensor,
    num_nodes: Tensor,
    edge_weight: Tensor | None = None,
    *,
    steps: int,
    walk: EdgeWalk = "uniform",
    directed: Directed = "symmetrize",
) -> Tensor:
    r"""The probability that a walk on undirected edges is back after 1, 2, ..., T steps.

    Each step goes to another edge that shares a node. ``"uniform"``: to any such edge f with
    probability proportional to its weight,

    .. math:: P = \operatorname{rownormalise}\big( (|B_1|^T |B_1| - 2 I) W \big)

    with the incidence matrix :math:`B_1 \in \mathbb{R}^{n \times m}`. ``"endpoint"``: first to
    one of its two ends, each with probability 1/2 (to the only one where the other leads
    nowhere), then to another edge there. Both directions of an edge have the same probabilities;
    self-loops and edges of weight 0 have zeros.

    Cost: :math:`O(T m^2)` time and :math:`O(m)` memory beside the result for m edges, as
    :math:`P = D^T (|B_1| W) - S` with two numbers per column and a diagonal matrix S. Small graphs,
    and graphs with a weight that dwarfs its neighbours', multiply m x m matrices.

    Args:
        edge_index, num_nodes, edge_weight, directed: See
            :func:`ogeaug.walks.node_walk.node_walks`.
        steps: T.
        walk: ``"uniform"`` or ``"endpoint"``.

    Shapes:
        - E columns of edge_index -> ``[E, T]``, float64

    Example:
        >>> import torch
        >>> path = torch.tensor([[0, 1, 2], [1, 2, 3]])
        >>> edge_walks(path, torch.tensor([4]), steps=2)[:, 1]
        tensor([0.5000, 1.0000, 0.5000], dtype=torch.float64)
    """
    check_counts(steps=steps)
    check_choice("walk", walk, EdgeWalk)
    sizes: list[int] = num_nodes.tolist()
    incident = edge_index.size(1) / 2 / max(1, sum(sizes))  # of matrices [n, m], not [n, n]
    announce("walks on edges", sizes, copies=6 + 2 * incident, solves=0.1 * steps * incident)
    stacks, names = adjacencies(edge_index, num_nodes, edge_weight, directed)
    lists: dict[int, EdgeList] = {}
    found: dict[int, Floats] = {}
    for graphs, stack in stacks:
        for g, matrix in zip(graphs, stack, strict=True):
            check_weights(matrix, names[g], smallest=SMALLEST)
            lists[g] = list_edges(matrix)
            found[g] = edge_returns(lists[g], departures(lists[g], matrix, walk), steps)
    return to_columns(found, lists, edge_index, num_nodes, (steps,))


def departures(edges: EdgeList, adjacency: Floats, walk: EdgeWalk) -> Floats:
    """For each end of an edge, the probability of stepping from there to an edge of weight 1.

    Shapes:
        - m edges, adjacency ``[n, n]`` -> ``[m, 2]``
    """
    # What else is at node i beside edge i - j: sums before and after j, so that nothing cancels.
    others = np.zeros_like(adjacency)
    others[:, 1:] = adjacency.cumsum(1)[:, :-1]
    others[:, :-1] += adjacency[:, ::-1].cumsum(1)[:, -2::-1]
    low, high = edges.ends.T
    rest = np.stack([others[low, high], others[high, low]], 1)  # [m, 2]
    if walk == "uniform":
        rest = np.repeat(rest.sum(1, keepdims=True), 2, 1)
        choices = np.ones((len(rest), 1))
    else:
        choices = (rest > 0).sum(1, keepdims=True)
    return np.divide(1.0, choices * rest, out=np.zeros_like(rest), where=rest > 0)


def edge_returns(edges: EdgeList, departure: Floats, steps: int) -> Floats:
    """The diagonals of the powers 1 to T of the walk, in the way that suits the graph.

    Shapes:
        - m edges, departure ``[m, 2]`` -> ``[m, T]``
    """
    m = len(edges.weight)
    turn = departure.sum(1) * edges.weight  # [m] to oneself, if that were allowed
    if m <= SMALL or turn.max() > HEAVY:
        return returns(transition(edges, departure), steps)
    edge, ends = np.repeat(np.arange(m), 2), edges.ends.ravel()
    shape = (len(edges.number), m)
    to_node = csr_array((departure.ravel(), (ends, edge)), shape).T.tocsr()  # [m, n]
    to_edge = csr_array((np.repeat(edges.weight, 2), (ends, edge)), shape)  # [n, m]
    out = np.zeros((m, steps))
    for first in range(0, m, BLOCK):
        start = np.arange(first, min(first + BLOCK, m))
        column = np.arange(len(start))
        x = np.zeros((m, len(start)))
        x[start, column] = 1.0
        for t in range(steps):
            x = to_node @ (to_edge @ x) - turn[:, None] * x
            if t > 0:  # nobody is back after one step
                out[start, t] = x[start, column]
    return out.clip(min=0.0)


def transition(edges: EdgeList, departure: Floats) -> Floats:
    """The transition matrix of the walk.

    Shapes:
        - m edges, departure ``[m, 2]`` -> ``[m, m]``
    """
    at_node = edges.incidence * edges.weight  # [n, m]
    low, high = edges.ends.T
    matrix = departure[:, :1] * at_node[low] + departure[:, 1:] * at_node[high]
    np.fill_diagonal(matrix, 0.0)
    return matrix
