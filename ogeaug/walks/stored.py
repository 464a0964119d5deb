"""Statistics stored on a PyG data object by a transform, checked when they are read."""

import torch
from torch import Tensor
from torch_geometric.data import Data

from ogeaug.errors import UserError
from ogeaug.graph.batch import graph_sizes
from ogeaug.spectrum.pyg import check_batch

STATISTICS = (
    *("random_walk", "edge_walk_uniform", "edge_walk_endpoint"),
    *("edge_hodge", "edge_hodge_parts", "structure"),
)
"""Names of all there are. Those of edges begin with ``edge``, as PyG wants it."""


def store(data: Data, key: str, values: Tensor) -> None:
    """Stores a statistic of one graph (in place), with what tells later whether it is still right.

    ``data.<key>_digest`` is the graph's digest ``[1]``. Rows that belong to edges have a tag for
    each edge instead, ``[E]``, which moves along if the columns of edge_index are sorted with all
    that belongs to them (:mod:`ogeaug.spectrum.digest`).

    Args:
        data: The graph.
        key: One of ``STATISTICS``.
        values: A row for each node or edge.
    """
    device = data.edge_index.device
    data[key] = values.to(device)
    data[f"{key}_digest"] = _digest(data, key).to(device)


def read_stored(data: Data, key: str, rows: int, columns: int, transform: str) -> Tensor | None:
    """The first columns of a stored statistic; None if it is not there.

    Args:
        data: A graph or a batch.
        key: Of the statistic.
        rows: How many nodes or edges there are.
        columns: How many columns are wanted.
        transform: The transform that adds it, for error messages.

    Shapes:
        - ``data[key]`` ``[rows, T, ...]`` with T >= columns -> ``[rows, columns, ...]``
    """
    stored: Tensor | None = data.get(key, None)
    if stored is None:
        return None
    if stored.size(0) != rows:
        raise ValueError(
            f"data.{key} has {stored.size(0)} rows for {rows} nodes or edges. Was the graph "
            f"changed after {transform}? Add it last"
        )
    if stored.size(1) < columns:
        raise ValueError(
            f"data.{key} has {stored.size(1)} columns, the encoding wants {columns}; "
            f"use {transform} with {columns}, or a smaller encoding"
        )
    if not stored[:, :columns].isfinite().all():
        raise ValueError(f"data.{key} holds NaN or infinity; compute it by {transform}")
    digest: Tensor | None = data.get(f"{key}_digest", None)  # absent where it was set by hand
    if digest is not None and not torch.equal(digest.cpu(), _digest(data, key)):
        raise UserError(
            f"the graph was changed after {transform}: its nodes, edges or edge weights are not "
            f"those of data.{key}. Add it last, or delete data.{key}, and it is computed. (If the "
            f"values of the former graph are meant: delete data.{key}_digest)"
        )
    return stored[:, :columns]


def _digest(data: Data, key: str) -> Tensor:
    """Of each graph ``[B]``, or of each edge ``[E]``, on the CPU."""
    digests, tags = check_batch(data, graph_sizes(data), tags=key.startswith("edge"))
    return digests if tags is None else tags
