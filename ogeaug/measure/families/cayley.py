"""Cayley graphs of products of cyclic groups, among them graphs that agree in each eigenspace."""

from collections.abc import Sequence
from itertools import product

import networkx as nx

EIGENSPACES = {
    "Z2 x Z8": (
        ((2, 8), ((0, 1), (0, 2), (1, 1), (1, 7))),
        ((2, 8), ((0, 1), (0, 4), (1, 0), (1, 1), (1, 7))),
    ),
    "Z2 x Z2 x Z4 and Z4 x Z4": (
        ((2, 2, 4), ((0, 0, 1), (0, 0, 2), (0, 1, 0), (0, 1, 2), (1, 0, 0), (1, 1, 0))),
        ((4, 4), ((0, 1), (0, 2), (1, 0), (1, 1))),
    ),
    "Z20": (((20,), ((1,), (3,), (4,), (6,))), ((20,), ((1,), (4,), (6,), (7,)))),
}
"""Pairs (moduli, jumps): not isomorphic, though for each eigenvalue some permutation, not always
the same, takes one eigenspace to the other. Found by a search of the Cayley graphs of all abelian
groups (but Z2 to the 4th) and dihedral groups of up to 19 elements, which has none of fewer than 16
nodes, and of the circulant graphs on up to 20 nodes, which has none of fewer than 20."""


def cayley_graph(moduli: Sequence[int], jumps: Sequence[Sequence[int]]) -> nx.Graph:
    """Nodes are the elements of a product of cyclic groups; each is joined to itself plus a jump.

    Example:
        >>> nx.is_isomorphic(cayley_graph((5,), ((1,),)), nx.cycle_graph(5))
        True
    """
    graph = nx.Graph()
    for element, jump in product(product(*map(range, moduli)), jumps):
        there = tuple((x + d) % m for x, d, m in zip(element, jump, moduli, strict=True))
        graph.add_edge(element, there)
    return graph
