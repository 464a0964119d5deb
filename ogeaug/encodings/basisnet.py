"""BasisNet: an invariant graph network on the projector of each eigenspace."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.checks import check_counts
from ogeaug.encodings.base import Encoding
from ogeaug.encodings.ign import IGN
from ogeaug.graph.edges import Directed
from ogeaug.graph.laplacian import Normalization
from ogeaug.layers import MLP
from ogeaug.ragged import ragged_arange
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.spectrum.truncate import truncate


class BasisNet(Encoding):
    r"""BasisNet (Lim, Robinson, Zhao, Smidt, Sra, Maron, Jegelka: "Sign and basis invariant
    networks for spectral graph representation learning", ICLR 2023).

    .. math:: z = \rho \Big( \sum_s \phi_{d_s} \big( n V_s V_s^T, \lambda_s \big) \Big)

    over the eigenspaces s, of dimension :math:`d_s`; :math:`\phi_d` is a 2-IGN
    (:class:`~ogeaug.encodings.ign.IGN`), one for each multiplicity d. Multiplicities of
    ``max_multiplicity`` and more share the last network, so that one never seen in training is
    still encoded.

    Compared with the paper: the authors concatenate over the eigenspaces of one graph before
    :math:`\rho` (zero-padded for graphs of different sizes), and give :math:`\phi_d` an output of
    width d. Here it is a sum, which needs no padding and no order, and the eigenvalue, which the
    paper allows as an input, tells its terms apart. The factor n makes entries of graphs of
    different sizes comparable. The kernel is an eigenspace like any other, as in the paper.

    Symmetries: permutation-equivariant, invariant to signs and to a change of basis inside an
    eigenspace. It jumps where two eigenvalues cross: one network of a plane takes the place of
    two networks of lines. Eigenvalues less than ``tolerance`` apart count as one eigenspace.

    Cost: :math:`O(n^2 h^2)` time and :math:`O(n^2 h)` memory per layer and eigenspace; with all
    eigenpairs that is :math:`n^3 h`, so that graphs of more than about 50 nodes want a ``k``.

    Args:
        out_channels: Width of the output.
        hidden_channels: Width h of the networks.
        num_layers: Layers of each IGN from matrices to matrices.
        max_multiplicity: How many networks.
        tolerance: Of the eigenspaces.
        k: Use at most the k lowest eigenpairs, whole eigenspaces only; all if absent.
        normalization: Of the Laplacian, where the data has no spectrum.
        directed: Likewise what to do with one-directional edges.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> BasisNet(28, hidden_channels=16)(square).shape
        torch.Size([4, 28])
    """

    def __init__(
        self,
        out_channels: int,
        *,
        hidden_channels: int = 64,
        num_layers: int = 2,
        max_multiplicity: int = 3,
        tolerance: float = 1e-6,
        k: int | None = None,
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(None, normalization, directed))
        check_counts(hidden_channels=hidden_channels, num_layers=num_layers)
        check_counts(max_multiplicity=max_multiplicity)
        if k is not None:
            check_counts(k=k)
        if not tolerance > 0:
            raise ValueError(f"tolerance must be positive, got {tolerance}")
        self.hidden_channels = hidden_channels
        self.num_layers = num_layers
        self.max_multiplicity = max_multiplicity
        self.tolerance = tolerance
        self.k = k
        self.phi = nn.ModuleList(IGN(hidden_channels, num_layers) for _ in range(max_multiplicity))
        self.rho = MLP(hidden_channels, hidden_channels, out_channels, norm="layer")

    def reset_parameters(self) -> None:
        for part in (*self.phi, self.rho):
            part.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        dtype = self.rho.weight.dtype
        spectra = truncate(self.read_spectra(data), self.k)
        spaces = find_spaces(spectra, self.tolerance)
        summed = torch.zeros(
            data.num_nodes, self.hidden_channels, dtype=dtype, device=spectra.eigvals.device
        )
        shared = spaces.multiplicity.clamp(max=self.max_multiplicity)  # [S]
        # Matrices of one size and multiplicity go through their network together.
        for n, d in torch.stack([spaces.size, shared], 1).unique(dim=0).tolist():
            chosen = ((spaces.size == n) & (shared == d)).nonzero().flatten()  # [S']
            projectors, node = project(spectra, spaces, chosen, n)
            # Noise in training may push an eigenvalue a little below zero.
            scaled = torch.log1p(spaces.eigval[chosen].clamp(min=-0.5)).unsqueeze(1)
            each = self.phi[d - 1](projectors.to(dtype), scaled.to(dtype))  # [S', n, h]
            summed = summed.index_add(0, node.flatten(), each.flatten(0, 1))
        return self.rho(summed)  # [N, out_channels]

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, "
            f"num_layers={self.num_layers}, max_multiplicity={self.max_multiplicity}, "
            f"tolerance={self.tolerance}, k={self.k}, spectrum={self.spectrum}"
        )


@dataclass(frozen=True, eq=False)
class Spaces:
    """The S eigenspaces of a batch.

    Attributes:
        graph: ``[S]`` the graph of each.
        size: ``[S]`` its number of nodes.
        first: ``[S]`` the first eigenpair, numbered through the batch.
        multiplicity: ``[S]``.
        eigval: ``[S]`` the mean eigenvalue.
    """

    graph: Tensor
    size: Tensor
    first: Tensor
    multiplicity: Tensor
    eigval: Tensor


def find_spaces(spectra: SpectrumBatch, tolerance: float) -> Spaces:
    """Runs of eigenvalues of one graph that are less than ``tolerance`` apart."""
    eigvals, device = spectra.eigvals, spectra.eigvals.device
    graph = torch.repeat_interleave(spectra.num_eigvals.to(device))  # [sum K]
    starts = (eigvals.diff() >= tolerance) | (graph.diff() > 0)
    starts = torch.cat([starts.new_ones(min(1, len(graph))), starts])  # [sum K]
    first = starts.nonzero().flatten()  # [S]
    space = starts.cumsum(0) - 1  # [sum K]
    multiplicity = torch.bincount(space, minlength=len(first))
    total = eigvals.new_zeros(len(first)).index_add(0, space, eigvals)
    size = spectra.num_nodes.to(device)[graph[first]]
    return Spaces(graph[first], size, first, multiplicity, total / multiplicity)


def project(
    spectra: SpectrumBatch, spaces: Spaces, chosen: Tensor, n: int
) -> tuple[Tensor, Tensor]:
    """The matrices n V V^T of eigenspaces of graphs with n nodes, and the node of each index.

    Shapes:
        - B spectra, chosen ``[S']`` -> ``[S', n, n, 1]``, ``[S', n]``
    """
    device = spectra.eigvals.device
    sizes, counts = spectra.num_nodes.to(device), spectra.num_eigvals.to(device)
    entry_start = (sizes * counts).cumsum(0) - sizes * counts  # [B] into eigvecs
    eig_start, node_start = counts.cumsum(0) - counts, sizes.cumsum(0) - sizes  # [B]
    d = spaces.multiplicity[chosen]  # [S']
    space = torch.repeat_interleave(d)  # [M] the space of each of its eigenvectors
    graph = spaces.graph[chosen][space]
    column = spaces.first[chosen][space] + ragged_arange(d) - eig_start[graph]  # [M]
    index = torch.arange(n, device=device)
    entry = (entry_start[graph] + column).unsqueeze(1) + counts[graph].unsqueeze(1) * index
    v = spectra.eigvecs[entry]  # [M, n]
    outer = n * v.unsqueeze(2) * v.unsqueeze(1)  # [M, n, n]
    projectors = outer.new_zeros(len(chosen), n, n).index_add(0, space, outer)
    return projectors.unsqueeze(-1), node_start[spaces.graph[chosen]].unsqueeze(1) + index
