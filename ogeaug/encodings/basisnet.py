"""BasisNet: an invariant graph network on the projector of each eigenspace."""

from typing import Literal

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.checks import check_choice, check_counts
from ogeaug.encodings.base import Encoding
from ogeaug.encodings.deep_gin import DeepGIN
from ogeaug.encodings.eigenspaces import find_spaces, project
from ogeaug.encodings.ign import IGN
from ogeaug.encodings.lap_pe import lowest_columns
from ogeaug.encodings.space_net import SpaceNet, lay_out_spaces
from ogeaug.graph.edges import Directed, neighbours
from ogeaug.graph.laplacian import Normalization
from ogeaug.layers import MLP, Norm
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.spectrum.truncate import truncate
from ogeaug.tensors.node_rows import lay_out_rows

Network = Literal["ours", "authors"]


class BasisNet(Encoding):
    r"""BasisNet (Lim, Robinson, Zhao, Smidt, Sra, Maron, Jegelka: "Sign and basis invariant
    networks for spectral graph representation learning", ICLR 2023).

    .. math::
        \text{ours} \quad & z = \rho \Big( \sum_s \phi_{d_s}
            \big( n V_s V_s^T, \lambda_s \big) \Big) \\
        \text{authors} \quad & z = \rho \Big( \big\Vert_s \phi_{d_s} \big( V_s V_s^T \big),
            \lambda_1, \dots, \lambda_k \Big)

    over the eigenspaces s, of dimension :math:`d_s`; there is one network :math:`\phi_d` for each
    multiplicity d. Multiplicities of ``max_multiplicity`` and more share the last network, so that
    one never seen in training is still encoded. The kernel is an eigenspace like any other.

    ``network="authors"`` is BasisNet as it was run on ZINC, in the code of SPE: :math:`\phi_d`
    (:class:`~ogeaug.encodings.space_net.SpaceNet`) gives d columns; those of all eigenspaces stand
    side by side, filled up with zeros to k columns, ordered by multiplicity; the eigenvalues
    follow; and a GIN with ``num_layers`` layers, of MLPs of three linear maps, is :math:`\rho`. Two
    things differ from that code. Its IGN moves its coefficients to the GPU in such a way that they
    are no parameters there: it trained with frozen random ones, while here they are trained. And it
    reads the array [eigenspaces, columns, nodes] as [nodes, ...] without turning it, which mixes
    nodes up; here each node has its own features, without which nothing would be equivariant.

    ``network="ours"``: a sum, which needs no padding and no order; the eigenvalue, which the paper
    allows as an input, tells its terms apart. :math:`\phi_d` is a 2-IGN
    (:class:`~ogeaug.encodings.ign.IGN`), :math:`\rho` an MLP. The factor n makes entries of graphs
    of different sizes comparable.

    Symmetries: permutation-equivariant, invariant to signs and to a change of basis inside an
    eigenspace. It jumps where two eigenvalues cross: one network of a plane takes the place of
    two networks of lines. Eigenvalues less than ``tolerance`` apart count as one eigenspace.

    Cost: of the authors' network :math:`O(n k h^2)`; of ours :math:`O(n^2 h^2)` time and
    :math:`O(n^2 h)` memory per layer and eigenspace; with all eigenpairs that is :math:`n^3 h`, so
    that graphs of more than about 50 nodes want a ``k``.

    Args:
        out_channels: Width of the output.
        hidden_channels: Width h of the networks.
        num_layers: Layers of each IGN from matrices to matrices; in the authors' network, layers of
            the GIN.
        max_multiplicity: How many networks.
        tolerance: Of the eigenspaces.
        network: ``"ours"`` or ``"authors"``, which needs ``k``; ``preset: authors`` has all their
            options.
        norm: ``"layer"`` or ``"batch"``.
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
        network: Network = "ours",
        norm: Norm = "layer",
        k: int | None = None,
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(None, normalization, directed))
        check_counts(hidden_channels=hidden_channels, num_layers=num_layers)
        check_counts(max_multiplicity=max_multiplicity)
        if k is not None:
            check_counts(k=k)
        check_choice("network", network, Network)
        if not tolerance > 0:
            raise ValueError(f"tolerance must be positive, got {tolerance}")
        self.hidden_channels = hidden_channels
        self.num_layers = num_layers
        self.max_multiplicity = max_multiplicity
        self.tolerance = tolerance
        self.k = k
        self.network = network
        self.norm = norm
        self.rho: MLP | DeepGIN
        width, each = hidden_channels, range(max_multiplicity)
        if network == "ours":
            self.phi = nn.ModuleList(IGN(width, num_layers, norm=norm) for _ in each)
            self.rho = MLP(width, width, out_channels, norm=norm)
            return
        if k is None or k < max_multiplicity:
            raise ValueError(
                "network='authors' puts features of eigenspaces side by side in k columns: it "
                f"needs k of at least max_multiplicity={max_multiplicity}, got {k}"
            )
        self.phi = nn.ModuleList(SpaceNet(width, d + 1, norm=norm) for d in each)
        self.rho = DeepGIN(
            2 * k, 2 * k, out_channels, num_layers, mlp_layers=3, mlp_channels=width, norm=norm
        )

    def reset_parameters(self) -> None:
        for part in (*self.phi, self.rho):
            part.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        spectra = truncate(self.read_spectra(data), self.k)
        return self.side_by_side(data, spectra) if self.network == "authors" else self.sum(spectra)

    def sum(self, spectra: SpectrumBatch) -> Tensor:
        """Our network: B spectra of N nodes -> ``[N, out_channels]``."""
        dtype = next(self.parameters()).dtype
        spaces = find_spaces(spectra, self.tolerance)
        nodes, device = int(spectra.num_nodes.sum()), spectra.eigvals.device
        summed = torch.zeros(nodes, self.hidden_channels, dtype=dtype, device=device)
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

    def side_by_side(self, data: Data, spectra: SpectrumBatch) -> Tensor:
        """The authors' network: B spectra of N nodes -> ``[N, out_channels]``."""
        assert self.k is not None
        dtype, n = next(self.parameters()).dtype, data.num_nodes
        spaces = find_spaces(spectra, self.tolerance)
        laid = lay_out_spaces(spectra, spaces, self.max_multiplicity)
        columns = torch.zeros(n, self.k, dtype=dtype, device=spectra.eigvals.device)
        for d, phi in enumerate(self.phi, 1):
            chosen = (laid.width[laid.space] == d).nonzero().flatten()  # [R']
            if len(chosen) == 0:  # a batch norm refuses an empty batch
                continue
            space = laid.space[chosen]
            each = phi(laid.features[chosen].to(dtype), space, spaces.size)  # [R', d]
            place = laid.offset[space].unsqueeze(1) + torch.arange(d, device=space.device)
            node = laid.node[chosen].unsqueeze(1).expand_as(place)
            # More than k eigenvalues near zero are all kept; their features may not fit.
            fits = place < self.k
            columns = columns.index_put((node[fits], place[fits]), each[fits])
        eigvals, _ = lowest_columns(spectra, self.k, skip=0)  # [B, k]
        sizes = spectra.num_nodes.to(eigvals.device)
        beside = eigvals.repeat_interleave(sizes, 0).to(dtype)  # [N, k]
        edges, weight = neighbours(data.edge_index, n, data.get("edge_weight", None))
        rows = lay_out_rows(sizes, torch.ones_like(sizes), edges, weight, dtype)
        return self.rho(torch.cat([columns, beside], 1), rows)

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, "
            f"num_layers={self.num_layers}, max_multiplicity={self.max_multiplicity}, "
            f"tolerance={self.tolerance}, network={self.network!r}, norm={self.norm!r}, "
            f"k={self.k}, spectrum={self.spectrum}"
        )
