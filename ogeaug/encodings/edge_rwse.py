"""EdgeRWSE: return probabilities of random walks on edges, as edge features."""

from typing import ClassVar, Literal

from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from ogeaug.checks import check_choice
from ogeaug.encodings.base import read_graph
from ogeaug.encodings.walk_encoding import WalkEncoding, WalkNetwork
from ogeaug.graph.edges import Directed
from ogeaug.transforms.add_random_walk import AddRandomWalk
from ogeaug.walks.edge_walk import EdgeWalk, edge_walks
from ogeaug.walks.stored import read_stored


class EdgeRWSE(WalkEncoding):
    r"""Random-walk structural encoding of edges (Zhou, Wang, Zhang: "Facilitating graph neural
    networks with random walk on simplicial complexes", NeurIPS 2023).

    .. math:: z_e = \operatorname{network}\big( \operatorname{norm}(p_e) \big), \qquad
        p_{et} = (P^t)_{ee}, \quad t = 1 \dots T

    for the walk P on undirected edges that steps to an edge which shares a node; see
    :func:`ogeaug.walks.edge_walk.edge_walks` for its two kinds (the authors' undirected and
    directed walk; weights are an addition). On ZINC the authors have one linear map, and no norm
    before it (``network="linear"``, ``norm=None``); the MLP and the batch norm are ours. The
    probabilities come from ``data.edge_walk_...``
    (:class:`~ogeaug.transforms.add_random_walk.AddRandomWalk`) or are computed.

    Symmetries: permutation-equivariant, independent of the direction in which an edge is listed;
    no eigenvectors, hence no signs and bases. Continuous in the weights.

    Cost: :math:`O(T m^2)` for m edges before, :math:`O(m (T + c) h)` after.

    Args:
        out_channels: Width c of the output.
        hidden_channels: Width h of the MLP; 64 if absent.
        steps: T, the longest walk.
        network: ``"mlp"``, or ``"linear"`` as the authors have it: one linear map.
        norm: Of the probabilities; ``"batch"`` or None.
        walk: ``"uniform"`` or ``"endpoint"``.
        directed: What to do with one-directional edges; see :class:`AddRandomWalk`.

    Shapes:
        - ``Data`` or ``Batch`` with E edges -> ``[E, out_channels]``

    Example:
        >>> import torch
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> EdgeRWSE(28, steps=8)(square).shape
        torch.Size([4, 28])
    """

    level: ClassVar[Literal["node", "edge"]] = "edge"

    def __init__(
        self,
        out_channels: int,
        *,
        hidden_channels: int | None = None,
        steps: int = 20,
        network: WalkNetwork = "mlp",
        norm: Literal["batch"] | None = "batch",
        walk: EdgeWalk = "uniform",
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, hidden_channels, steps, network, norm, directed)
        check_choice("walk", walk, EdgeWalk)
        self.walk = walk

    def read_walks(self, data: Data) -> Tensor:
        graph = read_graph(data)
        key, transform = f"edge_walk_{self.walk}", f"AddRandomWalk(edges={self.walk!r})"
        stored = read_stored(data, key, graph[0].size(1), self.steps, transform)
        if stored is not None:
            return stored
        return edge_walks(*graph, steps=self.steps, walk=self.walk, directed=self.spectrum.directed)

    def transforms(self) -> list[BaseTransform]:
        directed = self.spectrum.directed
        return [AddRandomWalk(self.steps, self.walk, nodes=False, directed=directed)]

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, walk={self.walk!r}"
