"""The graphs of Cai, Fürer and Immerman."""

from collections.abc import Callable
from itertools import combinations, product

import networkx as nx

BASES: dict[str, Callable[[], nx.Graph]] = {
    "K4": lambda: nx.complete_graph(4),
    "prism": lambda: nx.circular_ladder_graph(3),
    "K3,3": lambda: nx.complete_bipartite_graph(3, 3),
    "wheel 5": lambda: nx.wheel_graph(5),
    "cube": lambda: nx.hypercube_graph(3),
    "Petersen": nx.petersen_graph,
    "grid 3x3": lambda: nx.grid_2d_graph(3, 3),
    "K5": lambda: nx.complete_graph(5),
    "octahedron": nx.octahedral_graph,
    "K6": lambda: nx.complete_graph(6),
}


LARGE_BASES: dict[str, Callable[[], nx.Graph]] = {
    "K3,4": lambda: nx.complete_bipartite_graph(3, 4),
    "K3,5": lambda: nx.complete_bipartite_graph(3, 5),
    "K4,4": lambda: nx.complete_bipartite_graph(4, 4),
    "K5,5": lambda: nx.complete_bipartite_graph(5, 5),
    "K1,2,2,2": lambda: nx.complete_multipartite_graph(1, 2, 2, 2),
    "wheel 7": lambda: nx.wheel_graph(7),
    "C7(2,3)": lambda: nx.circulant_graph(7, [2, 3]),
    "C8(1,2)": lambda: nx.circulant_graph(8, [1, 2]),
    "C8(1,4)": lambda: nx.circulant_graph(8, [1, 4]),
    "C9(1,2)": lambda: nx.circulant_graph(9, [1, 2]),
    "rook 3x3": lambda: nx.cartesian_product(nx.complete_graph(3), nx.complete_graph(3)),
    "grid 4x4": lambda: nx.grid_2d_graph(4, 4),
    "Heawood": nx.heawood_graph,
    "Möbius-Kantor": nx.moebius_kantor_graph,
    "Pappus": nx.pappus_graph,
    "ladder 8": lambda: nx.circular_ladder_graph(8),
    "C16(1,8)": lambda: nx.circulant_graph(16, [1, 8]),
    "atlas 1080": lambda: nx.graph_atlas(1080),
    "random 3-regular": lambda: nx.random_regular_graph(3, 16, seed=3),
    "random 4-regular": lambda: nx.random_regular_graph(4, 10, seed=4),
    "random 5-regular": lambda: nx.random_regular_graph(5, 8, seed=3),
}


def cfi_graph(base: nx.Graph, twist: bool = False, *, edge_nodes: int = 0) -> nx.Graph:
    r"""The graph of Cai, Fürer and Immerman over a connected base graph.

    Each base node v becomes the nodes (v, S) for all even sets S of its edges; (u, S) and (v, T)
    are adjacent if uv is an edge that lies in both sets or in neither (if the edge is twisted: in
    exactly one). One twist gives a graph that is not isomorphic; the larger the treewidth of the
    base, the higher the order of Weisfeiler and Leman's test that tells the two apart.

    Args:
        base: Connected.
        twist: Twist one edge.
        edge_nodes: 1 joins the sets through two nodes (edge, in or out) for each edge instead;
            2 does so at both ends of an edge, and joins these nodes.

    Example:
        >>> cfi_graph(nx.complete_graph(4)).number_of_nodes()
        16
    """
    edges = [frozenset(e) for e in base.edges]
    inner = {
        v: [
            frozenset(s)
            for size in range(0, base.degree(v) + 1, 2)
            for s in combinations([e for e in edges if v in e], size)
        ]
        for v in base
    }
    graph = nx.Graph()
    for e in edges:
        u, v = e
        swap = twist and e == edges[0]
        if edge_nodes:
            ends = {u: u, v: v} if edge_nodes == 2 else {u: u, v: u}
            for s in inner[u]:
                graph.add_edge((u, s), (e, ends[u], e in s))
            for s in inner[v]:
                graph.add_edge((v, s), (e, ends[v], (e in s) != swap))
            if edge_nodes == 2:
                graph.add_edges_from(((e, u, side), (e, v, side)) for side in (False, True))
        else:
            for s, t in product(inner[u], inner[v]):
                if ((e in s) == (e in t)) != swap:
                    graph.add_edge((u, s), (v, t))
    return nx.convert_node_labels_to_integers(graph)
