"""Graphs of a table in groups, of which one that fails takes no other with it."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch_geometric.data import Batch, Data
from torch_geometric.transforms import BaseTransform

from ogeaug.errors import UserError
from ogeaug.tensors.memory import out_of_memory
from ogeaug.transforms.needed import to_batch

NODES_PER_BATCH = 1000
"""Graphs are batched up to so many nodes, so that a few huge ones do not fill the memory."""
FAILED = "failed: "
"""How the status of a row begins that failed for a reason that nobody thought of."""

logger = logging.getLogger(__name__)


def in_groups(
    compute: Callable[[Batch], Tensor],
    graphs: dict[int, Data],
    transforms: Sequence[BaseTransform] = (),
) -> Iterator[tuple[list[int], Tensor | str]]:
    """``compute`` of batches of graphs, without gradients, in order.

    If it fails, the graphs of that batch are computed one by one, so that only the culprit has no
    result.

    Args:
        compute: From a batch.
        graphs: By number of row.
        transforms: What to add to each batch before; see :func:`ogeaug.transforms.needed.needed`.

    Yields:
        Rows, and their common result; or a row, and why it has none.
    """
    for group in _groups(graphs):
        yield from _attempt(compute, graphs, transforms, group)


def _attempt(
    compute: Callable[[Batch], Tensor],
    graphs: dict[int, Data],
    transforms: Sequence[BaseTransform],
    group: list[int],
) -> Iterator[tuple[list[int], Tensor | str]]:
    try:
        with torch.no_grad():
            batch = to_batch([graphs[row] for row in group], transforms)
            found: Tensor | str | None = compute(batch)
    except Exception as error:
        found = _reason(error, graphs[group[0]]) if len(group) == 1 else None
    if found is not None:
        yield group, found
        return
    batch = None  # outside of the handler: the error, and what it holds, is gone
    for row in group:
        yield from _attempt(compute, graphs, transforms, [row])


def _reason(error: Exception, data: Data) -> str:
    if out_of_memory(error):
        return f"too large: {data.num_nodes} nodes need more memory than there is"
    if isinstance(error, UserError):
        return str(error)
    logger.info("a graph of %d nodes failed", data.num_nodes, exc_info=error)
    return f"{FAILED}{type(error).__name__}: {error}"


def _groups(graphs: dict[int, Data]) -> Iterator[list[int]]:
    """Keys of graphs to batch together, in order; see :data:`NODES_PER_BATCH`."""
    group: list[int] = []
    nodes = 0
    for i, data in graphs.items():
        if group and nodes + data.num_nodes > NODES_PER_BATCH:
            yield group
            group, nodes = [], 0
        group.append(i)
        nodes += data.num_nodes
    if group:
        yield group


@dataclass
class Tally:
    """Counts rows, and stops where nothing succeeds.

    Attributes:
        read: Rows so far.
        failed: Those without a result.
        mistake: The first reason that nobody thought of.
    """

    read: int = 0
    failed: int = 0
    mistake: str = ""

    def add(self, read: int, failed: list[str]) -> None:
        """Counts ``read`` rows, and the reasons of those that failed."""
        self.read += read
        self.failed += len(failed)
        self.mistake = self.mistake or next((r for r in failed if r.startswith(FAILED)), "")
        if self.read >= NODES_PER_BATCH:
            self.check()  # a million more would fail alike

    def check(self) -> None:
        """One row may be odd. If all are, the mistake is not in the rows.

        Raises:
            RuntimeError: No row has a result, at least one for a reason that nobody thought of.
        """
        if self.mistake and self.read == self.failed:
            raise RuntimeError(f"none of {self.read:,} rows could be computed; {self.mistake}")
