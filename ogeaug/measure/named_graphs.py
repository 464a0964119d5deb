"""From networkx graphs to PyG data."""

from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:  # families are named, and files checked, before torch is loaded
    from torch_geometric.data import Data


def from_networkx(graph: nx.Graph) -> "Data":
    """A graph without features, nodes numbered in networkx's order, edges in both directions.

    Shapes:
        - n nodes, m edges -> edge_index ``[2, 2 m]``

    Example:
        >>> from_networkx(nx.path_graph(3)).edge_index
        tensor([[0, 1, 1, 2],
                [1, 2, 0, 1]])
    """
    import torch
    from torch_geometric.data import Data

    number = {node: i for i, node in enumerate(graph)}
    pairs = [(number[u], number[v]) for u, v in graph.edges if u != v]
    forward = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2).T  # [2, m]
    return Data(edge_index=torch.cat([forward, forward.flip(0)], 1), num_nodes=len(graph))
