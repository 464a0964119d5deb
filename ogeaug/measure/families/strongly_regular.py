"""Strongly regular graphs."""

from itertools import combinations, product

import networkx as nx


def rook() -> nx.Graph:
    """The 4 x 4 rook's graph."""
    return nx.line_graph(nx.complete_bipartite_graph(4, 4))


def shrikhande() -> nx.Graph:
    """The Cayley graph of Z4 x Z4 with steps (1, 0), (0, 1), (1, 1)."""
    graph = nx.Graph()
    for x, y, (dx, dy) in product(range(4), range(4), ((1, 0), (0, 1), (1, 1))):
        graph.add_edge((x, y), ((x + dx) % 4, (y + dy) % 4))
    return graph


def cyclic(n: int) -> list[list[int]]:
    """The addition table of Z_n."""
    return [[(i + j) % n for j in range(n)] for i in range(n)]


LOOP5 = [[0, 1, 2, 3, 4], [1, 0, 3, 4, 2], [2, 4, 0, 1, 3], [3, 2, 4, 0, 1], [4, 3, 1, 2, 0]]
"""A Latin square of order 5 that is no group table."""

SYMMETRIC3 = [
    [0, 1, 2, 3, 4, 5],
    [1, 2, 0, 4, 5, 3],
    [2, 0, 1, 5, 3, 4],
    [3, 5, 4, 0, 2, 1],
    [4, 3, 5, 1, 0, 2],
    [5, 4, 3, 2, 1, 0],
]
"""The multiplication table of the symmetric group on three letters."""


def latin_square_graph(square: list[list[int]]) -> nx.Graph:
    """Cells are adjacent that share row, column or symbol."""
    n = len(square)
    cells = [(i, j, square[i][j]) for i in range(n) for j in range(n)]
    graph = nx.empty_graph(n * n)
    for a, b in combinations(range(n * n), 2):
        if any(x == y for x, y in zip(cells[a], cells[b], strict=True)):
            graph.add_edge(a, b)
    return graph


def chang_graphs() -> list[nx.Graph]:
    """The three Chang graphs: the line graph of K8, switched on a set of its nodes."""
    matching = [(0, 1), (2, 3), (4, 5), (6, 7)]
    octagon = [(i, (i + 1) % 8) for i in range(8)]
    triangle_pentagon = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 6), (6, 7), (7, 3)]
    return [switch(edges) for edges in (matching, octagon, triangle_pentagon)]


def switch(edges: list[tuple[int, int]]) -> nx.Graph:
    """Seidel switching of the line graph of K8 on a set of nodes (that is, edges of K8)."""
    graph = nx.line_graph(nx.complete_graph(8))
    inside = {tuple(sorted(e)) for e in edges}
    switched = nx.empty_graph(graph.nodes)
    for u, v in combinations(graph, 2):
        crosses = (u in inside) != (v in inside)
        if graph.has_edge(u, v) != crosses:
            switched.add_edge(u, v)
    return switched


def symplectic_graphs() -> list[nx.Graph]:
    r"""Six graphs (63, 30, 13, 15) with the 4-vertex condition, no two of them isomorphic.

    The nodes of the first are the non-zero vectors of :math:`F_2^6`, adjacent if they are
    orthogonal for the symplectic form; each other one is the one before it, switched on four nodes:
    who is adjacent to two of them becomes adjacent to the other two instead.
    """
    vectors = [v for v in product((0, 1), repeat=6) if any(v)]
    graph = nx.empty_graph(63)
    for (i, a), (j, b) in combinations(enumerate(vectors), 2):
        if sum(a[k] * b[k + 3] + a[k + 3] * b[k] for k in range(3)) % 2 == 0:
            graph.add_edge(i, j)
    graphs = [graph]
    for four in FOURS:
        graph = graph.copy()
        for node in set(graph) - four:
            joined = four & set(graph[node])
            if len(joined) == 2:
                graph.remove_edges_from([(node, u) for u in joined])
                graph.add_edges_from([(node, u) for u in four - joined])
        graphs.append(graph)
    return graphs


FOURS = ({0, 1, 3, 6}, {0, 1, 4, 5}, {0, 2, 3, 5}, {7, 9, 11, 13}, {8, 10, 12, 14})
"""On which the symplectic graph is switched, one after the other."""
