"""LapPE: eigenvectors as they are, with random signs in training."""

import torch
from torch import Tensor
from torch_geometric.data import Data

from ogeaug.checks import check_counts
from ogeaug.encodings.base import Encoding
from ogeaug.graph.edges import Directed
from ogeaug.graph.laplacian import Normalization
from ogeaug.layers import MLP
from ogeaug.ragged import ragged_arange
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch


class LapPE(Encoding):
    r"""Laplacian eigenvectors (Dwivedi, Joshi, Luu, Laurent, Bengio, Bresson: "Benchmarking graph
    neural networks", 2020, JMLR 2023).

    .. math:: z_i = \operatorname{MLP}\big( s_1 v_{i1}, \dots, s_k v_{ik}, \lambda_1, \dots,
        \lambda_k \big), \qquad s \in \{-1, 1\}^k

    of the k lowest eigenpairs after the first (just one is left out, even of a graph in several
    parts), filled up with zeros, as the authors have it. In training the signs s are drawn anew at
    each call, one for each eigenvector of each graph (the authors' code draws one for each column
    of a batch); in eval mode they are 1.

    Compared with the paper: it adds a linear map of the eigenvectors to the node features; the
    MLP, and the eigenvalues, are of later work (Kreuzer et al., 2021; GraphGPS, which sums a
    network of (v, lambda) over the eigenvectors and keeps the first). The paper uses the
    normalised Laplacian; see ``normalization``.

    Symmetries: none. The output follows the signs and bases that LAPACK happens to choose, so that
    renumbering the nodes of a graph changes it, and it jumps where eigenvalues cross.

    Cost: :math:`O(n (k + c) h)`.

    Args:
        out_channels: Width c of the output.
        hidden_channels: Width h of the MLP.
        k: Eigenvectors to use.
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
        hidden_channels: int = 64,
        k: int = 8,
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(None, normalization, directed))
        check_counts(k=k, hidden_channels=hidden_channels)
        self.hidden_channels = hidden_channels
        self.k = k
        self.mlp = MLP(2 * k, hidden_channels, out_channels)

    def reset_parameters(self) -> None:
        self.mlp.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        eigvals, eigvecs = lowest_columns(self.read_spectra(data), self.k)  # [B, k], [N, k]
        batch = data.batch if data.get("batch", None) is not None else None
        if self.training:
            signs = torch.randint_like(eigvals, 2) * 2 - 1  # [B, k]
            eigvecs = eigvecs * (signs if batch is None else signs[batch])
        each = eigvals.expand(len(eigvecs), -1) if batch is None else eigvals[batch]  # [N, k]
        both = torch.cat([eigvecs, each], 1).to(self.mlp.weight.dtype)  # [N, 2k]
        return self.mlp(both)  # [N, out_channels]

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, k={self.k}, "
            f"spectrum={self.spectrum}"
        )


def lowest_columns(spectra: SpectrumBatch, k: int) -> tuple[Tensor, Tensor]:
    """Eigenpairs 2 to k + 1 of each graph as matrices; zeros where a graph has fewer.

    Shapes:
        - B spectra -> eigvals ``[B, k]``, eigvecs ``[N, k]``
    """
    device = spectra.eigvals.device
    sizes, counts = spectra.num_nodes.to(device), spectra.num_eigvals.to(device)
    graph = torch.repeat_interleave(counts)  # [sum K]
    column = ragged_arange(counts) - 1  # [sum K]; the first is left out
    used = (column >= 0) & (column < k)
    eigvals = spectra.eigvals.new_zeros(len(spectra), k)
    eigvals[graph[used], column[used]] = spectra.eigvals[used]
    per_node = counts.repeat_interleave(sizes)  # [N]
    node, column = torch.repeat_interleave(per_node), ragged_arange(per_node) - 1  # [sum n K]
    used = (column >= 0) & (column < k)
    eigvecs = spectra.eigvecs.new_zeros(len(per_node), k)
    eigvecs[node[used], column[used]] = spectra.eigvecs[used]
    return eigvals, eigvecs
