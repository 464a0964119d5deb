"""The PyG transform that adds numbers of each node's surroundings."""

from typing import Self

from torch_geometric.data import Batch, Data

from ogeaug.graph.batch import graph_sizes
from ogeaug.transforms.add_random_walk import check_graph
from ogeaug.transforms.base import Addition
from ogeaug.walks.stored import store
from ogeaug.walks.structure import structure_numbers


class AddStructure(Addition):
    """Adds ``data.structure [n, 32]``: walks that come back, rings, shells
    (:func:`ogeaug.walks.structure.structure_numbers`).

    Use it after all transforms that change the graph.

    Example:
        >>> import torch
        >>> data = Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
        >>> AddStructure()(data).structure.shape
        torch.Size([3, 32])
    """

    stores = ("structure",)

    def forward(self, data: Data) -> Data:
        store(data, "structure", structure_numbers(*check_graph(data, "AddStructure")))
        return data

    def serving(self, other: Addition) -> Self:
        return self

    def add_to_batch(self, batch: Batch) -> None:
        graph = batch.edge_index, graph_sizes(batch), batch.get("edge_weight", None)
        store(batch, "structure", structure_numbers(*graph))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
