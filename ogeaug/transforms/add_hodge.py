"""The PyG transform that adds what the eigenspaces of the Hodge 1-Laplacian say about edges."""

from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from ogeaug.checks import check_choice, check_counts
from ogeaug.graph.edges import Directed
from ogeaug.transforms.add_random_walk import check_graph
from ogeaug.walks.hodge import hodge_statistics
from ogeaug.walks.stored import store


class AddHodge(BaseTransform):
    """Adds ``data.edge_hodge [E, k, 4]`` (:func:`ogeaug.walks.hodge.edge_projections`).

    Hodge1Lap then need not decompose a matrix of the size of the edges at every access. Use it
    after all transforms that change the graph.

    Args:
        k: How many of the lowest eigenspaces.
        directed: ``"symmetrize"`` or ``"refuse"`` edges listed in one direction only.

    Shapes:
        - E columns of edge_index -> ``[E, k, 4]``

    Example:
        >>> import torch
        >>> data = Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
        >>> AddHodge(2)(data)
        Data(edge_index=[2, 2], num_nodes=3, edge_hodge=[2, 2, 4], edge_hodge_digest=[2])
    """

    def __init__(self, k: int = 8, *, directed: Directed = "symmetrize") -> None:
        check_counts(k=k)
        check_choice("directed", directed, Directed)
        self.k, self.directed = k, directed

    def forward(self, data: Data) -> Data:
        found = hodge_statistics(*check_graph(data, "AddHodge"), k=self.k, directed=self.directed)
        store(data, "edge_hodge", found)
        return data

    def __repr__(self) -> str:
        return f"{type(self).__name__}(k={self.k}, directed={self.directed!r})"
