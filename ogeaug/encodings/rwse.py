"""RWSE: return probabilities of random walks as node features."""

from typing import Literal

from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from ogeaug.encodings.base import read_graph
from ogeaug.encodings.walk_encoding import WalkEncoding, WalkNetwork
from ogeaug.graph.edges import Directed
from ogeaug.transforms.add_random_walk import AddRandomWalk
from ogeaug.walks.node_walk import node_walks
from ogeaug.walks.stored import read_stored


class RWSE(WalkEncoding):
    r"""Random-walk structural encoding (Dwivedi, Luu, Laurent, Bengio, Bresson: "Graph neural
    networks with learnable structural and positional representations", ICLR 2022).

    .. math:: z_i = \operatorname{network}\big( \operatorname{norm}(p_i) \big), \qquad
        p_{it} = \big( (D^{-1} A)^t \big)_{ii}, \quad t = 1 \dots T

    with a batch norm of the raw probabilities, as in GraphGPS: those of long walks differ little.
    They come from ``data.random_walk`` (:class:`~ogeaug.transforms.AddRandomWalk`) or
    are computed. The first is 0, as self-loops are dropped; it is kept, as in GraphGPS, and an
    isolated node has zeros, as there. GraphGPS has one linear map on ZINC (``network="linear"``:
    628 parameters with 20 steps and 28 channels); the MLP is ours. (The paper has
    :math:`A D^{-1}`, with the same diagonal.)

    Symmetries: permutation-equivariant; it knows no eigenvectors, hence no signs and bases.
    Continuous in the weights of the graph. It cannot tell apart nodes of strongly regular graphs
    with the same parameters.

    Cost: :math:`T / 2` products of n x n matrices before, :math:`O(n (T + c) h)` after.

    Args:
        out_channels: Width c of the output.
        hidden_channels: Width h of the MLP; 64 if absent.
        steps: T, the longest walk.
        network: ``"mlp"``, or ``"linear"`` as the authors have it: one linear map.
        norm: Of the probabilities; ``"batch"`` or None.
        directed: What to do with one-directional edges; see :class:`AddRandomWalk`.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> import torch
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> RWSE(28, steps=8)(square).shape
        torch.Size([4, 28])
    """

    def __init__(
        self,
        out_channels: int,
        *,
        hidden_channels: int | None = None,
        steps: int = 20,
        network: WalkNetwork = "mlp",
        norm: Literal["batch"] | None = "batch",
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, hidden_channels, steps, network, norm, directed)

    def read_walks(self, data: Data) -> Tensor:
        graph = read_graph(data)
        stored = read_stored(data, "random_walk", data.num_nodes, self.steps, "AddRandomWalk")
        if stored is not None:
            return stored
        return node_walks(*graph, steps=self.steps, directed=self.spectrum.directed)

    def transforms(self) -> list[BaseTransform]:
        return [AddRandomWalk(self.steps, directed=self.spectrum.directed)]
