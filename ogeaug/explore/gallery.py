"""Graphs to begin with: hard ones, and a molecule."""

from collections.abc import Callable

import networkx as nx

from ogeaug.measure.families.cayley import EIGENSPACES, cayley_graph
from ogeaug.measure.families.cfi import cfi_graph
from ogeaug.measure.families.strongly_regular import rook, shrikhande

MOLECULES = {
    "caffeine": "CN1C=NC2=C1C(=O)N(C(=O)N2C)C",
    "aspirin": "CC(=O)Oc1ccccc1C(=O)O",
    "benzene": "c1ccccc1",
    "cubane": "C12C3C4C1C5C2C3C45",
}


def _circulant(number: int) -> nx.Graph:
    graph = cayley_graph(*EIGENSPACES["Z20"][number])
    return nx.relabel_nodes(graph, {element: element[0] for element in graph})


def _cfi(twist: bool) -> nx.Graph:
    """Over the prism: over K4 it is rook and Shrikhande, over K3,3 order 2 sees no difference."""
    return cfi_graph(nx.circular_ladder_graph(3), twist)


GRAPHS: dict[str, Callable[[], nx.Graph]] = {
    "C12, the ring": lambda: nx.cycle_graph(12),
    "star of 12": lambda: nx.star_graph(11),
    "Petersen": nx.petersen_graph,
    "rook 4x4": rook,
    "Shrikhande": shrikhande,
    "CFI over the prism": lambda: _cfi(False),
    "CFI over the prism, twisted": lambda: _cfi(True),
    "circulant 20 {1,3,4,6}": lambda: _circulant(0),
    "circulant 20 {1,4,6,7}": lambda: _circulant(1),
}
PAIRS = {
    "rook 4x4 and Shrikhande": ("rook 4x4", "Shrikhande"),
    "CFI over the prism, straight and twisted": (
        "CFI over the prism",
        "CFI over the prism, twisted",
    ),
    "two circulants on 20 nodes": ("circulant 20 {1,3,4,6}", "circulant 20 {1,4,6,7}"),
}
"""Not isomorphic, and hard to tell apart."""
NAMES = (*MOLECULES, *GRAPHS)
