"""Graphs that break encodings: degenerate, tiny, disconnected, weighted, indistinguishable."""

import networkx as nx
import torch
from hypothesis import strategies as st
from torch_geometric.data import Data


def to_data(graph: nx.Graph, weight: torch.Tensor | None = None) -> Data:
    """Both directions of each edge; no features."""
    nodes = {node: i for i, node in enumerate(graph)}
    pairs = [(nodes[u], nodes[v]) for u, v in graph.edges]
    forward = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2).T
    data = Data(edge_index=torch.cat([forward, forward.flip(0)], 1), num_nodes=len(nodes))
    if weight is not None:
        data.edge_weight = torch.cat([weight, weight])
    return data


def rook() -> nx.Graph:
    """The 4 x 4 rook's graph, strongly regular (16, 6, 2, 2)."""
    return nx.line_graph(nx.complete_bipartite_graph(4, 4))


def shrikhande() -> nx.Graph:
    """The other strongly regular graph (16, 6, 2, 2): a Cayley graph of Z4 x Z4."""
    graph = nx.Graph()
    for x in range(4):
        for y in range(4):
            for dx, dy in ((1, 0), (0, 1), (1, 1)):
                graph.add_edge((x, y), ((x + dx) % 4, (y + dy) % 4))
    return graph


def weighted() -> Data:
    graph = nx.gnp_random_graph(12, 0.4, seed=3)
    generator = torch.Generator().manual_seed(0)
    return to_data(graph, torch.rand(graph.number_of_edges(), generator=generator) + 0.1)


HARD = {
    "one node": to_data(nx.empty_graph(1)),
    "no edges": to_data(nx.empty_graph(5)),
    "disconnected": to_data(nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(4))),
    "complete": to_data(nx.complete_graph(8)),
    "star": to_data(nx.star_graph(9)),
    "cycle": to_data(nx.cycle_graph(12)),
    "path": to_data(nx.path_graph(9)),
    "grid": to_data(nx.grid_2d_graph(4, 4)),
    "rook": to_data(rook()),
    "shrikhande": to_data(shrikhande()),
    "random regular": to_data(nx.random_regular_graph(3, 20, seed=1)),
    "weighted": weighted(),
    "200 nodes": to_data(nx.random_labeled_tree(200, seed=2)),
}


@st.composite
def graphs(draw, max_nodes: int = 12) -> Data:
    """Any graph, weighted or not, often with many symmetries."""
    n = draw(st.integers(1, max_nodes))
    pairs = [(i, j) for i in range(n) for j in range(i)]
    kind = draw(st.sampled_from(["any", "circulant", "union"]))
    graph = nx.empty_graph(n)
    if kind == "circulant":
        graph = nx.circulant_graph(n, draw(st.lists(st.integers(1, max(1, n // 2)), max_size=3)))
        graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    elif kind == "union":
        part = draw(st.sampled_from([nx.path_graph, nx.complete_graph, nx.star_graph]))
        graph = nx.disjoint_union_all([part(draw(st.integers(1, 4)))] * draw(st.integers(1, 3)))
    elif pairs:
        graph.add_edges_from(draw(st.lists(st.sampled_from(pairs), unique=True)))
    weight = None
    if draw(st.booleans()):
        count = graph.number_of_edges()
        values = st.sampled_from([0.1, 0.5, 1.0, 1.0, 2.0, 10.0])
        weight = torch.tensor(draw(st.lists(values, min_size=count, max_size=count)))
    return to_data(graph, weight)
