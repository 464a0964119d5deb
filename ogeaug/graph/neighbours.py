"""Undirected edges for messages, by the rules of the adjacency matrix."""

import torch
from torch import Tensor
from torch_geometric.utils import coalesce, remove_self_loops, to_undirected

from ogeaug.graph.adjacencies import plain_edges


def neighbours(
    edge_index: Tensor, num_nodes: int, edge_weight: Tensor | None = None
) -> tuple[Tensor, Tensor | None]:
    """Undirected edges by the rules of :func:`ogeaug.graph.laplacian.adjacency`.

    No self-loops; parallel edges add up; each edge in both directions, with the mean weight.

    Shapes:
        - edge_index ``[2, E]``, edge_weight ``[E]`` -> ``[2, E']``, ``[E']`` or None if all are 1
    """
    edge_index, weight = plain_edges(edge_index), edge_weight
    if weight is None:
        weight = torch.ones(edge_index.size(1), device=edge_index.device)
    elif weight.dtype not in (torch.float32, torch.float64):
        weight = weight.double()  # sums of halves overflow, means of integers are cut
    edge_index, weight = remove_self_loops(edge_index, weight)
    edge_index, weight = coalesce(edge_index, weight, num_nodes, reduce="sum")
    edge_index, weight = to_undirected(edge_index, weight, num_nodes, reduce="mean")
    plain = edge_weight is None and bool((weight == 1).all())
    return edge_index, None if plain else weight
