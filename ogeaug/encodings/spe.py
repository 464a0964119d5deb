"""SPE: soft functions of the eigenvalues between the eigenvectors and themselves."""

import torch
from torch import Tensor
from torch_geometric.data import Data

from ogeaug.checks import check_counts
from ogeaug.encodings.base import Encoding
from ogeaug.encodings.eigvals import EigvalEncoder
from ogeaug.encodings.rows import RowGIN, lay_out_rows
from ogeaug.graph.edges import Directed, neighbours
from ogeaug.graph.laplacian import Normalization
from ogeaug.layers import MLP, Norm
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.spectrum.truncate import truncate


class SPE(Encoding):
    r"""Stable and expressive positional encodings (Huang, Lu, Robinson, Yang, Zhang, Jegelka, Li:
    "On the stability of expressive positional encodings for graphs", ICLR 2024).

    .. math:: z = \rho \big( V \operatorname{diag}(\phi_1(\lambda)) V^T, \dots,
        V \operatorname{diag}(\phi_m(\lambda)) V^T \big)

    :math:`\phi_l` are permutation-equivariant functions of all eigenvalues (Deep Sets), and
    :math:`\rho` maps the ``[n, n, m]`` tensor to node features: the m numbers at (i, j) are
    features of node i in the j-th of n copies of the graph; a GIN runs on all copies, and node i
    sums over its copies, as in the authors' code. That uses all eigenpairs (37 on ZINC), the first
    included, like this one, and fills up with zeros, which also enter its Deep Sets; here nothing
    is padded. It decomposes the normalised Laplacian; see ``normalization``. The MLP after the sum
    and log(1 + lambda) are additions. (OGE-Aug's waves of the eigenvalues do not help here: see
    docs/results.md.)

    Symmetries: permutation-equivariant, invariant to signs and to a change of basis inside an
    eigenspace. Continuous where eigenvalues cross; with ``k`` not where they cross at the cut.

    Cost: :math:`O(n^2 k m)` for the tensor, :math:`O(n (n + E) h^2)` for the GIN; memory
    :math:`O(n^2 h)` per layer.

    Args:
        out_channels: Width of the output.
        hidden_channels: Width h of the GIN.
        num_layers: Layers of the GIN.
        eigval_channels: m, the number of functions of the eigenvalues.
        k: Use at most the k lowest eigenpairs, whole eigenspaces only; all if absent.
        norm: ``"layer"`` or ``"batch"``.
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
        k: int | None = None,
        norm: Norm = "layer",
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(None, normalization, directed))
        check_counts(hidden_channels=hidden_channels, num_layers=num_layers)
        check_counts(eigval_channels=eigval_channels)
        if k is not None:
            check_counts(k=k)
        self.hidden_channels = hidden_channels
        self.num_layers = num_layers
        self.eigval_channels = eigval_channels
        self.k = k
        self.norm = norm
        self.phi = EigvalEncoder(eigval_channels, waves=False)
        self.gin = RowGIN(eigval_channels, hidden_channels, num_layers, norm=norm)
        self.out = MLP(hidden_channels, hidden_channels, out_channels, norm=norm)

    def reset_parameters(self) -> None:
        for part in (self.phi, self.gin, self.out):
            part.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        dtype = self.out.weight.dtype
        spectra = truncate(self.read_spectra(data), self.k)
        edges, weight = neighbours(data.edge_index, data.num_nodes, data.get("edge_weight", None))
        rows = lay_out_rows(spectra.num_nodes, spectra.num_nodes, edges, weight, dtype)
        ones = torch.ones_like(spectra.eigvals, dtype=dtype)
        phi = self.phi(spectra, ones)  # [sum K, m]
        h = self.gin(sandwich(spectra, phi), rows)  # [sum n^2, h]
        summed = h.new_zeros(data.num_nodes, h.size(1)).index_add(0, rows.node, h)
        return self.out(summed)  # [N, out_channels]

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, "
            f"num_layers={self.num_layers}, eigval_channels={self.eigval_channels}, "
            f"k={self.k}, norm={self.norm!r}, spectrum={self.spectrum}"
        )


def sandwich(spectra: SpectrumBatch, phi: Tensor) -> Tensor:
    """The matrices V diag(phi_l) V^T of each graph, its entries row by row.

    Shapes:
        - B spectra, phi ``[sum K, m]`` -> ``[sum n^2, m]``
    """
    found = []
    parts = phi.split(spectra.num_eigvals.tolist())
    for spectrum, part in zip(spectra, parts, strict=True):  # matrices of different sizes
        V = spectrum.eigvecs.to(phi.dtype)  # [n, K]
        left = V.unsqueeze(1) * part.T  # [n, m, K]
        found.append((left @ V.T).transpose(1, 2).flatten(0, 1))  # [n^2, m]
    return torch.cat(found)
