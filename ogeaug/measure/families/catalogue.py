"""Pairs of graphs that are hard to tell apart, generated without any data file."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from ogeaug.measure.families.cayley import EIGENSPACES, cayley_graph
from ogeaug.measure.families.cfi import BASES, LARGE_BASES, cfi_graph
from ogeaug.measure.families.distance_regular import (
    hadamard_design,
    hadamard_graph,
    hadamard_matrices,
    hamming_and_doob,
)
from ogeaug.measure.families.extensions import EXTENSIONS
from ogeaug.measure.families.strongly_regular import (
    LOOP5,
    SYMMETRIC3,
    chang_graphs,
    cyclic,
    latin_square_graph,
    rook,
    shrikhande,
    symplectic_graphs,
)
from ogeaug.measure.named_graphs import from_networkx
from ogeaug.measure.pairs import Pair


def regular_pairs() -> Iterator[Pair]:
    """All pairs of graphs of up to 7 nodes that 1-WL cannot tell apart (networkx's atlas)."""
    classes = defaultdict(list)
    for number, graph in enumerate(nx.graph_atlas_g()):
        classes[colour_refinement(graph)].append((number, graph))
    for members in classes.values():
        for (i, g), (j, h) in combinations(members, 2):
            yield _pair("regular", f"atlas {i}, {j}", g, h)


def strongly_regular_pairs() -> Iterator[Pair]:
    """Strongly regular graphs of equal parameters: on 16, 25, 28 and 36 nodes."""
    yield _pair("strongly-regular", "srg(16,6,2,2)", rook(), shrikhande())
    klein = [[i ^ j for j in range(4)] for i in range(4)]
    yield _pair(
        "strongly-regular",
        "srg(16,9,4,6)",
        latin_square_graph(cyclic(4)),
        latin_square_graph(klein),
    )
    yield _pair(
        "strongly-regular",
        "srg(25,12,5,6)",
        latin_square_graph(cyclic(5)),
        latin_square_graph(LOOP5),
    )
    chang = [nx.line_graph(nx.complete_graph(8)), *chang_graphs()]
    for i, j in combinations(range(4), 2):
        yield _pair("strongly-regular", f"srg(28,12,6,4) {i}, {j}", chang[i], chang[j])
    yield _pair(
        "strongly-regular",
        "srg(36,15,6,6)",
        latin_square_graph(cyclic(6)),
        latin_square_graph(SYMMETRIC3),
    )


def design_pairs() -> Iterator[Pair]:
    r"""Incidence graphs of symmetric designs of equal parameters, on 32 and 72 nodes.

    The first two come from difference sets in :math:`Z_2 \times Z_8`. A strongly regular graph
    with :math:`\lambda = \mu` is a symmetric design too (the neighbourhoods are its blocks), with
    the bipartite double of the graph as its incidence graph: so the other two.
    """
    left = difference_design([(0, 0), (0, 1), (0, 2), (0, 5), (1, 0), (1, 6)], (2, 8))
    right = difference_design([(0, 0), (0, 1), (0, 2), (0, 4), (1, 1), (1, 6)], (2, 8))
    yield _pair("designs", "2-(16,6,2)", left, right)
    left, right = latin_square_graph(cyclic(6)), latin_square_graph(SYMMETRIC3)
    yield _pair("designs", "2-(36,15,6)", bipartite_double(left), bipartite_double(right))


def distance_regular_pairs() -> Iterator[Pair]:
    """Graphs and designs of Hadamard matrices of order 16; a Hamming and a Doob graph."""
    matrices = hadamard_matrices()
    for i, j in combinations(range(len(matrices)), 2):
        for name, make in (("Hadamard graph", hadamard_graph), ("2-(15,7,3)", hadamard_design)):
            yield _pair(
                "distance-regular", f"{name} {i}, {j}", *map(make, (matrices[i], matrices[j]))
            )
    yield _pair("distance-regular", "Hamming and Doob", *hamming_and_doob())


def four_vertex_pairs() -> Iterator[Pair]:
    """Strongly regular graphs (63, 30, 13, 15) with the 4-vertex condition."""
    for (i, g), (j, h) in combinations(enumerate(symplectic_graphs()), 2):
        yield _pair("four-vertex", f"srg(63,30,13,15) {i}, {j}", g, h)


def extension_pairs() -> Iterator[Pair]:
    """Strongly regular and CFI pairs, extended in each of several ways, up to 100 nodes."""
    from torch_geometric.utils import to_networkx

    for pair in (*strongly_regular_pairs(), *cfi_pairs(("K4", "prism", "K3,3"))):
        graphs = [to_networkx(data, to_undirected=True) for data in (pair.left, pair.right)]
        for name, extend in EXTENSIONS.items():
            left, right = map(extend, graphs)
            if len(left) <= 100:
                yield _pair("extensions", f"{pair.name}, {name}", left, right)


def skip_link_pairs() -> Iterator[Pair]:
    """The 45 pairs of the ten circular skip links of 41 nodes (CSL)."""
    skips = (2, 3, 4, 5, 6, 9, 11, 12, 13, 16)
    for r, s in combinations(skips, 2):
        left, right = nx.circulant_graph(41, [1, r]), nx.circulant_graph(41, [1, s])
        yield _pair("skip-links", f"CSL(41) {r}, {s}", left, right)


def eigenspace_pairs() -> Iterator[Pair]:
    """Graphs of 16 and 20 nodes that no network can tell apart which looks at one eigenspace at a
    time: Vanilla OGE-Aug, BasisNet, and the definition of OGE-Aug, whatever their f."""
    for name, (left, right) in EIGENSPACES.items():
        yield _pair("eigenspaces", f"Cayley {name}", cayley_graph(*left), cayley_graph(*right))


def tree_pairs() -> Iterator[Pair]:
    """Trees of 11 nodes with equal Laplacian spectra: the smallest there are."""
    classes = defaultdict(list)
    for number, tree in enumerate(nx.nonisomorphic_trees(11)):
        eigvals = np.linalg.eigvalsh(nx.laplacian_matrix(tree).toarray().astype(float))
        classes[tuple(np.round(eigvals, 6) + 0.0)].append((number, tree))
    for members in classes.values():
        for (i, g), (j, h) in combinations(members, 2):
            yield _pair("trees", f"trees of 11 nodes {i}, {j}", g, h)


def cfi_pairs(bases: Iterable[str] = BASES) -> Iterator[Pair]:
    """CFI graphs over small base graphs, straight and with one twisted edge, in two forms."""
    for name in bases:
        for edge_nodes in (0, 1):
            yield _cfi_pair("cfi", name, BASES[name](), edge_nodes)


def large_cfi_pairs() -> Iterator[Pair]:
    """The same over larger base graphs, in three forms, up to 200 nodes."""
    for name, make in LARGE_BASES.items():
        for edge_nodes in (0, 1, 2):
            pair = _cfi_pair("large-cfi", name, make(), edge_nodes)
            if int(pair.left.num_nodes or 0) <= 200:
                yield pair


def _cfi_pair(category: str, name: str, base: nx.Graph, edge_nodes: int) -> Pair:
    form = ("compact", "with edge nodes", "with two edge nodes")[edge_nodes]
    graphs = [cfi_graph(base, twist, edge_nodes=edge_nodes) for twist in (False, True)]
    return _pair(category, f"CFI {name} {form}", *graphs)


FAMILIES: dict[str, Callable[[], Iterator[Pair]]] = {
    "regular": regular_pairs,
    "strongly-regular": strongly_regular_pairs,
    "cfi": cfi_pairs,
    "large-cfi": large_cfi_pairs,
    "designs": design_pairs,
    "distance-regular": distance_regular_pairs,
    "four-vertex": four_vertex_pairs,
    "extensions": extension_pairs,
    "skip-links": skip_link_pairs,
    "eigenspaces": eigenspace_pairs,
    "trees": tree_pairs,
}


def _pair(category: str, name: str, left: nx.Graph, right: nx.Graph) -> Pair:
    return Pair(name, from_networkx(left), from_networkx(right), category)


def colour_refinement(graph: nx.Graph) -> tuple[Any, ...]:
    """The stable colours of 1-WL, as a fingerprint that equivalent graphs share."""
    colours: dict[Any, Any] = dict.fromkeys(graph, ())
    for _ in range(len(graph)):
        seen = {v: (colours[v], tuple(sorted(colours[u] for u in graph[v]))) for v in graph}
        names = {colour: (i,) for i, colour in enumerate(sorted(set(seen.values())))}
        table = tuple(names)
        colours = {v: names[seen[v]] for v in graph}
    return (len(graph), tuple(sorted(colours.values())), table if len(graph) else ())


def difference_design(difference_set: list[tuple[int, int]], moduli: tuple[int, int]) -> nx.Graph:
    """The incidence graph of a difference set in a product of two cyclic groups and its shifts."""
    graph = nx.Graph()
    for (x, y), (dx, dy) in product(product(*map(range, moduli)), difference_set):
        graph.add_edge(("block", x, y), ("point", (x + dx) % moduli[0], (y + dy) % moduli[1]))
    return graph


def bipartite_double(graph: nx.Graph) -> nx.Graph:
    """Two copies of the nodes; the neighbours of a node are those of the other copy."""
    matrix: NDArray[Any] = nx.to_numpy_array(graph, dtype=int)
    zero = np.zeros_like(matrix)
    return nx.from_numpy_array(np.block([[zero, matrix], [matrix.T, zero]]))
