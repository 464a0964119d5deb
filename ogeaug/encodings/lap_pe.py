"""LapPE: eigenvectors as they are, with random signs in training."""

from typing import Literal

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.checks import check_choice, check_counts
from ogeaug.encodings.base import Encoding
from ogeaug.encodings.walk_encoding import hidden_width
from ogeaug.graph.edges import Directed
from ogeaug.graph.laplacian import Normalization
from ogeaug.layers import MLP
from ogeaug.ragged import ragged_arange
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch

LapNetwork = Literal["mlp", "deepset", "linear"]


class LapPE(Encoding):
    r"""Laplacian eigenvectors (Dwivedi, Joshi, Luu, Laurent, Bengio, Bresson: "Benchmarking graph
    neural networks", 2020, JMLR 2023).

    .. math::
        \text{linear} \quad & z_i = Q (s_1 v_{i1}, \dots, s_k v_{ik}) + b,
            \qquad s \in \{-1, 1\}^k \\
        \text{deepset} \quad & z_i = \sum_{j \le k} \phi(s_j v_{ij}, \lambda_j) \\
        \text{mlp} \quad & z_i = \operatorname{MLP}\big( s_1 v_{i1}, \dots, s_k v_{ik}, \lambda_1,
            \dots, \lambda_k \big)

    ``linear`` is the paper's, ``deepset`` that of GraphGPS: :math:`\phi` has two linear maps, each
    with a ReLU after it. ``mlp`` is ours. The k lowest eigenpairs are those after the first (just
    one is left out, even of a graph in several parts), as the authors have it; in ``deepset`` they
    begin with the first, as in GraphGPS. Where a graph has fewer, zeros stand for them; a sum has
    fewer terms. In training the signs s are drawn anew at each call, one for each eigenvector of
    each graph (the authors' code and GraphGPS draw one for each column of a batch); in eval mode
    they are 1. The paper uses the normalised Laplacian, GraphGPS on ZINC the plain one; see
    ``normalization``.

    Symmetries: none. The output follows the signs and bases that LAPACK happens to choose, so that
    renumbering the nodes of a graph changes it, and it jumps where eigenvalues cross.

    Cost: :math:`O(n (k + c) h)`.

    Args:
        out_channels: Width c of the output.
        hidden_channels: Width h of the hidden layer; if absent 64, in a ``deepset`` twice the
            output's, as in GraphGPS.
        k: Eigenvectors to use.
        network: ``"mlp"``, ``"deepset"``, or ``"linear"``, which has no ``hidden_channels``.
        normalization: Of the Laplacian, where the data has no spectrum. The authors use ``"sym"``;
            the default lets one spectrum serve all encodings.
        directed: Likewise what to do with one-directional edges.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> LapPE(28, k=3)(square).shape
        torch.Size([4, 28])
    """

    def __init__(
        self,
        out_channels: int,
        *,
        hidden_channels: int | None = None,
        k: int = 8,
        network: LapNetwork = "mlp",
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(None, normalization, directed))
        check_choice("network", network, LapNetwork)
        check_counts(k=k)
        default = 2 * out_channels if network == "deepset" else 64
        width = hidden_width(hidden_channels, default, network)
        self.hidden_channels = width
        self.k = k
        self.network = network
        self.mlp: nn.Sequential | nn.Linear
        if width is None:
            self.mlp = nn.Linear(k, out_channels)
        elif network == "deepset":
            self.mlp = nn.Sequential(
                nn.Linear(2, width), nn.ReLU(), nn.Linear(width, out_channels), nn.ReLU()
            )
        else:
            self.mlp = MLP(2 * k, width, out_channels)

    def reset_parameters(self) -> None:
        for module in self.mlp.modules():
            if isinstance(module, nn.Linear):
                module.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        spectra, skip = self.read_spectra(data), 0 if self.network == "deepset" else 1
        eigvals, eigvecs = lowest_columns(spectra, self.k, skip=skip)  # [B, k], [N, k]
        dtype = next(self.mlp.parameters()).dtype
        sizes = spectra.num_nodes.to(eigvals.device)
        if self.training:
            signs = torch.randint_like(eigvals, 2) * 2 - 1  # [B, k]
            eigvecs = eigvecs * signs.repeat_interleave(sizes, 0)
        if self.network == "linear":
            return self.mlp(eigvecs.to(dtype))  # [N, out_channels]
        each = eigvals.repeat_interleave(sizes, 0)  # [N, k]
        if self.network == "mlp":
            return self.mlp(torch.cat([eigvecs, each], 1).to(dtype))  # [N, out_channels]
        pairs = torch.stack([eigvecs, each.clamp(min=0)], 2).to(dtype)  # [N, k, 2]
        there = spectra.num_eigvals.to(eigvals.device).repeat_interleave(sizes).unsqueeze(1)
        there = torch.arange(self.k, device=there.device) < there  # [N, k]
        return (self.mlp(pairs) * there.unsqueeze(2)).sum(1)  # [N, out_channels]

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, k={self.k}, "
            f"network={self.network!r}, spectrum={self.spectrum}"
        )


def lowest_columns(spectra: SpectrumBatch, k: int, *, skip: int = 1) -> tuple[Tensor, Tensor]:
    """The k lowest eigenpairs of each graph as matrices; zeros where a graph has fewer.

    Args:
        spectra: Of the batch.
        k: Columns.
        skip: How many of the lowest are left out.

    Shapes:
        - B spectra -> eigvals ``[B, k]``, eigvecs ``[N, k]``
    """
    device = spectra.eigvals.device
    sizes, counts = spectra.num_nodes.to(device), spectra.num_eigvals.to(device)
    graph = torch.repeat_interleave(counts)  # [sum K]
    column = ragged_arange(counts) - skip  # [sum K]
    used = (column >= 0) & (column < k)
    eigvals = spectra.eigvals.new_zeros(len(spectra), k)
    eigvals[graph[used], column[used]] = spectra.eigvals[used]
    per_node = counts.repeat_interleave(sizes)  # [N]
    node, column = torch.repeat_interleave(per_node), ragged_arange(per_node) - skip  # [sum n K]
    used = (column >= 0) & (column < k)
    eigvecs = spectra.eigvecs.new_zeros(len(per_node), k)
    eigvecs[node[used], column[used]] = spectra.eigvecs[used]
    return eigvals, eigvecs
