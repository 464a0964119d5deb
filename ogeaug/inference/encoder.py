"""What makes features of a text: the encodings of a trained model, or one with random weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.encodings import about_edges, make_encoding
from ogeaug.errors import UserError
from ogeaug.model.config import FeaturesConfig
from ogeaug.model.entering import is_gate, level
from ogeaug.model.file import load_model
from ogeaug.model.graph_model import GraphModel, run_encoding


@dataclass(frozen=True, eq=False)
class Encoder:
    """How texts become features.

    Attributes:
        features: What the texts are.
        module: Graph -> ``[num_nodes, channels]``.
        encodings: What it is made of.
        pooling: ``none``, ``sum`` or ``mean``.
        max_atoms: Larger graphs are not computed.
    """

    features: FeaturesConfig
    module: nn.Module
    encodings: Sequence[nn.Module]
    pooling: str
    max_atoms: int

    @property
    def channels(self) -> int:
        """Width of the features."""
        return sum(part.out_channels for part in self.encodings)  # type: ignore[misc]


def trained_encoder(model_path: str | Path, pooling: str, max_atoms: int) -> Encoder:
    """The node encodings of a model."""
    model = load_model(model_path)
    assert model.config is not None
    if not any(_joins_nodes(e) for e in model.encodings):
        why = [
            f"{e.name} gates messages, and joins no features"
            if is_gate(module)
            else about_edges(e.name)
            for e, module in zip(model.config.encodings, model.encodings, strict=True)
        ]
        raise UserError("; ".join([f"the model in {model_path} has no encoding of nodes", *why]))
    joined = _Joined(model)
    return Encoder(model.config.features, joined, list(joined.encodings), pooling, max_atoms)


def random_encoder(
    encoding: str, out_channels: int, seed: int, *, graph6: bool, pooling: str, max_atoms: int
) -> Encoder:
    """An encoding by name, fitted to nothing."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        module = make_encoding(encoding, out_channels).eval()
    features = FeaturesConfig(kind="graph6" if graph6 else "ogb")
    return Encoder(features, module, [module], pooling, max_atoms)


def _joins_nodes(encoding: nn.Module) -> bool:
    return level(encoding) == "node" and not is_gate(encoding)


class _Joined(nn.Module):
    """The node encodings of a model side by side, as its backbone sees them."""

    def __init__(self, model: GraphModel) -> None:
        super().__init__()
        self.embed = model.embed
        kept = [i for i, encoding in enumerate(model.encodings) if _joins_nodes(encoding)]
        self.encodings = nn.ModuleList(model.encodings[i] for i in kept)
        self.norms = nn.ModuleList(model.norms[i] for i in kept)
        self.eval()

    def forward(self, data: Data) -> Tensor:
        embedded = self.embed(data)
        parts = zip(self.encodings, self.norms, strict=True)
        return torch.cat(
            [norm(run_encoding(encoding, data, *embedded)) for encoding, norm in parts], 1
        )
