"""PEG: message passing weighed by distances between eigenvector rows."""

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.checks import check_counts
from ogeaug.encodings.base import Encoding, node_features
from ogeaug.graph.edges import Directed, neighbours
from ogeaug.graph.laplacian import Normalization
from ogeaug.layers import MLP, Norm, make_norm
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.spectrum.truncate import truncate
from ogeaug.tensors.node_rows import lay_out_rows


class PEG(Encoding):
    r"""PEG (Wang, Yin, Zhang, Li: "Equivariant and stable positional encoding for more powerful
    graph neural networks", ICLR 2022).

    .. math:: x_u \leftarrow x_u + \operatorname{norm}\Big( \operatorname{SiLU} \Big( Q \sum_v
        \hat A_{uv} \, \sigma(\xi(\|z_u - z_v\|^2)) \, x_v + b \Big) \Big), \qquad
        \hat A = \tilde D^{-1/2} (A + I) \tilde D^{-1/2}

    The rows :math:`z_u` of the k lowest eigenvectors enter only by their distances along edges,
    which an MLP :math:`\xi` (of each layer) and a sigmoid turn into weights of the messages; they
    stay the same in all layers. The start is a linear map of ``data.x`` or a learned constant.

    Compared with the paper: it writes :math:`\xi(\|z_u - z_v\|)`; the square and the sigmoid are
    those of the authors' code (and of GraphGPS; a root would turn rounding errors of 1e-16 into
    1e-8). The residual connection and the normalisation are additions, for depth; the latter comes
    last, as a layer norm of the sum itself would take away its size, which is all that a constant
    :math:`x` and distances can give. The constant
    first eigenvector of a connected graph adds nothing to a distance, so k counts one more than
    authors who leave it out; eigenspaces are used as a whole or not at all, so that the choice of
    the cut keeps the symmetry. GraphGPS first maps :math:`z` by a learned matrix, which breaks the
    invariance that the paper is about: not so here.

    Symmetries: permutation-equivariant, invariant to every orthogonal map of the k eigenvectors:
    to signs and changes of basis. Continuous where eigenvalues cross, but not where they cross at
    the cut. Expressive only through distances of neighbours; with all n eigenvectors all distances
    are equal, so k must be less.

    Cost: :math:`O(E k + (n h + E) h)` per layer.

    Args:
        out_channels: Width of the output.
        in_channels: Width of ``data.x``; if absent, ``data.x`` is not used.
        hidden_channels: Width h of the layers.
        num_layers: Number of layers.
        k: Use at most the k lowest eigenpairs, whole eigenspaces only.
        norm: ``"layer"`` or ``"batch"``.
        normalization: Of the Laplacian, where the data has no spectrum.
        directed: Likewise what to do with one-directional edges.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> PEG(28, hidden_channels=16, k=3)(square).shape
        torch.Size([4, 28])
    """

    def __init__(
        self,
        out_channels: int,
        *,
        in_channels: int | None = None,
        hidden_channels: int = 64,
        num_layers: int = 4,
        k: int = 8,
        norm: Norm = "layer",
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(None, normalization, directed))
        check_counts(k=k, num_layers=num_layers, hidden_channels=hidden_channels)
        if in_channels is not None:
            check_counts(in_channels=in_channels)
        self.in_channels = in_channels
        self.hidden_channels = hidden_channels
        self.num_layers = num_layers
        self.k = k
        self.norm = norm
        if in_channels is None:
            self.constant = nn.Parameter(torch.empty(hidden_channels))
        else:
            self.linear = nn.Linear(in_channels, hidden_channels)
        each = range(num_layers)
        self.xi = nn.ModuleList(MLP(1, hidden_channels, 1) for _ in each)
        self.mix = nn.ModuleList(nn.Linear(hidden_channels, hidden_channels) for _ in each)
        self.norms = nn.ModuleList(make_norm(norm, hidden_channels) for _ in each)
        self.out = nn.Linear(hidden_channels, out_channels)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        if self.in_channels is None:
            nn.init.normal_(self.constant)
        else:
            self.linear.reset_parameters()
        for part in (*self.xi, *self.mix, *self.norms, self.out):
            part.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        dtype = self.out.weight.dtype
        source, target, strength, distance = self.read_edges(data)
        x = node_features(data, self.in_channels, dtype)
        x = self.constant.expand(data.num_nodes, -1) if x is None else self.linear(x)  # [N, h]
        for xi, mix, norm in zip(self.xi, self.mix, self.norms, strict=True):
            gate = strength * torch.sigmoid(xi(distance))  # [E, 1]
            sent = x.index_select(0, source) * gate  # [E, h]
            total = torch.zeros_like(x).index_add(0, target, sent)
            x = x + norm(nn.functional.silu(mix(total)))
        return self.out(x)  # [N, out_channels]

    def read_edges(self, data: Data) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Edges and loops: source, target ``[E]``, strength and squared distance ``[E, 1]``."""
        dtype, n = self.out.weight.dtype, data.num_nodes
        spectra = truncate(self.read_spectra(data), self.k)
        edges, weight = neighbours(data.edge_index, n, data.get("edge_weight", None))
        if weight is None:
            weight = torch.ones(edges.size(1), device=edges.device)
        distance = edge_distances(spectra, edges)  # [E]
        loops = torch.arange(n, device=edges.device)
        source, target = torch.cat([edges[0], loops]), torch.cat([edges[1], loops])
        weight = torch.cat([weight.to(distance.dtype), distance.new_ones(n)])
        degree = weight.new_zeros(n).index_add(0, target, weight)
        if (degree <= 0).any():
            raise ValueError("PEG needs positive degrees; use non-negative edge weights")
        strength = weight * torch.rsqrt(degree[source] * degree[target])
        distance = torch.cat([distance, distance.new_zeros(n)])
        return source, target, strength.to(dtype).unsqueeze(-1), distance.to(dtype).unsqueeze(-1)

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, in_channels={self.in_channels}, "
            f"hidden_channels={self.hidden_channels}, num_layers={self.num_layers}, "
            f"k={self.k}, norm={self.norm!r}, spectrum={self.spectrum}"
        )


def edge_distances(spectra: SpectrumBatch, edge_index: Tensor) -> Tensor:
    r"""How far apart the rows of the eigenvectors lie at the two ends of each edge, squared.

    .. math:: d_{uv} = \|z_u - z_v\|^2, \qquad z_u = (v_1(u), \dots, v_K(u))

    Invariant to signs and to a change of basis inside an eigenspace, as long as the spectra hold
    whole eigenspaces (:func:`~ogeaug.spectrum.truncate.truncate`). A loop has distance 0.

    Args:
        spectra: Of the batch, cut to the eigenpairs that are to count.
        edge_index: Any pairs of nodes of one graph, numbered through the batch.

    Shapes:
        - B spectra, edge_index ``[2, E]`` -> ``[E]``, in the precision of the spectra
    """
    eigvecs = spectra.eigvecs
    rows = lay_out_rows(spectra.num_nodes, spectra.num_eigvals, edge_index, None, eigvecs.dtype)
    apart = (eigvecs[rows.source] - eigvecs[rows.target]).square()  # [M]
    return apart.new_zeros(edge_index.size(1)).index_add(0, rows.edge, apart)
