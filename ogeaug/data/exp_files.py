"""The text file of EXP."""

from collections.abc import Iterator
from pathlib import Path

import torch
from torch_geometric.data import Data

from ogeaug.data.graphs import edges_to_data
from ogeaug.errors import UserError

TYPES = 2


def read_exp(path: Path) -> list[tuple[Data, int]]:
    """Graphs with a type per node, and labels.

    The file begins with the number of graphs. A graph is a line with its number of nodes and its
    label, then a line per node: its type, its number of neighbours, and these.
    """
    lines = iter(enumerate(path.read_text(encoding="ascii", errors="replace").splitlines(), 1))
    (count,) = _numbers(lines, path, 1)
    found = [_graph(lines, path) for _ in range(count)]
    for number, text in lines:
        if text.strip():
            raise UserError(f"{path}: line {number} follows the {count:,} graphs that it announces")
    return found


def _graph(lines: Iterator[tuple[int, str]], path: Path) -> tuple[Data, int]:
    n, label = _numbers(lines, path, 2)
    types, edges = [], []
    for node in range(n):
        kind, degree, *neighbours = _numbers(lines, path)
        if len(neighbours) != degree or not 0 <= kind < TYPES or max(neighbours, default=0) >= n:
            raise UserError(f"{path}: node {node} of a graph is neither of its form nor its size")
        types.append(kind)
        edges += [(node, other) for other in neighbours]
    if n == 0 or label not in (0, 1):
        raise UserError(f"{path}: a graph of {n} nodes with label {label}; labels are 0 and 1")
    data = edges_to_data(edges, n)
    data.x = torch.tensor(types).unsqueeze(1)  # [n, 1]
    return data, label


def _numbers(lines: Iterator[tuple[int, str]], path: Path, count: int = 0) -> list[int]:
    """The whole numbers of the next line; so many, or at least two."""
    number, text = next(lines, (0, ""))
    try:
        found = [int(word) for word in text.split()]
    except ValueError:
        found = []
    if (len(found) != count if count else len(found) < 2) or min(found, default=-1) < 0:
        where = f"line {number}: {text[:40]!r}" if number else "it ends too soon"
        raise UserError(f"{path} is not EXP's file, or is cut off ({where}); fetch it again")
    return found
