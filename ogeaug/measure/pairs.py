"""Pairs of graphs: the record, and the files it is read from."""

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import IO, TYPE_CHECKING

import networkx as nx

from ogeaug.data.table import TableReader
from ogeaug.measure.named_graphs import from_networkx

if TYPE_CHECKING:
    from torch import Tensor
    from torch_geometric.data import Data

HEADER = ">>graph6<<"


@dataclass(frozen=True, eq=False)
class Pair:
    """Two graphs to tell apart.

    Attributes:
        name: What they are, or where they stand in their file.
        left, right: The graphs; with features ``x`` if their nodes have types.
        category: By which results are added up.
    """

    name: str
    left: "Data"
    right: "Data"
    category: str = ""


def read_pairs(path: str | Path, categories: list[tuple[str, int]] | None = None) -> list[Pair]:
    """Reads pairs from a ``.g6`` file, or from a ``.csv`` with a column ``graph6``; also ``.gz``.

    Graphs 2 k and 2 k + 1 (from 0) are pair k. A CSV may have a column ``node_types``, one digit a
    node, which becomes one-hot features, and a column ``label``: if graphs of one label follow each
    other, labels are classes, and the first graphs of the classes are compared with each other.

    Args:
        path: The file.
        categories: Names and numbers of pairs, in the order of the file; if absent, all pairs
            belong to one category, named like the file.
    """
    path = Path(path)
    stem = path.name.split(".")[0]
    rows = list(_csv_rows(path) if ".csv" in path.suffixes else _graph6_rows(path))
    classes = _classes(path) if ".csv" in path.suffixes else {}
    if classes and not categories:
        both = combinations(classes.items(), 2)
        found = [(f"{stem}: {a} and {b}", i, j) for (a, i), (b, j) in both]
        types = _num_types(rows)
        return [Pair(n, _data(*rows[i], types), _data(*rows[j], types), stem) for n, i, j in found]
    if len(rows) % 2:
        raise ValueError(
            f"{path}: {len(rows)} graphs, an odd number; two graphs that follow each other are a "
            "pair. Is a line missing?"
        )
    if not rows:
        raise ValueError(f"{path}: no graphs")
    named = categories or [(stem, len(rows) // 2)]
    count = sum(number for _, number in named)
    if count != len(rows) // 2:
        raise ValueError(f"{path}: {len(rows) // 2} pairs, but the categories add up to {count}")
    labels = [name for name, number in named for _ in range(number)]
    types = _num_types(rows)
    graphs = [_data(graph, t, types) for graph, t in rows]
    return [
        Pair(f"{stem} {k}", graphs[2 * k], graphs[2 * k + 1], label)
        for k, label in enumerate(labels)
    ]


def _num_types(rows: Sequence[tuple[nx.Graph, list[int] | None]]) -> int:
    return 1 + max((max(t, default=0) for _, t in rows if t is not None), default=0)


def _classes(path: Path) -> dict[str, int]:
    """The first row of each label; empty if labels only tell the two of a pair apart."""
    reader = TableReader(path)
    if "label" not in reader.columns:
        return {}
    labels = [row[reader.columns.index("label")] for row in reader]
    if all(a != b for a, b in zip(labels[::2], labels[1::2], strict=False)):
        return {}
    first: dict[str, int] = {}
    for i, label in enumerate(labels):
        first.setdefault(label, i)
    return first


def _graph6_rows(path: Path) -> Iterator[tuple[nx.Graph, None]]:
    with open_text(path) as file:
        for number, line in enumerate(file, 1):
            text = line.strip().removeprefix(HEADER)
            if text:
                yield parse_graph6(text, f"{path}, line {number}"), None


def _csv_rows(path: Path) -> Iterator[tuple[nx.Graph, list[int] | None]]:
    reader = TableReader(path)
    if "graph6" not in reader.columns:
        raise ValueError(f"{path}: no column graph6 among {reader.columns}")
    place = reader.find("graph6")
    types = reader.columns.index("node_types") if "node_types" in reader.columns else None
    for line, row in reader.numbered():
        if not any(row):
            continue
        where = f"{path}, line {line}"
        graph = parse_graph6(row[place], where)
        text = None if types is None else row[types]
        if text is not None and (len(text) != len(graph) or not text.isdigit()):
            raise ValueError(
                f"{where}: node_types must be {len(graph)} digits, one per node, got {text!r}"
            )
        yield graph, None if text is None else [int(digit) for digit in text]


def parse_graph6(text: str, where: str) -> nx.Graph:
    """A graph from its graph6 text; ``where`` it stands is for the error message.

    Example:
        >>> parse_graph6("Bw", "here").number_of_edges()
        3
    """
    stray = [character for character in text if not "?" <= character <= "~"]
    if stray:
        raise ValueError(
            f"{where}: {text[:40]!r} is not a graph in graph6 format (character {stray[0]!r})"
        )
    try:
        graph = nx.from_graph6_bytes(text.encode("ascii"))
    except (nx.NetworkXError, ValueError, IndexError) as error:
        raise ValueError(
            f"{where}: {text[:40]!r} is not a graph in graph6 format ({error or 'too short'})"
        ) from error
    if len(graph) == 0:
        raise ValueError(f"{where}: a graph without nodes")
    return graph


def _data(graph: nx.Graph, types: list[int] | None, num_types: int) -> "Data":
    data = from_networkx(graph)
    if types is not None:
        data.x = _one_hot(types, num_types)
    return data


def _one_hot(types: list[int], num_types: int) -> "Tensor":
    import torch

    return torch.eye(num_types)[torch.tensor(types)]  # [n, num_types]


def open_text(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", newline="")
    return open(path, encoding="utf-8", newline="")
