"""What a node's surroundings look like, in numbers that follow from the graph: walks that come
back, rings, shells. A network learns to tell them without a single label."""

import networkx as nx
import torch
from torch import Tensor
from torch_geometric.data import Data

from ogeaug.walks.node_walk import node_walks

STEPS, RINGS, SHELLS = 20, (3, 8), 7


def structure_targets(data: Data) -> Tensor:
    r"""Numbers that describe the place of each node in its graph.

    - the probabilities that a random walk is back after 2, ..., 20 steps;
    - :math:`\log(1 + c_r)`, where :math:`c_r` cycles of r = 3, ..., 8 nodes go through the node;
    - :math:`\log(1 + s_d)`, where :math:`s_d` nodes are d = 1, ..., 7 edges away.

    Cycles are listed one by one: for sparse graphs, like molecules.

    Args:
        data: A graph; its features are not looked at.

    Shapes:
        - n nodes -> ``[n, 32]``

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> found = structure_targets(square)
        >>> found[0, :3], round(float(found[0, 20].exp()) - 1, 3)  # 2, 3, 4 steps; a ring
        (tensor([0.5000, 0.0000, 0.5000]), 1.0)
    """
    assert data.edge_index is not None
    assert data.num_nodes is not None
    walks = node_walks(data.edge_index, torch.tensor([data.num_nodes]), steps=STEPS)[:, 1:]
    graph = nx.empty_graph(data.num_nodes)
    graph.add_edges_from(data.edge_index.t().tolist())
    return torch.cat([walks, _rings(graph).log1p(), _shells(graph).log1p()], 1).float()


def _rings(graph: nx.Graph) -> Tensor:
    """How many cycles of each length go through each node: ``[n, 6]``."""
    shortest, longest = RINGS
    found = torch.zeros(len(graph), longest - shortest + 1, dtype=torch.float64)
    for cycle in nx.simple_cycles(graph, length_bound=longest):
        if len(cycle) >= shortest:
            found[cycle, len(cycle) - shortest] += 1
    return found


def _shells(graph: nx.Graph) -> Tensor:
    """How many nodes are so many edges away from each node: ``[n, 7]``."""
    found = torch.zeros(len(graph), SHELLS + 1, dtype=torch.float64)
    for node, distances in nx.all_pairs_shortest_path_length(graph, cutoff=SHELLS):
        for distance in distances.values():
            found[node, distance] += 1
    return found[:, 1:]
