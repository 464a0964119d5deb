"""The PyG transform that adds what the eigenspaces of the Hodge 1-Laplacian say about edges."""

from typing import Any, Self

from torch_geometric.data import Batch, Data

from ogeaug.checks import check_choice, check_counts
from ogeaug.graph.batch import graph_sizes
from ogeaug.graph.edges import Directed
from ogeaug.transforms.add_random_walk import check_graph
from ogeaug.transforms.base import Addition
from ogeaug.walks.hodge import hodge_statistics
from ogeaug.walks.stored import store


class AddHodge(Addition):
    """Adds ``data.edge_hodge [E, k, 4]`` (:func:`ogeaug.walks.hodge.edge_projections`).

    Hodge1Lap then need not decompose a matrix of the size of the edges at every access. Use it
    after all transforms that change the graph.

    Args:
        k: How many of the lowest eigenspaces.
        parts: Whether to add ``data.edge_hodge_parts [E, 1 + k, 2]``
            (:func:`ogeaug.walks.hodge.edge_parts`) instead, with k eigenvectors.
        directed: ``"symmetrize"`` or ``"refuse"`` edges listed in one direction only.

    Shapes:
        - E columns of edge_index -> ``[E, k, 4]``

    Example:
        >>> import torch
        >>> data = Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
        >>> AddHodge(2)(data)
        Data(edge_index=[2, 2], num_nodes=3, edge_hodge=[2, 2, 4], edge_hodge_digest=[2])
    """

    def __init__(
        self, k: int = 8, *, parts: bool = False, directed: Directed = "symmetrize"
    ) -> None:
        check_counts(k=k)
        check_choice("directed", directed, Directed)
        self.k, self.parts, self.directed = k, parts, directed
        self.stores = ("edge_hodge_parts" if parts else "edge_hodge",)

    def forward(self, data: Data) -> Data:
        self._store(data, *check_graph(data, "AddHodge"))
        return data

    def serving(self, other: Addition) -> Self | None:
        assert isinstance(other, AddHodge)
        if self.directed != other.directed:
            return None
        return type(self)(max(self.k, other.k), parts=self.parts, directed=self.directed)

    def add_to_batch(self, batch: Batch) -> None:
        self._store(batch, batch.edge_index, graph_sizes(batch), batch.get("edge_weight", None))

    def _store(self, data: Data, *graph: Any) -> None:
        found = hodge_statistics(*graph, k=self.k, parts=self.parts, directed=self.directed)
        store(data, self.stores[0], found)

    def __repr__(self) -> str:
        parts = ", parts=True" if self.parts else ""
        return f"{type(self).__name__}(k={self.k}{parts}, directed={self.directed!r})"
