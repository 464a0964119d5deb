"""RWSE: return probabilities of random walks as node features."""

from typing import ClassVar

from torch import Tensor
from torch_geometric.data import Data

from ogeaug.encodings.base import Encoding, read_graph
from ogeaug.encodings.mlp import MLP, make_norm
from ogeaug.spectrum.eigen import SpectrumOptions
from ogeaug.spectrum.laplacian import Directed
from ogeaug.spectrum.random_walk import check_steps, node_walks
from ogeaug.spectrum.stored import read_stored


class RWSE(Encoding):
    r"""Random-walk structural encoding (Dwivedi, Luu, Laurent, Bengio, Bresson: "Graph neural
    networks with learnable structural and positional representations", ICLR 2022).

    .. math:: z_i = \operatorname{MLP}\big( \operatorname{norm}(p_i) \big), \qquad
        p_{it} = \big( (D^{-1} A)^t \big)_{ii}, \quad t = 1 \dots T

    with a batch norm of the raw probabilities, as in GraphGPS: those of long walks differ little.
    They come from ``data.random_walk`` (:class:`~ogeaug.data.add_random_walk.AddRandomWalk`) or
    are computed.

    Symmetries: permutation-equivariant; it knows no eigenvectors, hence no signs and bases.
    Continuous in the weights of the graph. It cannot tell apart nodes of strongly regular graphs
    with the same parameters.

    Cost: :math:`T / 2` products of n x n matrices before, :math:`O(n (T + c) h)` after.

    Args:
        out_channels: Width c of the output.
        hidden_channels: Width h of the MLP.
        steps: T, the longest walk.
        directed: What to do with one-directional edges; see :class:`AddRandomWalk`.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> import torch
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> RWSE(28, steps=8)(square).shape
        torch.Size([4, 28])
    """

    uses_spectrum: ClassVar[bool] = False

    def __init__(
        self,
        out_channels: int,
        *,
        hidden_channels: int = 64,
        steps: int = 20,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(directed=directed))
        check_steps(steps)
        self.hidden_channels = hidden_channels
        self.steps = steps
        self.norm = make_norm("batch", steps)
        self.mlp = MLP(steps, hidden_channels, out_channels)

    def reset_parameters(self) -> None:
        self.norm.reset_parameters()  # type: ignore[operator]
        self.mlp.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        probabilities = self.read_walks(data).to(self.mlp.weight)  # [N, T]
        return self.mlp(self.norm(probabilities))  # [N, out_channels]

    def read_walks(self, data: Data) -> Tensor:
        """The return probabilities on the data, or computed now."""
        graph = read_graph(data)
        stored = read_stored(data, "random_walk", data.num_nodes, self.steps, "AddRandomWalk")
        if stored is not None:
            return stored
        return node_walks(*graph, steps=self.steps, directed=self.spectrum.directed)

    def precompute(self, data: Data) -> Data:
        data.random_walk = self.read_walks(data)
        return data

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, steps={self.steps}, "
            f"directed={self.spectrum.directed!r}"
        )
