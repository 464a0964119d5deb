"""The lowest eigenpairs of a graph, from those of its components."""

import math
import warnings
from dataclasses import dataclass, replace

import numpy as np
import torch
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from ogeaug.graph.edges import Floats
from ogeaug.graph.laplacian import degree_scale
from ogeaug.spectrum.memory import check_room
from ogeaug.spectrum.solvers.base import Problem, check_scale
from ogeaug.spectrum.solvers.sparse.lowest import bound
from ogeaug.spectrum.solvers.sparse.pieces import Piece, room, split
from ogeaug.spectrum.truncate import EQUAL, NEAR, place_cut

SECONDS = 1.2e-6
"""Per node and eigenpair (measured: 65 eigenpairs of a grid and a tree of 100,000 nodes in 7.3 and
5.9 s)."""
SLOW = 5.0
TRIES = 3
COUNTED_AT = (0.4721, 348.3, 618.0)
"""How far below the cutoff eigenvalues are counted, times what counts as equal. Right below a round
number pivots may be too near to 0, so that we take a step back: at 1e-6 of the largest eigenvalue
they are right to as many digits again."""


@dataclass(frozen=True, eq=False)
class Lowest:
    """The lowest eigenpairs of one graph.

    Attributes:
        eigvals: ``[K]`` ascending.
        eigvecs: ``[n, K]``.
        cutoff, largest, certified: See :class:`~ogeaug.spectrum.solvers.base.Solution`.
    """

    eigvals: Floats
    eigvecs: Floats
    cutoff: float
    largest: float
    certified: bool


def decompose(
    adjacency: csr_array, place: np.ndarray | None, problem: Problem, name: str
) -> Lowest:
    """The lowest eigenpairs of one graph, its nodes renumbered meanwhile."""
    normalization, k = problem.options.normalization, problem.options.k
    assert k is not None
    degree = adjacency.sum(axis=1)
    if place is not None:
        order = np.argsort(place)
        adjacency = adjacency[order][:, order]
    parts, label = connected_components(adjacency, directed=False)
    _announce(name, adjacency.shape[0], max(k, parts) + 1)
    lowest = _merge(split(adjacency, normalization, label), k, name)
    eigvecs = lowest.eigvecs if place is None else lowest.eigvecs[place]
    if normalization == "rw":
        scale = degree_scale(degree)
        check_scale(scale[None], [name])
        eigvecs = eigvecs * scale[:, None]
    return replace(lowest, eigvecs=eigvecs)


def _merge(pieces: list[Piece], k: int, name: str) -> Lowest:
    """The lowest eigenpairs of a graph, from those of its components."""
    size, needed = sum(len(piece.nodes) for piece in pieces), max(k, len(pieces)) + 1
    for piece in pieces:
        piece.find(k + 1)
    largest = _largest(pieces)
    tolerance = EQUAL * max(1.0, largest)
    for _ in range(TRIES):
        found = _lowest(pieces, k + 1, needed, NEAR + tolerance)
        if len(found) == size:
            missing: list[int | None] = [0]
            break
        eigvals = np.array([value for value, _, _ in found])
        cutoff, below = place_cut(torch.from_numpy(eigvals), k, tolerance, math.inf)
        missing = _missing(pieces, float(eigvals[below - 1]), cutoff, tolerance)
        if not any([p.look_again(count) for p, count in zip(pieces, missing, strict=True)]):
            break
    certified = all(count == 0 for count in missing)
    if not certified:
        _warn(f"{name} ({size:,} nodes)", all(piece.divides or piece.whole for piece in pieces))
    eigvecs = np.zeros((size, len(found)))
    for j, (_, piece, column) in enumerate(found):
        eigvecs[piece.nodes, j] = piece.eigvecs[:, column]
    eigvals = np.array([value for value, _, _ in found])
    after = math.inf if len(found) == size else float(eigvals[-1])
    return Lowest(eigvals, eigvecs, after, largest, certified)


def _largest(pieces: list[Piece]) -> float:
    """The largest eigenvalue of a graph, to about a thousandth."""
    largest = 0.0
    for piece in sorted(pieces, key=lambda piece: -bound(piece.matrix)):
        if bound(piece.matrix) > largest:
            largest = max(largest, piece.largest())
    return largest


def _missing(pieces: list[Piece], last: float, cutoff: float, tolerance: float) -> list[int | None]:
    """How many eigenvalues of each component below a cutoff were not found; None if nobody knows.

    They are counted right below it, and above the last that is kept: one that is missing anywhere
    would move it.
    """
    missing: list[int | None] = [None] * len(pieces)
    for times in COUNTED_AT:
        sigma = max(cutoff - times * tolerance, cutoff - 0.5279 * (cutoff - last))
        for i, piece in enumerate(pieces):
            if missing[i] is None:
                missing[i] = piece.missing_below(sigma)
        if None not in missing:
            break
    return missing


def _warn(name: str, factors: bool) -> None:
    why = "its matrix has no sparse factors, which would tell"
    if factors:
        why = "eigenvalues lie too close to each other, compared with the largest, to be counted"
    warnings.warn(
        f"{name}: eigenpairs were found, but not proven to be the lowest; {why}. See "
        "Spectrum.certified",
        stacklevel=2,
    )


def _lowest(
    pieces: list[Piece], wanted: int, needed: int, past: float
) -> list[tuple[float, Piece, int]]:
    """The lowest eigenvalues of a graph, ascending, each with its component and column.

    Args:
        pieces: The components.
        wanted: How many eigenpairs to find of each, at first.
        needed: How many of all, at least.
        past: The last is above this, or all are there.
    """
    while True:
        for piece in pieces:
            piece.find(wanted)
        open_ends = [piece.eigvals[-1] for piece in pieces if not piece.whole]
        known = min(open_ends, default=math.inf)
        merged = sorted(
            (
                (float(value), piece, column)
                for piece in pieces
                for column, value in enumerate(piece.eigvals)
                if value <= known
            ),
            key=lambda found: found[0],
        )
        enough = [i for i, found in enumerate(merged) if i + 1 >= needed and found[0] > past]
        if enough:
            return merged[: enough[0] + 1]
        if not open_ends:
            return merged
        wanted *= 2


def _announce(name: str, size: int, count: int) -> None:
    """Says what will take long, and refuses what does not fit into memory."""
    check_room(f"{count:,} eigenpairs of {name}, of {size:,} nodes", room(size, count))
    seconds = SECONDS * size * count
    if seconds > SLOW:
        warnings.warn(
            f"{count} eigenpairs of {name}, of {size:,} nodes, take about {seconds:.0f} s of one "
            "core, several times that if its matrix has no sparse factors",
            stacklevel=2,
        )
