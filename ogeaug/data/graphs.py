"""Graphs that are no molecules -> PyG data: edge lists, networkx, graph6."""

import operator
from collections.abc import Hashable, Iterable

import networkx as nx
import torch
from torch_geometric.data import Data

from ogeaug.data.limits import check_length
from ogeaug.errors import UserError

MOST_NODES = 10_000_000
"""Of an edge list: larger numbers are names of nodes, and for each one below there would be a
node."""


class GraphError(UserError):
    """Text that is no graph; the message says why."""


def edges_to_data(edges: Iterable[tuple[int, int]], num_nodes: int | None = None) -> Data:
    """A graph from pairs of node numbers (from 0); each edge is put in both directions.

    Args:
        edges: Pairs. An edge may be listed once or in both directions.
        num_nodes: Number of nodes; one more than the largest number if absent.

    Shapes:
        - E different edges -> edge_index ``[2, 2E]``

    Example:
        >>> edges_to_data([(0, 1), (1, 2)])
        Data(edge_index=[2, 4], num_nodes=3)
    """
    pairs = [_whole(pair) for pair in edges]
    graph = nx.Graph()
    if any(min(pair) < 0 for pair in pairs):
        raise GraphError(f"node numbers start at 0, got {min(min(pair) for pair in pairs)}")
    least = 1 + max((max(pair) for pair in pairs), default=-1)
    if num_nodes is not None and num_nodes < least:
        raise GraphError(f"num_nodes={num_nodes}, but the edges name node {least - 1}")
    count = least if num_nodes is None else num_nodes
    if count > MOST_NODES:
        raise GraphError(
            f"{count:,} nodes, more than {MOST_NODES:,}; number them from 0 without gaps"
        )
    graph.add_nodes_from(range(count))
    graph.add_edges_from(pairs)
    return networkx_to_data(graph)


def _whole(pair: tuple[int, int]) -> tuple[int, int]:
    try:
        i, j = (operator.index(node) for node in pair)
    except (TypeError, ValueError) as error:
        raise GraphError(f"an edge is a pair of whole numbers, got {pair!r}") from error
    return i, j


def networkx_to_data(graph: nx.Graph, *, weight: str | None = None) -> Data:
    """A networkx graph, its nodes numbered in the graph's order; self-loops are left out.

    Args:
        graph: The graph. A directed one loses its directions.
        weight: Edge attribute to take as ``data.edge_weight``.

    Shapes:
        - n nodes, m edges -> edge_index ``[2, 2m]``, edge_weight ``[2m]``
    """
    simple = nx.Graph(graph)
    number: dict[Hashable, int] = {node: i for i, node in enumerate(simple)}
    edges = [(u, v) for u, v in simple.edges if u != v]
    pairs = [(number[u], number[v]) for u, v in edges]
    forward = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2).T  # [2, m]
    data = Data(
        edge_index=torch.stack([forward, forward.flip(0)], 2).flatten(1),  # [2, 2m]
        num_nodes=len(number),
    )
    if weight is not None:
        weights = [float(simple.edges[edge][weight]) for edge in edges]
        data.edge_weight = torch.tensor(weights).repeat_interleave(2)
    return data


def graph6_to_data(text: str, *, max_nodes: int | None = None) -> Data:
    """A graph from its graph6 string.

    Args:
        text: The string.
        max_nodes: Larger graphs are refused, before that takes any time.

    Example:
        >>> graph6_to_data("Bw")
        Data(edge_index=[2, 6], num_nodes=3)
    """
    text = text.strip()
    if not text:
        raise GraphError("empty graph6 string")
    # networkx takes characters below the format's first one for edges.
    foreign = next((c for c in text.removeprefix(">>graph6<<") if not "?" <= c <= "~"), None)
    if foreign is not None:
        raise GraphError(f"invalid graph6 {text[:60]!r}: {foreign!r} is no part of a graph6 string")
    if max_nodes is not None:
        check_length(text, max_nodes**2 // 12 + 64, max_nodes)
    try:
        graph = nx.from_graph6_bytes(text.encode("ascii"))
    except IndexError as error:
        raise GraphError(
            f"invalid graph6 {text[:60]!r}: it ends within the number of nodes; is it cut off?"
        ) from error
    except (nx.NetworkXError, ValueError) as error:
        raise GraphError(f"invalid graph6 {text[:60]!r}: {error}") from error
    if len(graph) == 0:
        raise GraphError(f"graph6 {text!r} has no nodes")
    return networkx_to_data(graph)
