"""OGE-Aug with weights that were learned before: computed once for a graph, like a random walk."""

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import torch
from torch import Tensor, nn
from torch_geometric.data import Batch, Data
from torch_geometric.transforms import BaseTransform

from ogeaug.encodings.base import Encoding, read_graph
from ogeaug.encodings.network_file import Network, build_network, load_network
from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.errors import UserError
from ogeaug.graph.batch import check_tensors
from ogeaug.layers import make_norm
from ogeaug.transforms.base import Addition
from ogeaug.walks.stored import is_stored, read_stored, store

KEY = "oge_pretrained"


class PretrainedOGEAug(Encoding):
    r"""A linear map of what a fixed OGE-Aug gives.

    .. math:: z_i = Q \operatorname{norm}(u_i) + b, \qquad u = \operatorname{OGEAug}(G)

    The network inside has learned from graphs alone, without a label, to tell how walks come back,
    which rings a node lies on and how many nodes are how far away
    (:func:`ogeaug.walks.structure.structure_numbers`). It stays as it is: only the norm, Q and b
    learn. So u is computed once for each graph (``data.oge_pretrained``), and a training step costs
    what it costs with :class:`~ogeaug.encodings.RWSE`. An OGE-Aug with random weights begins
    nearly blind, and learns all this again on each data set.

    ``source="molecules"`` comes with the package: 64 channels, 4 layers, 64 features, the 40 lowest
    eigenpairs; learned from the graphs of RDKit's 5,000 NCI molecules (docs/train.md). For other
    graphs, ``ogeaug pretrain`` makes a network of your own.

    Symmetries: those of :class:`~ogeaug.encodings.OGEAug`, whatever the weights. Node features,
    edge features and noise on the Laplacian do not enter.

    Args:
        out_channels: Width of the output.
        source: Name of a network that comes with the package, or a file of ``ogeaug pretrain``; or
            a mapping that describes one with random weights, as a control, like ``{"out_channels":
            64, "hidden_channels": 64, "num_layers": 4, "readout": "every", "message_norm": "sym",
            "k": 40}`` (:func:`ogeaug.encodings.network_file.build_network`). The folder of a model
            has such a mapping and all weights, so it needs no other file.
        norm: Of the network's features; ``"batch"`` or None.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> PretrainedOGEAug(28)(square).shape
        torch.Size([4, 28])
    """

    def __init__(
        self,
        out_channels: int,
        *,
        source: str | Path | Mapping[str, Any] = "molecules",
        norm: Literal["batch"] | None = "batch",
    ) -> None:
        network, description = _find(source)
        super().__init__(out_channels, network.spectrum)
        if norm not in ("batch", None):
            raise ValueError(f"norm of the features is 'batch' or none, got {norm!r}")
        self.description = description
        self.network = network.requires_grad_(False)
        self.norm = nn.Identity() if norm is None else make_norm(norm, network.out_channels)
        self.linear = nn.Linear(network.out_channels, out_channels)
        self._numbered: tuple[list[int], int] = [], 0

    def reset_parameters(self) -> None:
        """Of what learns."""
        if not isinstance(self.norm, nn.Identity):
            self.norm.reset_parameters()  # type: ignore[operator]
        self.linear.reset_parameters()

    def train(self, mode: bool = True) -> Self:
        super().train(mode)
        self.network.eval()  # its norms keep what they have seen
        return self

    def forward(self, data: Data) -> Tensor:
        read_graph(data)
        width = self.network.out_channels
        features = read_stored(
            data, KEY, data.num_nodes, width, "AddPretrained", made_by=self._number()
        )
        if features is None:
            features = run_network(self.network, data)  # [N, F]
        return self.linear(self.norm(features.to(self.linear.weight)))  # [N, out_channels]

    def transforms(self) -> list[BaseTransform]:
        return [AddPretrained(Network(self.network, self.description))]

    def kept_options(self) -> dict[str, Any]:
        return {"source": self.description}

    def extra_repr(self) -> str:
        return f"{self.out_channels}"

    def _number(self) -> int:
        """The network's, taken anew where its weights were changed or loaded."""
        versions = [p._version for p in self.network.parameters()]
        if versions != self._numbered[0]:
            self._numbered = versions, Network(self.network, self.description).number()
        return self._numbered[1]


class AddPretrained(Addition):
    """Adds what a fixed network gives: ``data.oge_pretrained [n, F]``.

    Args:
        source: Name of a network that comes with the package, a file of ``ogeaug pretrain``, or a
            network that was loaded.

    Example:
        >>> data = Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
        >>> AddPretrained()(data).oge_pretrained.shape
        torch.Size([3, 64])
    """

    stores = (KEY,)

    def __init__(self, source: str | Path | Network = "molecules") -> None:
        found = source if isinstance(source, Network) else load_network(source)
        self.network, self.number = found.network, found.number()

    def forward(self, data: Data) -> Data:
        check_tensors(data)
        store(data, KEY, run_network(self.network, data), self.number)
        return data

    def serving(self, other: Addition) -> Self | None:
        assert isinstance(other, AddPretrained)
        return self if self.number == other.number else None

    def is_on(self, data: Data) -> bool:
        return is_stored(data, KEY, self.number)

    def add_to_graphs(self, graphs: Sequence[Data]) -> list[Data]:
        if len({"edge_weight" in data for data in graphs}) != 1:  # not one batch, or none
            return super().add_to_graphs(graphs)
        whole = Batch.from_data_list([_structure(data) for data in graphs])
        sizes = [data.num_nodes for data in graphs]
        out = [copy.copy(data) for data in graphs]
        for data, z in zip(out, run_network(self.network, whole).split(sizes), strict=True):
            store(data, KEY, z.clone(), self.number)  # a part of the whole would keep all of it
        return out

    def add_to_batch(self, batch: Batch) -> None:
        store(batch, KEY, run_network(self.network, batch), self.number)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(network={self.number:x})"


@torch.no_grad()
def run_network(network: OGEAug, data: Data) -> Tensor:
    """What the network gives in eval mode, on the device of the graph: ``[N, F]``.

    From the structure alone: a spectrum on the data is another encoding's.
    """
    here, there = data.edge_index.device, network.weight.device
    found: Tensor = network.eval()(_structure(data).to(there)).to(here)
    if not found.isfinite().all():
        raise UserError(
            "the network of oge_pretrained gives NaN or infinity; make it anew by  ogeaug pretrain "
            " (or the weights of edges are extreme)"
        )
    return found


def _find(source: str | Path | Mapping[str, Any]) -> Network:
    if isinstance(source, str | Path):
        return load_network(source)
    if not isinstance(source, Mapping):
        raise TypeError(f"source must be a name, a file or a mapping, got {source!r}")
    return Network(build_network(source), dict(source))


def _structure(data: Data) -> Data:
    """Edges, nodes and weights alone, and which graph of a batch they belong to."""
    kept = {key: data[key] for key in ("edge_weight", "batch", "ptr") if key in data}
    return Data(edge_index=data.edge_index, num_nodes=data.num_nodes, **kept)
