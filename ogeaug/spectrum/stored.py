"""Statistics stored on a PyG data object by a transform, checked when they are read."""

from torch import Tensor
from torch_geometric.data import Data


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
    return stored[:, :columns]
