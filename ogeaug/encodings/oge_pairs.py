"""OGEPairs: what the tensors of OGE-Aug tell of the two ends of an edge."""

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.encodings.base import Encoding, read_graph
from ogeaug.encodings.eigvals import FREQUENCIES, wave_features
from ogeaug.graph.edges import Directed
from ogeaug.graph.laplacian import Normalization
from ogeaug.layers import make_norm
from ogeaug.spectrum.smoothing import fade, make_smoothing
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch


class OGEPairs(Encoding):
    r"""Invariants of pairs of nodes, as features of edges.

    The first tensors of OGE-Aug, :math:`W^{(1)}_{ik} = s_k v_{ik} e(\lambda_k)`, have an invariant
    of each pair of nodes besides those of each node: their inner product over the eigenpairs. For
    waves :math:`\varphi_m(\lambda) = \cos(\omega_m \log(1 + \lambda))` as e
    (:class:`~ogeaug.encodings.eigvals.EigvalEncoder`) and an edge (i, j) they are

    .. math:: F^m_{ij} = \sum_k s_k^2 \, \varphi_m(\lambda_k) \, v_{ik} v_{jk}, \qquad
        z_{ij} = Q \operatorname{norm} \big( F_{ij}, F_{ii} + F_{jj} \big) + b

    so each channel is a learned filter :math:`f(L)_{ij}` of the Laplacian, and of the distance
    :math:`f(L)_{ii} + f(L)_{jj} - 2 f(L)_{ij}`. The paper has nothing of its own on
    edges: on CLUSTER it joins EquivStableLapPE. This is for the same purpose, with the properties
    that OGE-Aug has on nodes. Use it beside OGE-Aug, or alone.

    Symmetries: those of OGE-Aug. Permutation-equivariant, invariant to signs and bases, continuous
    where eigenvalues meet or cross the cutoff, and the same for (i, j) and (j, i).

    Cost: :math:`O(E K)` per graph and wave, nothing to learn before the batch norm.

    Args:
        out_channels: Width c of the output.
        delta: Eigenvalues this close to the cutoff of a truncated spectrum are faded out.
        k: Eigenpairs to keep where the data has no spectrum; see :class:`AddSpectrum`.
        normalization: Likewise the Laplacian's normalisation.
        directed: Likewise what to do with one-directional edges.

    Shapes:
        - ``Data`` or ``Batch`` with E edges -> ``[E, out_channels]``

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> OGEPairs(12)(square).shape
        torch.Size([4, 12])
    """

    level: ClassVar[Literal["node", "edge"]] = "edge"

    def __init__(
        self,
        out_channels: int,
        *,
        delta: float = 0.05,
        k: int | None = None,
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(k, normalization, directed))
        self.smoothing = make_smoothing("cosine", delta)
        self.norm = make_norm("batch", 2 * FREQUENCIES)
        self.linear = nn.Linear(2 * FREQUENCIES, out_channels)

    def reset_parameters(self) -> None:
        self.norm.reset_parameters()  # type: ignore[operator]
        self.linear.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        spectra, (edge_index, _, _) = self.read_spectra(data), read_graph(data)
        found = self.invariants(spectra, edge_index)  # [E, 32]
        return self.linear(self.norm(found.to(self.linear.weight.dtype)))  # [E, c]

    def invariants(self, spectra: SpectrumBatch, edge_index: Tensor) -> Tensor:
        """What is known of each edge before anything is learned: ``[E, 32]`` in float64."""
        device = edge_index.device
        first = torch.cat([spectra.num_nodes.new_zeros(1), spectra.num_nodes.cumsum(0)])
        graph = torch.bucketize(edge_index, first[1:].to(device), right=True)  # [2, E]
        if bool((graph[0] != graph[1]).any()):
            raise ValueError("edge_index joins nodes of two graphs of the batch")
        order = graph[0].argsort(stable=True)
        counts = torch.bincount(graph[0], minlength=len(spectra)).tolist()
        parts = []
        for at, (spectrum, edges) in enumerate(zip(spectra, order.split(counts), strict=True)):
            i, j = edge_index[:, edges] - first[at].item()
            v, waves = spectrum.eigvecs, self._waves(spectrum.eigvals, spectrum.cutoff)
            diagonal = v.square() @ waves  # [n, 16]
            pairs = (v[i] * v[j]) @ waves  # [E of the graph, 16]
            parts.append(torch.cat([pairs, diagonal[i] + diagonal[j]], 1))
        return torch.cat(parts)[order.argsort()]

    def _waves(self, eigvals: Tensor, cutoff: float) -> Tensor:
        """Waves of the eigenvalues, faded out towards the cutoff: ``[K, 16]``."""
        s = fade(eigvals, torch.full_like(eigvals, cutoff), self.smoothing)
        return s.square().unsqueeze(1) * wave_features(eigvals)

    def extra_repr(self) -> str:
        return f"{self.out_channels}, smoothing={self.smoothing}, spectrum={self.spectrum}"
