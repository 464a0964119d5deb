"""SignNet: eigenvectors made invariant to their signs."""

from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.checks import check_choice, check_counts
from ogeaug.encodings.base import Encoding
from ogeaug.encodings.deep_gin import DeepGIN, DeepMLP
from ogeaug.encodings.row_gin import RowGIN, make_layers
from ogeaug.graph.edges import Directed, neighbours
from ogeaug.graph.laplacian import Normalization
from ogeaug.layers import MLP, Norm
from ogeaug.ragged import ragged_arange
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.node_rows import Rows, lay_out_rows

Phi = Literal["gin", "deepsets"]
Network = Literal["ours", "authors"]


class SignNet(Encoding):
    r"""SignNet (Lim, Robinson, Zhao, Smidt, Sra, Maron, Jegelka: "Sign and basis invariant
    networks for spectral graph representation learning", ICLR 2023).

    .. math:: z = \rho \Big( \sum_k \phi(\sqrt n \, v_k, \lambda_k) +
        \phi(-\sqrt n \, v_k, \lambda_k) \Big)

    :math:`\phi` is a GIN that runs on the graph with the entries of one eigenvector as features,
    or a Deep Sets network of these entries; :math:`\rho` is an MLP at each node. All eigenvectors
    are used, the first included, as in the authors' code for Alchemy and in GraphGPS (their masked
    GIN for ZINC leaves it out). They decompose the normalised Laplacian; see ``normalization``.

    ``network="authors"`` is their masked GIN for ZINC, which sums over the eigenvectors of graphs
    of different sizes: each layer of :math:`\phi` has an MLP of two linear maps, a ReLU and a norm
    between them, and a norm stands between layers; :math:`\rho` is as deep as :math:`\phi`.
    Eigenvectors enter as they are, eigenvalues only with ``eigvals``; on ZINC they leave them out.
    ``network="ours"``: SiLU, a :math:`\rho` of two linear maps, log(1 + lambda), and the factor
    :math:`\sqrt n`, which makes the entries of eigenvectors of graphs of different sizes
    comparable, and large enough for :math:`\phi` to bend.

    Symmetries: invariant to signs. Not invariant to a change of basis inside an eigenspace, and
    therefore equivariant to permutations only where no eigenvalue is repeated: on other graphs
    the output follows the basis that LAPACK happens to choose. It jumps where eigenvalues cross.

    Cost: :math:`O(k (n + E) h^2)` for k eigenvectors, twice (for both signs).

    Args:
        out_channels: Width of the output.
        hidden_channels: Width h of the networks.
        num_layers: Layers of phi.
        phi: ``"gin"`` or ``"deepsets"``.
        network: ``"ours"`` or ``"authors"``; ``preset: authors`` has all their options.
        eigvals: Whether eigenvalues are features beside the entries of their eigenvectors.
        k: Use at most the k lowest eigenvectors; all if absent.
        norm: ``"layer"``, ``"batch"`` or None.
        normalization: Of the Laplacian, where the data has no spectrum. The authors use ``"sym"``;
            the default lets one spectrum serve all encodings.
        directed: Likewise what to do with one-directional edges.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> SignNet(28, hidden_channels=16)(square).shape
        torch.Size([4, 28])
    """

    def __init__(
        self,
        out_channels: int,
        *,
        hidden_channels: int = 64,
        num_layers: int = 4,
        phi: Phi = "gin",
        network: Network = "ours",
        eigvals: bool = True,
        k: int | None = None,
        norm: Norm | None = "layer",
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(None, normalization, directed))
        check_counts(hidden_channels=hidden_channels, num_layers=num_layers)
        check_choice("phi", phi, Phi)
        check_choice("network", network, Network)
        if network == "authors" and phi != "gin":
            raise ValueError(f"network='authors' has a GIN as phi, got phi={phi!r}; leave it out")
        if k is not None:
            check_counts(k=k)
        self.hidden_channels = hidden_channels
        self.num_layers = num_layers
        self.phi_name = phi
        self.k = k
        self.norm = norm
        self.network = network
        self.eigvals = eigvals
        width, features = hidden_channels, 2 if eigvals else 1
        self.phi: RowGIN | EntrySets | DeepGIN
        self.rho: MLP | DeepMLP
        if network == "authors":
            how: Any = {"norm": norm, "norm_last": True}
            layers: Any = {"mlp_layers": 2, "between": norm, "learn_eps": False}
            self.phi = DeepGIN(features, width, width, num_layers, **how, **layers)
            self.rho = DeepMLP(width, width, out_channels, num_layers, **how)
        else:
            kind = RowGIN if phi == "gin" else EntrySets
            self.phi = kind(features, width, num_layers, norm=norm)
            self.rho = MLP(width, width, out_channels, norm=norm)

    def reset_parameters(self) -> None:
        self.phi.reset_parameters()
        self.rho.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        dtype = next(self.parameters()).dtype
        spectra = cut_columns(self.read_spectra(data), self.k)
        edges, weight = neighbours(data.edge_index, data.num_nodes, data.get("edge_weight", None))
        rows = lay_out_rows(spectra.num_nodes, spectra.num_eigvals, edges, weight, dtype)
        v, eigvals = spectra.eigvecs, spectra.eigvals
        if self.network == "ours":
            nodes = spectra.num_nodes.to(edges.device)
            v = v * nodes.repeat_interleave(nodes).sqrt()[rows.node]  # [R]
            # Noise in training may push an eigenvalue a little below zero.
            eigvals = torch.log1p(eigvals.clamp(min=-0.5))
        beside = [eigvals[rows.column]] if self.eigvals else []
        plus, minus = (torch.stack([sign * v, *beside], 1).to(dtype) for sign in (1, -1))
        both = self.phi(plus, rows) + self.phi(minus, rows)  # [R, h]
        summed = both.new_zeros(data.num_nodes, both.size(1)).index_add(0, rows.node, both)
        return self.rho(summed)  # [N, out_channels]

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, "
            f"num_layers={self.num_layers}, phi={self.phi_name!r}, "
            f"network={self.network!r}, eigvals={self.eigvals}, k={self.k}, "
            f"norm={self.norm!r}, spectrum={self.spectrum}"
        )


class EntrySets(nn.Module):
    r"""Deep Sets over the entries of one column.

    .. math:: h_{ic} \leftarrow \operatorname{MLP} \Big( h_{ic}, \frac{1}{n} \sum_j h_{jc} \Big)

    Args:
        in_channels: Width of the input.
        channels: Width h of all layers.
        num_layers: Number of layers.
        norm: Inside each MLP; ``"layer"``, ``"batch"`` or None.

    Shapes:
        - ``[R, in_channels]`` -> ``[R, h]``
    """

    def __init__(
        self, in_channels: int, channels: int, num_layers: int, *, norm: Norm | None
    ) -> None:
        super().__init__()
        self.mlps = make_layers(2 * in_channels, 2 * channels, channels, num_layers, norm=norm)

    def reset_parameters(self) -> None:
        for mlp in self.mlps:
            mlp.reset_parameters()  # type: ignore[operator]

    def forward(self, h: Tensor, rows: Rows) -> Tensor:
        size = torch.bincount(rows.column)  # [C] entries of each column
        size = size.clamp(min=1).unsqueeze(-1).to(h.dtype)  # [C, 1]
        for mlp in self.mlps:
            total = h.new_zeros(len(size), h.size(1)).index_add(0, rows.column, h)
            h = mlp(torch.cat([h, (total / size).index_select(0, rows.column)], 1))
        return h  # [R, h]


def cut_columns(spectra: SpectrumBatch, k: int | None) -> SpectrumBatch:
    """The k lowest eigenpairs of each graph, even if that cuts an eigenspace in two."""
    if k is None or int(spectra.num_eigvals.max()) <= k:
        return spectra
    device = spectra.eigvals.device
    counts = spectra.num_eigvals.to(device)
    per_node = counts.repeat_interleave(spectra.num_nodes.to(device))  # [N]
    last = (counts.cumsum(0) - counts + k).clamp(max=len(spectra.eigvals) - 1)
    return SpectrumBatch(
        spectra.eigvals[ragged_arange(counts) < k],
        spectra.eigvecs[ragged_arange(per_node) < k],
        torch.where(counts > k, spectra.eigvals[last].to(spectra.cutoff), spectra.cutoff),
        spectra.num_nodes,
        spectra.num_eigvals.clamp(max=k),
    )
