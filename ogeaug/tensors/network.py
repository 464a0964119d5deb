"""What a path knows of a tensor network: settings, layers, graphs, first tensors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor, nn

from ogeaug.graph.edges import neighbours
from ogeaug.spectrum.smoothing import Smoothing
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.rows.message import normalize_messages


class Network(Protocol):
    """Pairs of product and message layers, and how they are meant; see :class:`ogeaug.OGEAug`.

    Attributes:
        weight: A parameter ``[..., h]``: tells width, precision and device.
        products, messages: The layers, in turn.
    """

    order: int
    transposes: bool
    kernel: str
    norm: str
    message_norm: str | None
    smoothing: Smoothing
    products: nn.ModuleList
    messages: nn.ModuleList

    @property
    def weight(self) -> Tensor: ...


@dataclass(frozen=True, eq=False)
class Graphs:
    """The graphs of a batch.

    Attributes:
        spectra: Their eigenpairs.
        edge_index: ``[2, E]`` int64.
        edge_weight: ``[E]``, or None.
        undirected: Whether these are all edges in both directions, once each, without loops.
    """

    spectra: SpectrumBatch
    edge_index: Tensor
    edge_weight: Tensor | None
    undirected: bool = False

    @property
    def num_nodes(self) -> int:
        return int(self.spectra.num_nodes.sum())

    def message_edges(self, norm: str | None) -> tuple[Tensor, Tensor | None]:
        """The undirected edges ``[2, E']`` and their weights ``[E']``, normalised if asked for."""
        edges, weight = self.edge_index, self.edge_weight
        if not self.undirected:
            edges, weight = neighbours(edges, self.num_nodes, weight)
        if norm is not None:
            weight = normalize_messages(edges[0], edges[1], weight, self.num_nodes)
        return edges, weight


@dataclass(frozen=True, eq=False)
class First:
    """What the tensors before the first layer are made of.

    Attributes:
        w0: ``[N, h]``.
        eigvecs: ``[sum n K]``.
        scale: ``[sum K]`` what eigenvectors are multiplied by.
        e: ``[sum K, h]`` the channels of W1.
        q: ``[h]`` each, the channels of W2 and W3, as far as there are such.
    """

    w0: Tensor
    eigvecs: Tensor
    scale: Tensor
    e: Tensor
    q: tuple[Tensor, ...]


Run = Callable[[First], Sequence[Tensor]]
"""From the first tensors to the scalars W0 after each pair of layers, ``[N, h]`` each."""


class Path(Protocol):
    """A way to compute the network. A new one is a folder beside these and a line in ``PATHS``."""

    def prepare(self, network: Network, graphs: Graphs) -> Run | None:
        """Lays out a batch; None if this path does not do such a network or such graphs.

        Where the user insists on it (``network.kernel``), it says why it cannot.
        """


def run_pairs(network: Network, w: Any, layout: Any) -> list[Tensor]:
    """The layers in turn, by PyTorch: the scalars after each pair."""
    seen = []
    for product, message in zip(network.products, network.messages, strict=True):
        w = product(w, layout)
        w = message(w, layout)  # the tensors before the product are free by now
        seen.append(w.w0)
    return seen
