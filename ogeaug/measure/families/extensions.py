"""Larger graphs made from given ones, so that isomorphic results need isomorphic graphs."""

from collections.abc import Callable

import networkx as nx

EXTENSIONS: dict[str, Callable[[nx.Graph], nx.Graph]] = {
    "complement": nx.complement,
    "universal node": lambda g: nx.full_join(g, nx.empty_graph(["all"])),
    "pendant nodes": lambda g: nx.compose(g, nx.Graph((v, ("leaf", v)) for v in g)),
    "times an edge": lambda g: nx.cartesian_product(g, nx.path_graph(2)),
    "with a cycle": lambda g: nx.disjoint_union(g, nx.cycle_graph(5)),
    "subdivided": lambda g: nx.Graph((v, ("edge", *sorted(e))) for e in g.edges for v in e),
    "line graph": nx.line_graph,
}
"""What can be made of a connected graph of more than four nodes."""
