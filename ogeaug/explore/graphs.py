"""From what a person typed to a graph with names, places and a drawing."""

import re
from dataclasses import dataclass

import networkx as nx
from torch_geometric.data import Data
from torch_geometric.utils import to_networkx

from ogeaug.data.drawing import Drawing, draw_molecule
from ogeaug.data.graphs import graph6_to_data, networkx_to_data
from ogeaug.data.molecule import molecule_to_data, parse_smiles
from ogeaug.errors import UserError
from ogeaug.explore import gallery
from ogeaug.explore.limits import MOST_NODES, check_letters, check_nodes

MOST_NAME = 40
"""Characters of a node's name."""


@dataclass(frozen=True)
class Graph:
    """A graph to look at.

    Attributes:
        data: Without features: the page looks at the structure.
        names: Of the nodes; user's text, to be shown as text only.
        drawing: Of a molecule.
        smiles: Of a molecule.
    """

    data: Data
    names: list[str]
    drawing: Drawing | None = None
    smiles: str | None = None


def read_graph(kind: str, text: str) -> Graph:
    """The graph of a text, checked for its size before anything is computed.

    Args:
        kind: ``"smiles"``, ``"edges"``, ``"graph6"`` or ``"gallery"``.
        text: The text, or the name of a graph of the gallery.

    Example:
        >>> read_graph("edges", "a b, b c").names
        ['a', 'b', 'c']
    """
    check_letters(text)
    if kind == "gallery":
        if text in gallery.MOLECULES:
            return _molecule(gallery.MOLECULES[text])
        if text not in gallery.GRAPHS:
            raise UserError(f"the gallery has {', '.join(gallery.NAMES)}; not {text[:60]!r}")
        graph = gallery.GRAPHS[text]()
        return _numbered(networkx_to_data(graph))
    if kind == "smiles":
        return _molecule(text)
    if kind == "graph6":
        data = graph6_to_data(text, max_nodes=MOST_NODES)
        check_nodes(int(data.num_nodes or 0))
        return _numbered(data)
    if kind != "edges":
        raise UserError(f"a graph is given as smiles, edges, graph6 or gallery; got {kind[:60]!r}")
    graph = parse_edges(text)
    check_nodes(len(graph))
    return Graph(networkx_to_data(graph), list(graph))


def parse_edges(text: str) -> nx.Graph:
    """A graph from edges like ``0 1`` or ``a-b``, in lines or with commas; a lone name is a node.

    Nodes are in the order of their numbers if all names are numbers, else as they come.

    Example:
        >>> list(parse_edges("10-2; 2 3").edges)
        [('2', '3'), ('2', '10')]
    """
    pairs: list[list[str]] = []
    for part in re.split(r"[\n,;]+", text):
        words = re.split(r"\s*-+>?\s*|\s+", part.strip()) if part.strip() else []
        if not words:
            continue
        if len(words) > 2 or not all(words):
            raise UserError(
                f"{part.strip()[:60]!r} is no edge; expected two names, like 0 1 or a-b, an edge "
                "per line or with commas"
            )
        if max(map(len, words)) > MOST_NAME:
            raise UserError(
                f"the name {words[0][:MOST_NAME]!r}... is too long: {MOST_NAME} at most"
            )
        pairs.append(words)
    names = dict.fromkeys(name for pair in pairs for name in pair)
    numbers = all(name.isascii() and name.isdecimal() for name in names)
    graph = nx.Graph()
    graph.add_nodes_from(sorted(names, key=int) if numbers else names)
    order = {name: place for place, name in enumerate(graph)}
    edges = [sorted(pair, key=order.__getitem__) for pair in pairs if len(set(pair)) == 2]
    graph.add_edges_from(sorted(edges, key=lambda edge: [order[name] for name in edge]))
    return graph


def places(data: Data) -> list[tuple[float, float]]:
    """Where to draw the nodes: the same places for the same graph, each part on its own."""
    graph = to_networkx(data, to_undirected=True, remove_self_loops=True)
    parts = sorted(nx.connected_components(graph), key=len, reverse=True)
    found: dict[int, tuple[float, float]] = {}
    left = 0.0
    for part in parts:
        size = max(1.0, len(part) ** 0.5)
        drawn = nx.kamada_kawai_layout(graph.subgraph(sorted(part)), scale=size)
        for node, (x, y) in drawn.items():
            found[node] = (left + size + float(x), float(y))
        left += 2 * size + 1.0
    return [found[node] for node in range(len(graph))]


def _numbered(data: Data) -> Graph:
    return Graph(data, [str(i) for i in range(int(data.num_nodes or 0))])


def _molecule(smiles: str) -> Graph:
    mol = parse_smiles(smiles, max_atoms=MOST_NODES)
    check_nodes(mol.GetNumAtoms())
    data = molecule_to_data(mol)
    plain = Data(edge_index=data.edge_index, num_nodes=data.num_nodes)
    names = [f"{atom.GetSymbol()}{atom.GetIdx()}" for atom in mol.GetAtoms()]
    return Graph(plain, names, draw_molecule(mol), smiles.strip())
