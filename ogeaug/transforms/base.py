"""What the transforms that encodings declare have in common."""

from collections.abc import Sequence
from typing import Self

from torch_geometric.data import Batch, Data
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

    def is_on(self, data: Data) -> bool:
        """Whether a graph has all of it already."""
        return all(name in data for name in self.stores)

    def add_to_graphs(self, graphs: Sequence[Data]) -> list[Data]:
        """The graphs with the attributes of each; one that is faster with several overrides it."""
        return [self(data) for data in graphs]

    def add_to_batch(self, batch: Batch) -> None:
        """Adds to a batch (in place) what its graphs would bring along: same numbers, faster."""
        raise NotImplementedError
