"""Hodge1Lap: eigenspaces of the Hodge 1-Laplacian, as edge features."""

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn
from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from ogeaug.checks import check_choice, check_counts
from ogeaug.encodings.base import Encoding, read_graph
from ogeaug.encodings.deep_gin import DeepMLP
from ogeaug.graph.edges import Directed
from ogeaug.layers import MLP, Norm
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.transforms.add_hodge import AddHodge
from ogeaug.walks.hodge import FIELDS, hodge_statistics
from ogeaug.walks.stored import read_stored

Network = Literal["spaces", "parts"]


class Hodge1Lap(Encoding):
    r"""Hodge 1-Laplacian encoding of edges (Zhou, Wang, Zhang: "Facilitating graph neural networks
    with random walk on simplicial complexes", NeurIPS 2023).

    .. math:: z_e = \rho \Big( \sum_{i \le k} \phi \big( \lambda_i, (P_i)_{ee},
        \tfrac{1}{\sqrt m} \sum_f |(P_i)_{ef}| \big) \Big), \qquad
        L_1 = B_1^T B_1 + B_2 B_2^T = \sum_i \lambda_i P_i

    in ``network="spaces"``, which is ours: each of the k lowest eigenspaces has its own term, and
    the absolute values make it independent of the orientation of the edges.

    ``network="parts"`` is the authors': three MLPs, each of three linear maps with a ReLU after
    every one, side by side. The first sees :math:`|P| 1` for the projector on the kernel, the
    second the same for a number of low eigenvectors (which may cut an eigenspace); the third sees
    :math:`(v_{ie}, \lambda_i)` and is summed over the k lowest eigenvectors (:func:`edge_parts
    <ogeaug.walks.hodge.edge_parts>`). They have 4/7, 2/7 and 1/7 of the channels: 16, 8 and 4 of
    28. Raw eigenvectors depend on basis and orientation, and so does their sum.

    Weights are an addition. The statistics come from ``data.edge_hodge`` or
    ``data.edge_hodge_parts`` (:class:`~ogeaug.transforms.add_hodge.AddHodge`) or are computed.

    Symmetries: permutation-equivariant, independent of orientation, signs and bases; the parts are
    none of these. It jumps
    where two eigenvalues of :math:`L_1` cross, and at the k-th eigenspace.

    Cost: the lowest eigenpairs of an m x m matrix for m edges before, :math:`O(m k h^2)` after.

    Args:
        out_channels: Width of the output.
        hidden_channels: Width h of the networks; if absent 64, of parts twice the output's.
        k: Eigenspaces to use, the lowest ones; of parts, eigenvectors.
        network: ``"spaces"`` or ``"parts"``; ``preset: authors`` has all options of the authors.
        norm: ``"layer"``, ``"batch"`` or None.
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
        hidden_channels: int | None = None,
        k: int = 8,
        network: Network = "spaces",
        norm: Norm | None = "layer",
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(directed=directed))
        check_choice("network", network, Network)
        check_counts(k=k)
        if hidden_channels is not None:
            check_counts(hidden_channels=hidden_channels)
        h = hidden_channels or (64 if network == "spaces" else 2 * out_channels)
        self.hidden_channels = h
        self.k = k
        self.network = network
        self.norm = norm
        if network == "spaces":
            self.phi = MLP(FIELDS - 1, h, h, norm=norm)
            self.rho = MLP(h, h, out_channels, norm=norm)
            return
        if out_channels < 3:
            raise ValueError(
                f"network='parts' needs out_channels of at least 3, got {out_channels}"
            )
        every, low = max(1, out_channels // 7), max(1, 2 * out_channels // 7)
        self.parts = nn.ModuleList(
            DeepMLP(width, h, out, 3, norm=norm)
            for width, out in ((1, out_channels - low - every), (1, low), (2, every))
        )

    def reset_parameters(self) -> None:
        for part in self.parts if self.network == "parts" else (self.phi, self.rho):
            part.reset_parameters()  # type: ignore[operator]

    def forward(self, data: Data) -> Tensor:
        weight = next(self.parameters())
        found = self.read_statistics(data).to(weight)  # [E, k, 4] or [E, 1 + k, 2]
        if len(found) == 0:  # a batch norm refuses an empty batch
            return weight.sum().expand(0, self.out_channels)  # with gradients, all of them 0
        return self.join_parts(found) if self.network == "parts" else self.sum_spaces(found)

    def sum_spaces(self, found: Tensor) -> Tensor:
        """Our network: ``[E, k, 4]`` -> ``[E, out_channels]``."""
        edge, space = found[..., 0].nonzero(as_tuple=True)  # [R] the eigenspaces that exist
        there = found[edge, space, 1:]  # [R, 3]
        there = torch.cat([torch.log1p(there[:, :1].clamp(min=-0.5)), there[:, 1:]], 1)
        each = self.phi(there)  # [R, h]
        summed = each.new_zeros(len(found), each.size(1)).index_add(0, edge, each)
        return self.rho(summed)

    def join_parts(self, found: Tensor) -> Tensor:
        """The authors' network: ``[E, 1 + k, 2]`` -> ``[E, out_channels]``."""
        zero, low, every = self.parts
        each = torch.relu(every(found[:, 1:].flatten(0, 1))).view(len(found), self.k, -1)
        alone = [torch.relu(mlp(found[:, 0, i : i + 1])) for i, mlp in enumerate((zero, low))]
        return torch.cat([*alone, each.sum(1)], 1)

    def read_statistics(self, data: Data) -> Tensor:
        """What the eigenvectors say about edges, on the data or computed now."""
        graph, parts = read_graph(data), self.network == "parts"
        key, columns = ("edge_hodge_parts", self.k + 1) if parts else ("edge_hodge", self.k)
        stored = read_stored(data, key, graph[0].size(1), columns, "AddHodge")
        if stored is not None:
            return stored
        return hodge_statistics(*graph, k=self.k, parts=parts, directed=self.spectrum.directed)

    def transforms(self) -> list[BaseTransform]:
        return [AddHodge(self.k, parts=self.network == "parts", directed=self.spectrum.directed)]

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, k={self.k}, "
            f"network={self.network!r}, norm={self.norm!r}, directed={self.spectrum.directed!r}"
        )
