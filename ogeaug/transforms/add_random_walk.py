"""The PyG transform that adds return probabilities of random walks."""

from typing import Self

import torch
from torch_geometric.data import Batch, Data

from ogeaug.checks import check_choice, check_counts
from ogeaug.graph.batch import check_tensors, graph_sizes
from ogeaug.graph.edges import Directed
from ogeaug.transforms.base import Addition
from ogeaug.walks.edge_walk import EdgeWalk, edge_walks
from ogeaug.walks.node_walk import node_walks
from ogeaug.walks.stored import store

Graphs = tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]
"""Edges, the number of nodes of each graph, weights."""


class AddRandomWalk(Addition):
    """Adds ``data.random_walk [n, T]``; with ``edges`` also ``data.edge_walk_... [E, T]``.

    RWSE and EdgeRWSE then need not compute them at every access. Any steps up to T can be read:
    one set serves all encodings. Use it after all transforms that change the graph.

    Args:
        steps: T, the longest walk.
        edges: ``"uniform"`` or ``"endpoint"`` to add walks on edges as well; see
            :func:`ogeaug.walks.edge_walk.edge_walks`.
        nodes: Whether to add walks on nodes.
        directed: ``"symmetrize"`` or ``"refuse"`` edges listed in one direction only.

    Shapes:
        - n nodes, E columns of edge_index -> ``[n, T]``, ``[E, T]``

    Example:
        >>> data = Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
        >>> data = AddRandomWalk(4, edges="uniform")(data)
        >>> data.random_walk.shape, data.edge_walk_uniform.shape
        (torch.Size([3, 4]), torch.Size([2, 4]))
        >>> AddRandomWalk(4)
        AddRandomWalk(steps=4, edges=None, directed='symmetrize')
    """

    def __init__(
        self,
        steps: int = 20,
        edges: EdgeWalk | None = None,
        *,
        nodes: bool = True,
        directed: Directed = "symmetrize",
    ) -> None:
        check_counts(steps=steps)
        if edges is not None:
            check_choice("edges (if not None)", edges, EdgeWalk)
        check_choice("directed", directed, Directed)
        if not nodes and edges is None:
            raise ValueError("walks on neither nodes nor edges: give edges, or leave nodes out")
        self.steps, self.edges, self.nodes, self.directed = steps, edges, nodes, directed
        on_edges = () if edges is None else (f"edge_walk_{edges}",)
        self.stores = (*(("random_walk",) if nodes else ()), *on_edges)

    def forward(self, data: Data) -> Data:
        self._add(data, check_graph(data, "AddRandomWalk"))
        return data

    def serving(self, other: Addition) -> Self | None:
        assert isinstance(other, AddRandomWalk)
        if self.directed != other.directed:
            return None
        return type(self)(
            max(self.steps, other.steps), self.edges, nodes=self.nodes, directed=self.directed
        )

    def add_to_batch(self, batch: Batch) -> None:
        self._add(batch, (batch.edge_index, graph_sizes(batch), batch.get("edge_weight", None)))

    def _add(self, data: Data, graph: Graphs) -> None:
        if self.nodes:
            store(data, "random_walk", node_walks(*graph, steps=self.steps, directed=self.directed))
        if self.edges is not None:
            found = edge_walks(*graph, steps=self.steps, walk=self.edges, directed=self.directed)
            store(data, f"edge_walk_{self.edges}", found)

    def __repr__(self) -> str:
        nodes = "" if self.nodes else "nodes=False, "
        return (
            f"{type(self).__name__}(steps={self.steps}, edges={self.edges!r}, {nodes}"
            f"directed={self.directed!r})"
        )


def check_graph(data: Data, transform: str) -> Graphs:
    """Edges, number of nodes and weights of one graph; refuses what is not one graph."""
    if not isinstance(data, Data) or isinstance(data, Batch):
        raise TypeError(
            f"{transform} takes one homogeneous graph (Data), got {type(data).__name__}; apply it "
            "before batching (an encoding computes what a batch lacks by itself)"
        )
    if data.edge_index is None or data.num_nodes is None:
        raise ValueError(f"{transform} needs data.edge_index and data.num_nodes")
    check_tensors(data)
    return data.edge_index, torch.tensor([data.num_nodes]), data.get("edge_weight", None)
