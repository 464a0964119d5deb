"""What a node's surroundings look like, in numbers that follow from the graph: walks that come
back, rings, shells."""

import networkx as nx
import torch
from torch import Tensor

from ogeaug.errors import UserError
from ogeaug.graph.adjacencies import adjacencies
from ogeaug.walks.node_walk import node_walks

STEPS, SHORTEST, LONGEST, SHELLS = 20, 3, 8, 7
NUMBERS = STEPS - 1 + LONGEST - SHORTEST + 1 + SHELLS
MOST_CYCLES = 10_000
"""For each node; more would take minutes."""


def structure_numbers(
    edge_index: Tensor, num_nodes: Tensor, edge_weight: Tensor | None = None
) -> Tensor:
    r"""Numbers that describe the place of each node in its graph.

    - the probabilities that a random walk is back after 2, ..., 20 steps;
    - :math:`\log(1 + c_r)`, where :math:`c_r` cycles of r = 3, ..., 8 nodes go through the node;
    - :math:`\log(1 + s_d)`, where :math:`s_d` nodes are d = 1, ..., 7 edges away.

    Cycles are listed one by one: for sparse graphs, like molecules. Of an edge's weight only this
    enters: 0 is no edge.

    Args:
        edge_index, num_nodes, edge_weight: See :func:`ogeaug.spectrum.solve.compute_spectra`.

    Shapes:
        - B graphs with N nodes together -> ``[N, 32]``, float64

    Example:
        >>> square = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
        >>> found = structure_numbers(square, torch.tensor([4]))
        >>> [round(float(p), 3) for p in found[0, :3]], round(float(found[0, 20].exp()) - 1, 3)
        ([0.5, 0.0, 0.5], 1.0)
    """
    stacks, _ = adjacencies(edge_index, num_nodes, edge_weight)
    found = {
        g: nx.from_numpy_array(matrix != 0)
        for graphs, stack in stacks
        for g, matrix in zip(graphs, stack, strict=True)
    }
    graphs = [found[g] for g in range(len(num_nodes))]
    firsts = (num_nodes.cumsum(0) - num_nodes).tolist()
    edges = [
        (first + i, first + j) for first, g in zip(firsts, graphs, strict=True) for i, j in g.edges
    ]
    plain = torch.tensor(edges, dtype=torch.int64, device="cpu").view(-1, 2).T  # [2, m]
    walks = node_walks(plain, num_nodes, steps=STEPS)[:, 1:]
    counts = [torch.cat([_rings(graph), _shells(graph)], 1) for graph in graphs]
    return torch.cat([walks, torch.cat(counts).log1p()], 1)


def _rings(graph: nx.Graph) -> Tensor:
    """How many cycles of each length go through each node: ``[n, 6]``."""
    found = torch.zeros(len(graph), LONGEST - SHORTEST + 1, dtype=torch.float64)
    for count, cycle in enumerate(nx.simple_cycles(graph, length_bound=LONGEST)):
        if count == MOST_CYCLES * len(graph):
            raise UserError(
                f"more than {MOST_CYCLES:,} cycles of at most {LONGEST} nodes for each node of the "
                "graph: they are counted one by one, which is for sparse graphs, like molecules; "
                "use another encoding (rwse, oge_aug)"
            )
        if len(cycle) >= SHORTEST:
            found[cycle, len(cycle) - SHORTEST] += 1
    return found


def _shells(graph: nx.Graph) -> Tensor:
    """How many nodes are so many edges away from each node: ``[n, 7]``."""
    found = torch.zeros(len(graph), SHELLS + 1, dtype=torch.float64)
    for node, distances in nx.all_pairs_shortest_path_length(graph, cutoff=SHELLS):
        for distance in distances.values():
            found[node, distance] += 1
    return found[:, 1:]
