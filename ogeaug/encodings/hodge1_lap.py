"""Hodge1Lap: eigenspaces of the Hodge 1-Laplacian, as edge features."""

from typing import ClassVar, Literal

import torch
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from ogeaug.checks import check_counts
from ogeaug.encodings.base import Encoding, read_graph
from ogeaug.graph.edges import Directed
from ogeaug.layers import MLP, Norm
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.transforms.add_hodge import AddHodge
from ogeaug.walks.hodge import FIELDS, hodge_statistics
from ogeaug.walks.stored import read_stored


class Hodge1Lap(Encoding):
    r"""Hodge 1-Laplacian encoding of edges (Zhou, Wang, Zhang: "Facilitating graph neural networks
    with random walk on simplicial complexes", NeurIPS 2023).

    .. math:: z_e = \rho \Big( \sum_{i \le k} \phi \big( \lambda_i, (P_i)_{ee},
        \tfrac{1}{\sqrt m} \sum_f |(P_i)_{ef}| \big) \Big), \qquad
        L_1 = B_1^T B_1 + B_2 B_2^T = \sum_i \lambda_i P_i

    The absolute values make it independent of the orientation of the edges. The authors take
    :math:`|P| 1` for the projector on the kernel and for that on a number of low eigenvectors
    (which may cut an eigenspace), and also the raw eigenvectors; here each of the k lowest
    eigenspaces has its own term, and the raw eigenvectors, which depend on basis and orientation,
    are left out. Weights are an addition. The projections come from
    ``data.edge_hodge`` (:class:`~ogeaug.transforms.add_hodge.AddHodge`) or are computed.

    Symmetries: permutation-equivariant, independent of orientation, signs and bases. It jumps
    where two eigenvalues of :math:`L_1` cross, and at the k-th eigenspace.

    Cost: the lowest eigenpairs of an m x m matrix for m edges before, :math:`O(m k h^2)` after.

    Args:
        out_channels: Width of the output.
        hidden_channels: Width h of the networks.
        k: Eigenspaces to use, the lowest ones.
        norm: ``"layer"`` or ``"batch"``.
        directed: What to do with one-directional edges; see :class:`AddHodge`.

    Shapes:
        - ``Data`` or ``Batch`` with E edges -> ``[E, out_channels]``

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> Hodge1Lap(28)(square).shape
        torch.Size([4, 28])
    """

    level: ClassVar[Literal["node", "edge"]] = "edge"

    def __init__(
        self,
        out_channels: int,
        *,
        hidden_channels: int = 64,
        k: int = 8,
        norm: Norm = "layer",
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(directed=directed))
        check_counts(k=k, hidden_channels=hidden_channels)
        self.hidden_channels = hidden_channels
        self.k = k
        self.norm = norm
        self.phi = MLP(FIELDS - 1, hidden_channels, hidden_channels, norm=norm)
        self.rho = MLP(hidden_channels, hidden_channels, out_channels, norm=norm)

    def reset_parameters(self) -> None:
        self.phi.reset_parameters()
        self.rho.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        found = self.read_projections(data).to(self.rho.weight)  # [E, k, 4]
        edge, space = found[..., 0].nonzero(as_tuple=True)  # [R] the eigenspaces that exist
        there = found[edge, space, 1:]  # [R, 3]
        there = torch.cat([torch.log1p(there[:, :1].clamp(min=-0.5)), there[:, 1:]], 1)
        each = self.phi(there)  # [R, h]
        summed = each.new_zeros(len(found), each.size(1)).index_add(0, edge, each)
        return self.rho(summed)  # [E, out_channels]

    def read_projections(self, data: Data) -> Tensor:
        """The projections on the data, or computed now."""
        graph = read_graph(data)
        stored = read_stored(data, "edge_hodge", graph[0].size(1), self.k, "AddHodge")
        if stored is not None:
            return stored
        return hodge_statistics(*graph, k=self.k, directed=self.spectrum.directed)

    def transforms(self) -> list[BaseTransform]:
        return [AddHodge(self.k, directed=self.spectrum.directed)]

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, k={self.k}, "
            f"norm={self.norm!r}, directed={self.spectrum.directed!r}"
        )
