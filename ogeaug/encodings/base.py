"""What all encodings share: where the spectra and the neighbours of a batch come from."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import torch
from torch import Tensor, nn
from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from ogeaug.checks import check_counts
from ogeaug.graph.batch import check_tensors, graph_sizes
from ogeaug.graph.edges import plain_edges
from ogeaug.spectrum.pyg import read_spectra
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.transforms.add_spectrum import AddSpectrum


class Encoding(nn.Module):
    """Turns a graph or a batch of graphs into features of its nodes, or of its edges.

    Args:
        out_channels: Width of the features.
        spectrum: How to compute spectra that are not on the data.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``; where ``level`` is
          ``"edge"``, with E edges -> ``[E, out_channels]`` in the order of ``data.edge_index``
    """

    level: ClassVar[Literal["node", "edge"]] = "node"
    gates: ClassVar[bool] = False  # positions of nodes: a model gates messages by their distances
    learns_laplacian: ClassVar[bool] = False  # then it has a ``disturbance`` for training to set

    def __init__(self, out_channels: int, spectrum: SpectrumOptions) -> None:
        super().__init__()
        check_counts(out_channels=out_channels)
        self.out_channels = out_channels
        self.spectrum = spectrum

    def forward(self, data: Data) -> Tensor:
        raise NotImplementedError

    @classmethod
    def options_from_data(cls, options: dict[str, Any], graphs: Sequence[Data]) -> dict[str, Any]:
        """Options of the constructor, with those filled in that depend on the training graphs."""
        return options

    def transforms(self) -> list[BaseTransform]:
        """What adds to a graph all that the encoding would else compute at each call.

        Training, prediction and encoding apply it once for all encodings
        (:func:`ogeaug.transforms.needed.needed`). By default it is the spectrum.
        """
        options = self.spectrum
        return [AddSpectrum(options.k, options.normalization, directed=options.directed)]

    def read_spectra(self, data: Data) -> SpectrumBatch:
        """The spectra on the data, or computed now; exact ones in eval mode."""
        return read_spectra(data, self.spectrum, training=self.training)


def read_graph(data: Data) -> tuple[Tensor, Tensor, Tensor | None]:
    """Edges ``[2, E]``, nodes of each graph ``[B]`` and edge weights ``[E]`` of a batch."""
    check_tensors(data)
    return plain_edges(data.edge_index), graph_sizes(data), data.get("edge_weight", None)


def node_features(data: Data, in_channels: int | None, dtype: torch.dtype) -> Tensor | None:
    """``data.x``, checked; None if the encoding does not use it.

    Shapes:
        - N nodes -> ``[N, in_channels]``
    """
    if in_channels is None:
        return None
    x = data.x
    if x is None:
        raise ValueError(f"in_channels={in_channels}, but the data has no x")
    if x.dim() != 2 or x.size(1) != in_channels or x.size(0) != data.num_nodes:
        raise ValueError(f"data.x must be [{data.num_nodes}, {in_channels}], got {list(x.shape)}")
    if not x.is_floating_point():
        raise TypeError(f"data.x holds {x.dtype}; embed categories first, or use data.x.float()")
    return x.to(dtype)
