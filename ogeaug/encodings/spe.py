"""SPE: soft functions of the eigenvalues between the eigenvectors and themselves."""

from typing import Literal

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.checks import check_choice, check_counts
from ogeaug.encodings.base import Encoding
from ogeaug.encodings.deep_gin import DeepGIN, DeepMLP
from ogeaug.encodings.eigvals import EigvalEncoder
from ogeaug.encodings.row_gin import RowGIN
from ogeaug.graph.edges import Directed, neighbours
from ogeaug.graph.laplacian import Normalization
from ogeaug.layers import MLP, Norm
from ogeaug.spectrum.sandwich import sandwich
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.spectrum.truncate import truncate
from ogeaug.tensors.node_rows import lay_out_rows

Network = Literal["ours", "authors"]


class SPE(Encoding):
    r"""Stable and expressive positional encodings (Huang, Lu, Robinson, Yang, Zhang, Jegelka, Li:
    "On the stability of expressive positional encodings for graphs", ICLR 2024).

    .. math:: z = \rho \big( V \operatorname{diag}(\phi_1(\lambda)) V^T, \dots,
        V \operatorname{diag}(\phi_m(\lambda)) V^T \big)

    :math:`\phi_l` are permutation-equivariant functions of all eigenvalues, and :math:`\rho` maps
    the ``[n, n, m]`` tensor to node features: the m numbers at (i, j) are features of node i in
    the j-th of n copies of the graph; a GIN runs on all copies, and node i sums over its copies,
    as in the authors' code. All eigenpairs are used, the first included, as there (37 on ZINC).

    ``network="authors"`` is their model for ZINC: each :math:`\phi_l` is an MLP of its own of one
    eigenvalue (1-m-m-1, batch norm and ReLU); each layer of the GIN has an MLP of three linear maps
    and an :math:`\epsilon` that starts at random; the last has the width of the output, and
    nothing follows the sum. (Their code fills spectra up with zeros, which enter the means and
    deviations of the batch norms in training; here nothing is padded.) ``network="ours"``:
    :math:`\phi` is one Deep Sets network of log(1 + lambda), each layer has an MLP of two linear
    maps with a SiLU, and an MLP follows the sum. (OGE-Aug's waves of the eigenvalues do not help
    here: see docs/notes/zinc.md.)

    Symmetries: permutation-equivariant, invariant to signs and to a change of basis inside an
    eigenspace. Continuous where eigenvalues cross; with ``k`` not where they cross at the cut.

    Cost: :math:`O(n^2 k m)` for the tensor, :math:`O(n (n + E) h^2)` for the GIN; memory
    :math:`O(n^2 h)` per layer.

    Args:
        out_channels: Width of the output.
        hidden_channels: Width h of the GIN.
        num_layers: Layers of the GIN.
        eigval_channels: m, the number of functions of the eigenvalues.
        network: ``"ours"`` or ``"authors"``; ``preset: authors`` has all their options.
        k: Use at most the k lowest eigenpairs, whole eigenspaces only; all if absent.
        norm: In the MLPs of the GIN; ``"layer"``, ``"batch"`` or None.
        normalization: Of the Laplacian, where the data has no spectrum. The authors use ``"sym"``;
            the default lets one spectrum serve all encodings.
        directed: Likewise what to do with one-directional edges.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> SPE(28, hidden_channels=16)(square).shape
        torch.Size([4, 28])
    """

    def __init__(
        self,
        out_channels: int,
        *,
        hidden_channels: int = 64,
        num_layers: int = 4,
        eigval_channels: int = 16,
        network: Network = "ours",
        k: int | None = None,
        norm: Norm | None = "layer",
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(None, normalization, directed))
        check_counts(hidden_channels=hidden_channels, num_layers=num_layers)
        check_counts(eigval_channels=eigval_channels)
        check_choice("network", network, Network)
        if k is not None:
            check_counts(k=k)
        self.hidden_channels = hidden_channels
        self.num_layers = num_layers
        self.eigval_channels = m = eigval_channels
        self.network = network
        self.k = k
        self.norm = norm
        self.phi: EigvalEncoder | SeparateMLPs
        self.gin: RowGIN | DeepGIN
        if network == "ours":
            self.phi = EigvalEncoder(m, waves=False)
            self.gin = RowGIN(m, hidden_channels, num_layers, norm=norm)
            self.out = MLP(hidden_channels, hidden_channels, out_channels, norm=norm)
        else:
            self.phi = SeparateMLPs(m)
            self.gin = DeepGIN(
                m, hidden_channels, out_channels, num_layers, mlp_layers=3, norm=norm
            )

    def reset_parameters(self) -> None:
        for part in self.children():
            part.reset_parameters()  # type: ignore[operator]

    def forward(self, data: Data) -> Tensor:
        dtype = next(self.parameters()).dtype
        spectra = truncate(self.read_spectra(data), self.k)
        edges, weight = neighbours(data.edge_index, data.num_nodes, data.get("edge_weight", None))
        rows = lay_out_rows(spectra.num_nodes, spectra.num_nodes, edges, weight, dtype)
        phi = self.phi(spectra, torch.ones_like(spectra.eigvals, dtype=dtype))  # [sum K, m]
        h = self.gin(sandwich(spectra, phi), rows)  # [sum n^2, h]
        summed = h.new_zeros(data.num_nodes, h.size(1)).index_add(0, rows.node, h)
        return self.out(summed) if self.network == "ours" else summed  # [N, out_channels]

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, "
            f"num_layers={self.num_layers}, eigval_channels={self.eigval_channels}, "
            f"network={self.network!r}, k={self.k}, norm={self.norm!r}, spectrum={self.spectrum}"
        )


class SeparateMLPs(nn.Module):
    """Functions of one eigenvalue, each with weights of its own.

    Args:
        channels: How many, and their width.

    Shapes:
        - eigvals ``[sum K]`` -> ``[sum K, channels]``
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.mlps = nn.ModuleList(DeepMLP(1, channels, 1, 3, norm="batch") for _ in range(channels))

    def reset_parameters(self) -> None:
        for mlp in self.mlps:
            mlp.reset_parameters()  # type: ignore[operator]

    def forward(self, spectra: SpectrumBatch, weights: Tensor) -> Tensor:
        each = spectra.eigvals.to(weights).unsqueeze(1)  # [sum K, 1]
        return torch.cat([mlp(each) for mlp in self.mlps], 1)
