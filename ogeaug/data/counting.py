"""Random graphs whose cycles or small parts are to be counted, and the counts."""

from collections import Counter
from itertools import combinations

import networkx as nx
import numpy as np

REGULAR = ((10, 6), (15, 6), (20, 5), (30, 5))
"""Nodes and degrees of the graphs whose cycles are counted."""
ERDOS_RENYI = (10, 0.3)
"""Nodes and edge probability of those whose parts are counted."""


def thinned_regular(seed: int) -> nx.Graph:
    """A random regular graph less as many random edges as it has nodes.

    Example:
        >>> graph = thinned_regular(0)
        >>> (len(graph), graph.size()) in {(n, n * d // 2 - n) for n, d in REGULAR}
        True
    """
    rng = np.random.default_rng([4, seed])
    n, degree = REGULAR[int(rng.integers(len(REGULAR)))]
    graph = nx.random_regular_graph(degree, n, seed=int(rng.integers(2**31)))
    edges = sorted(map(sorted, graph.edges))
    graph.remove_edges_from(edges[i] for i in rng.choice(len(edges), n, replace=False))
    return graph


def erdos_renyi(seed: int) -> nx.Graph:
    """A random graph of 10 nodes."""
    rng = np.random.default_rng([5, seed])
    return nx.gnp_random_graph(*ERDOS_RENYI, seed=int(rng.integers(2**31)))


def count_cycles(graph: nx.Graph) -> dict[str, int]:
    """Cycles of 3 to 6 nodes, each counted once.

    Example:
        >>> count_cycles(nx.complete_graph(4))
        {'cycle3': 4, 'cycle4': 3, 'cycle5': 0, 'cycle6': 0}
    """
    found = Counter(map(len, nx.simple_cycles(graph, length_bound=6)))
    return {f"cycle{length}": found[length] for length in range(3, 7)}


def count_parts(graph: nx.Graph) -> dict[str, int]:
    """Triangles, stars and cycles, and, induced, tailed triangles and chordal cycles.

    Example:
        >>> count_parts(nx.complete_graph(4))["star3"], count_parts(nx.diamond_graph())["triangle"]
        (4, 2)
    """
    cycles = count_cycles(graph)
    degrees = [degree for _, degree in graph.degree]
    tailed = chordal = 0
    for nodes in combinations(graph, 4):
        inside = sorted(degree for _, degree in graph.subgraph(nodes).degree)
        tailed += inside == [1, 2, 2, 3]
        chordal += inside == [2, 2, 3, 3]
    return {
        "triangle": cycles["cycle3"],
        "tailed_triangle_induced": tailed,
        "star3": sum(d * (d - 1) * (d - 2) // 6 for d in degrees),
        "chordal_cycle_induced": chordal,
        **{name: cycles[name] for name in ("cycle4", "cycle5", "cycle6")},
    }
