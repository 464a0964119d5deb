"""What large graphs take, said before it is taken."""

import os
import warnings
from pathlib import Path

LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
AVAILABLE = Path("/proc/meminfo")
LARGE = 5_000
"""Rows of a dense matrix from which we say what it takes."""
SECONDS = 6 / 2700**3
"""Of a symmetric eigendecomposition, times the cube of its rows (measured: 2,700 rows in 6 s)."""


def memory_bytes() -> int:
    """The memory that this process may still get, or all there is where the system does not tell.

    At most what its control group (a container) may use.
    """
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for limit in LIMITS:
        if limit.exists() and (text := limit.read_text().strip()).isdigit():
            there = min(there, int(text))
    if AVAILABLE.exists():
        for line in AVAILABLE.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                there = min(there, 1024 * int(line.split()[1]))
    return there


FEWER = "ask for fewer (k), or take a graph with fewer components, each of which has one"


def check_room(what: str, needed: int, fix: str = FEWER) -> None:
    """Refuses what cannot fit into memory.

    Args:
        what: That is computed, for the message.
        needed: Bytes.
        fix: What would do, for the message.
    """
    there = memory_bytes()
    if needed > there:
        raise MemoryError(
            f"{what} need about {needed / 2**30:.1f} GiB, {there / 2**30:.1f} GiB are there; {fix}"
        )


def announce(
    what: str,
    sizes: list[int],
    unit: str = "nodes",
    *,
    copies: float,
    work: float = 0.0,
    solves: float = 1.0,
    hint: str = "",
) -> None:
    """Says how long dense matrices of these sizes will take; refuses what cannot fit into memory.

    Args:
        what: That is computed, for the messages.
        sizes: Rows of the matrix of each graph.
        unit: What the rows are.
        copies: Matrices of this size in float64 that each graph has at once.
        work: Those that graph after graph needs beside.
        solves: Time, relative to a symmetric eigendecomposition of the same size.
        hint: What else would do, for the message.

    Example:
        >>> announce("a spectrum", [300, 4_000], copies=1, work=3)  # not worth a word
    """
    entries = sum([n * n for n in sizes])
    if entries < LARGE**2:
        return
    needed, there = int(8 * (copies * entries + work * max(sizes) ** 2)), memory_bytes()
    graphs = "a graph" if len(sizes) == 1 else f"{len(sizes)} graphs"
    size = f"{what} of {graphs} with {max(sizes):,} {unit} needs about {needed / 2**30:.1f} GiB"
    if needed > there:
        raise MemoryError(
            f"{size}, {there / 2**30:.1f} GiB are there: the matrices are dense.{hint} Take a "
            "smaller graph (parts of this one, or the surroundings of the nodes that matter), "
            "fewer graphs at a time, or more memory"
        )
    seconds = solves * SECONDS * sum(n**3 for n in sizes)
    took = f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"
    warnings.warn(f"{size} of memory and {took} or so of one core", stacklevel=3)
