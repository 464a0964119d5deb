"""OGE-Aug on a learned Laplacian."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from ogeaug.checks import check_counts
from ogeaug.encodings.base import Encoding, read_graph
from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.graph.adjacencies import count_components
from ogeaug.graph.edges import neighbours, plain_edges
from ogeaug.pointclouds.base import mlp, reset_parts
from ogeaug.spectrum.learned import learned_spectra
from ogeaug.spectrum.pyg import check_batch
from ogeaug.spectrum.solve import Disturbance, SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.network import Graphs


class LatentOGEAug(Encoding):
    r"""OGE-Aug on a Laplacian whose edge weights are learned from node and edge features.

    .. math::
        w_{ij} = \operatorname{softplus} \operatorname{MLP} \big( x_i + x_j, (x_i - x_j)^2,
            \tfrac12 (a_{ij} + a_{ji}) \big), \qquad L = D_w - A_w

    The weights are positive and symmetric. Gradients flow through the eigendecomposition of L, and
    are right at repeated eigenvalues too (:mod:`ogeaug.spectrum.differentiable`): the network is
    evaluated at two points beside L for the gradient, and at L for the value. Spectra stored on
    the data are of another matrix and not used; ``data.edge_weight`` multiplies the weights.
    ``disturbance`` (noise and permutation, which training sets) is applied to L in training mode.
    Cost: three evaluations of OGE-Aug when gradients are needed, one else.

    Args:
        out_channels: Width of the output.
        in_channels: Width of ``data.x``.
        edge_channels: Width of ``data.edge_attr``; if absent, it is not used.
        hidden_channels: See :class:`OGEAug`.
        num_layers: Likewise.
        delta: Likewise.
        order: 2 or 3, with transposes.
        k: Eigenpairs of the learned Laplacian to keep; all if absent.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> edges = torch.tensor([[0, 1, 2, 1, 2, 3], [1, 2, 3, 0, 1, 2]])
        >>> path = Data(x=torch.randn(4, 3), edge_index=edges)
        >>> LatentOGEAug(8, in_channels=3, hidden_channels=8)(path).shape
        torch.Size([4, 8])
    """

    learns_laplacian: ClassVar[bool] = True
    disturbance: Disturbance

    def __init__(
        self,
        out_channels: int,
        *,
        in_channels: int,
        edge_channels: int | None = None,
        hidden_channels: int = 64,
        num_layers: int = 4,
        delta: float = 0.05,
        order: int = 2,
        k: int | None = None,
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(k))
        check_counts(in_channels=in_channels, hidden_channels=hidden_channels)
        if edge_channels is not None:
            check_counts(edge_channels=edge_channels)
        self.in_channels, self.edge_channels = in_channels, edge_channels
        self.disturbance = Disturbance()
        self.weigh = nn.Sequential(
            mlp(2 * in_channels + (edge_channels or 0), hidden_channels),
            nn.SiLU(),
            nn.Linear(hidden_channels, 1),
        )
        self.inner = OGEAug(
            out_channels,
            in_channels=in_channels,
            hidden_channels=hidden_channels,
            num_layers=num_layers,
            delta=delta,
            order=order,
            transposes=True,
        )

    def reset_parameters(self) -> None:
        reset_parts(self)
        self.inner.reset_parameters()  # its own parameters are in no part

    def forward(self, data: Data) -> Tensor:
        x, edges = self._read(data)
        exact, *beside = self._spectra(data, edges)
        if not torch.is_grad_enabled():
            return self._encode(x, exact, edges)
        with torch.no_grad():
            value = self._encode(x, exact, edges)
        slope = (self._encode(x, beside[0], edges) + self._encode(x, beside[1], edges)) / 2
        return value + (slope - slope.detach())

    @torch.no_grad()
    def spectra(self, data: Data) -> SpectrumBatch:
        """The spectra of the learned Laplacians."""
        return self._spectra(data, self._read(data)[1])[0]

    def _read(self, data: Data) -> "tuple[Tensor, _Edges]":
        x = self.inner._features(data)
        assert x is not None  # in_channels is given
        check_batch(data, read_graph(data)[1])
        return x, _Edges(*self._edges(data, x))

    def _spectra(self, data: Data, edges: "_Edges") -> tuple[SpectrumBatch, ...]:
        """At L, and on both sides of it, with gradients."""
        sizes = read_graph(data)[1].tolist()
        disturbance = self.disturbance if self.training else Disturbance()
        ks = self._wanted(data, sizes, disturbance)
        exact, beside = learned_spectra(edges.laplacians(sizes), ks, disturbance)
        return exact, *beside

    def _wanted(self, data: Data, sizes: list[int], disturbance: Disturbance) -> list[int | None]:
        """k of each graph, or more where noise hides a null space, which is to be kept whole."""
        k = self.spectrum.k
        if k is None or not disturbance.noise:
            return [k] * len(sizes)
        parts = count_components(data.edge_index, sizes, data.get("edge_weight"))
        return [max(k, count) for count in parts]

    def transforms(self) -> list[BaseTransform]:
        return []  # the Laplacian is another one after each step

    def edge_weights(self, data: Data) -> Tensor:
        """The learned weight of each of ``data``'s edges: ``[E]``, positive and symmetric."""
        x = self.inner._features(data)
        assert x is not None
        i, j = plain_edges(data.edge_index)
        parts = [x[i] + x[j], (x[i] - x[j]).square()]
        if self.edge_channels is not None:
            parts.append(self._edge_features(data).to(x.dtype))
        weight = nn.functional.softplus(self.weigh(torch.cat(parts, -1))).squeeze(-1)  # [E]
        return weight if data.get("edge_weight") is None else weight * data.edge_weight.to(x.dtype)

    def _edge_features(self, data: Data) -> Tensor:
        attr = data.get("edge_attr")
        expected = [data.edge_index.size(1), self.edge_channels]
        if attr is None or list(attr.shape) != expected:
            found = "no edge_attr" if attr is None else f"edge_attr {list(attr.shape)}"
            raise ValueError(f"edge_channels={self.edge_channels} needs {expected}, got {found}")
        return attr

    def _edges(self, data: Data, x: Tensor) -> tuple[Tensor, Tensor]:
        edge_index, weight = neighbours(data.edge_index, len(x), self.edge_weights(data))
        assert weight is not None  # it was given
        return edge_index, weight

    def _encode(self, x: Tensor, spectra: SpectrumBatch, edges: "_Edges") -> Tensor:
        graphs = Graphs(spectra, edges.edge_index, edges.weight, undirected=True)
        return self.inner.encode(x, graphs)

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, in_channels={self.in_channels}, "
            f"edge_channels={self.edge_channels}, k={self.spectrum.k}"
        )


@dataclass(frozen=True, eq=False)
class _Edges:
    """Weighted undirected edges of a batch."""

    edge_index: Tensor
    weight: Tensor

    def laplacians(self, sizes: list[int]) -> list[Tensor]:
        """The dense Laplacian of each graph, in float64."""
        matrices, start = [], 0
        source, target = self.edge_index
        for n in sizes:
            own = (source >= start) & (source < start + n)
            i, j, w = source[own] - start, target[own] - start, self.weight[own].double()
            adjacency = w.new_zeros(n, n).index_put((i, j), w, accumulate=True)
            matrices.append(torch.diag(adjacency.sum(1)) - adjacency)
            start += n
        return matrices
