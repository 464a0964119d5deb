"""What the transforms that encodings declare have in common."""

from typing import Self

from torch_geometric.data import Batch
from torch_geometric.transforms import BaseTransform


class Addition(BaseTransform):
    """Adds attributes that encodings read: to one graph, as all PyG transforms, or to a batch.

    Attributes:
        stores: Names of the attributes.
    """

    stores: tuple[str, ...]

    def serving(self, other: "Addition") -> Self | None:
        """One whose attributes serve the readers of both; None if none can.

        Args:
            other: Of the same class, with the same ``stores``.
        """
        raise NotImplementedError

    def add_to_batch(self, batch: Batch) -> None:
        """Adds to a batch (in place) what its graphs would bring along: same numbers, faster."""
        raise NotImplementedError
