"""OGE-Aug with weights that were learned before: computed once for a graph, like a random walk."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import torch
from torch import Tensor, nn
from torch_geometric.data import Batch, Data
from torch_geometric.transforms import BaseTransform

from ogeaug.encodings.base import Encoding, read_graph
from ogeaug.encodings.network_file import Network, build_network, load_network
from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.graph.batch import check_tensors
from ogeaug.layers import make_norm
from ogeaug.transforms.base import Addition
from ogeaug.walks.stored import read_stored, store

KEY = "oge_pretrained"


class PretrainedOGEAug(Encoding):
    r"""A linear map of what a fixed OGE-Aug gives.

    .. math:: z_i = Q \operatorname{norm}(u_i) + b, \qquad u = \operatorname{OGEAug}(G)

    The network inside has learned from graphs alone, without a label, to tell how walks come back,
    which rings a node lies on and how many nodes are how far away
    (:func:`ogeaug.data.structure.structure_targets`). It stays as it is: only the norm, Q and b
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
            a mapping that describes one with random weights, as a control, like
            ``{"out_channels": 64, "hidden_channels": 64, "k": 40}``
            (:func:`ogeaug.encodings.network_file.build_network`). The folder of a model has such a
            mapping and all weights, so it needs no other file.
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
        source: str | Mapping[str, Any] = "molecules",
        norm: Literal["batch"] | None = "batch",
    ) -> None:
        network, description = _find(source)
        super().__init__(out_channels, network.spectrum)
        if norm not in ("batch", None):
            raise ValueError(f"norm of the features is 'batch' or none, got {norm!r}")
        self.source, self.description = source, description
        self.network = network.requires_grad_(False)
        self.norm = nn.Identity() if norm is None else make_norm(norm, network.out_channels)
        self.linear = nn.Linear(network.out_channels, out_channels)

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
        features = read_stored(data, KEY, data.num_nodes, width, "AddPretrained")
        if features is None:
            features = run_network(self.network, data)  # [N, F]
        features = features.to(self.linear.weight)
        if len(features) == 0:  # a batch norm refuses an empty batch
            return self.linear(features)
        return self.linear(self.norm(features))  # [N, out_channels]

    def transforms(self) -> list[BaseTransform]:
        return [AddPretrained(self.source, self.network)]

    def kept_options(self) -> dict[str, Any]:
        return {"source": self.description}

    def extra_repr(self) -> str:
        return f"{self.out_channels}, source={self.source!r}"


class AddPretrained(Addition):
    """Adds what a fixed network gives: ``data.oge_pretrained [n, F]``.

    Args:
        source: As in :class:`PretrainedOGEAug`.
        network: What was loaded from there; if absent, it is loaded.

    Example:
        >>> data = Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
        >>> AddPretrained()(data).oge_pretrained.shape
        torch.Size([3, 64])
    """

    stores = (KEY,)

    def __init__(
        self, source: str | Mapping[str, Any] = "molecules", network: OGEAug | None = None
    ) -> None:
        self.source = source
        self.network = _find(source).network if network is None else network

    def forward(self, data: Data) -> Data:
        check_tensors(data)
        store(data, KEY, run_network(self.network, data))
        return data

    def serving(self, other: Addition) -> Self | None:
        assert isinstance(other, AddPretrained)
        mine, theirs = self.network.state_dict(), other.network.state_dict()
        same = mine.keys() == theirs.keys() and all(torch.equal(mine[n], theirs[n]) for n in mine)
        return self if same else None

    def add_to_graphs(self, graphs: Sequence[Data]) -> list[Data]:
        bare = [_structure(data) for data in graphs]
        if len({"edge_weight" in data for data in bare}) != 1:  # not one batch, or none
            return super().add_to_graphs(graphs)
        sizes = [data.num_nodes for data in bare]
        found = run_network(self.network, Batch.from_data_list(bare)).split(sizes)
        out = [copy.copy(data) for data in graphs]
        for data, z in zip(out, found, strict=True):
            store(data, KEY, z.clone())  # a part of the whole would keep all of it
        return out

    def add_to_batch(self, batch: Batch) -> None:
        store(batch, KEY, run_network(self.network, batch))

    def __repr__(self) -> str:
        weights = torch.cat([p.detach().flatten().double() for p in self.network.parameters()])
        return f"{type(self).__name__}(source={self.source!r}, weights={float(weights.norm())!r})"


@torch.no_grad()
def run_network(network: OGEAug, data: Data) -> Tensor:
    """What the network gives in eval mode, on the device of the graph: ``[N, F]``."""
    here, there = data.edge_index.device, network.weight.device
    if here != there:
        data = copy.copy(data).to(there)
    return network.eval()(data).to(here)


def _find(source: str | Mapping[str, Any]) -> Network:
    if isinstance(source, str):
        return load_network(source)
    if not isinstance(source, Mapping):
        raise TypeError(f"source must be a name, a file or a mapping, got {source!r}")
    return Network(build_network(source), dict(source))


def _structure(data: Data) -> Data:
    """Edges, nodes and weights alone."""
    weight = data.get("edge_weight", None)
    weighted = {} if weight is None else {"edge_weight": weight}
    return Data(edge_index=data.edge_index, num_nodes=data.num_nodes, **weighted)
