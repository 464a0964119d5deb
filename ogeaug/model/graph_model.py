"""GraphModel: embed + encoding + backbone + head."""

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.backbone_names import EDGE_BACKBONES
from ogeaug.backbones.distance_gate import squared_distances
from ogeaug.encodings import find_encoding
from ogeaug.errors import UserError
from ogeaug.layers import make_norm
from ogeaug.model.build import build_backbone, build_encoding, room_beside_encodings
from ogeaug.model.config import ModelConfig
from ogeaug.model.embed import ColumnEmbedding, Embed
from ogeaug.model.entering import check_gates, is_gate, level, make_injection
from ogeaug.tasks import make_task

STORED = "stored_encoding_{}"
"""Where a graph carries what an encoding gives, by the number of the encoding."""


class GraphModel(nn.Module):
    r"""Predicts from graphs, in the units of the targets, as float64 (classification: logits).

    .. math:: \hat y = \operatorname{head}(\operatorname{backbone}(
        [\operatorname{embed}(x), \operatorname{encoding}(G)], e))

    Args:
        embed: Node and edge features -> vectors.
        encoding: None, one encoding or several. One with ``level = "edge"`` joins the edges; one
            with ``in_channels`` sees the embedded node features, of which there must be so many.
            One with ``gates`` joins nothing: the backbone gates messages by distances between it.
        backbone: (x, edge_index, edge_attr, batch) -> node vectors.
        head: Node vectors -> predictions.
        combine: ``"concat"`` or ``"add"`` encodings and embedding.
        standardize: For each encoding, whether its output goes through a batch norm.
        inject: For each encoding, ``"first"`` or ``"every"`` layer; see
            :class:`~ogeaug.backbones.injection.Injection`.
        config: What the model was built from; needed only to save it.

    Attributes:
        stored: Whether graphs carry what the encodings give (:data:`STORED`), which are then not
            computed: for training with frozen encodings. A saved model does not know of it.

    Shapes:
        - a batch of B graphs, N nodes -> ``[B, targets]``; node classification ``[N, classes]``;
          link ranking ``[N, channels]``, vectors whose dot products are scores

    Example:
        >>> config = ModelConfig.model_validate({
        ...     "features": {"kind": "own"},
        ...     "encodings": [{"name": "oge_aug", "out_channels": 8, "hidden_channels": 8}],
        ...     "backbone": {"name": "gin", "layers": 2, "channels": 16}})
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> GraphModel.from_config(config).eval()(square).shape
        torch.Size([1, 1])
    """

    def __init__(
        self,
        embed: nn.Module,
        encoding: nn.Module | Sequence[nn.Module] | None,
        backbone: nn.Module,
        head: nn.Module,
        *,
        combine: str = "concat",
        standardize: Sequence[bool] | None = None,
        inject: Sequence[str] | None = None,
        config: ModelConfig | None = None,
    ) -> None:
        super().__init__()
        if combine not in ("concat", "add"):
            raise ValueError(f"combine must be 'concat' or 'add', got {combine!r}")
        if encoding is None or isinstance(encoding, nn.Module):
            encoding = [] if encoding is None else [encoding]
        self.embed, self.backbone, self.head = embed, backbone, head
        self.encodings = nn.ModuleList(encoding)
        self.combine, self.config, self.stored = combine, config, False
        wanted = [False] * len(self.encodings) if standardize is None else standardize
        self.norms = nn.ModuleList(
            make_norm("batch", e.out_channels) if norm else nn.Identity()  # type: ignore[arg-type]
            for e, norm in zip(self.encodings, wanted, strict=True)
        )
        if any(level(e) == "edge" for e in self.encodings) and not backbone.uses_edges:
            raise UserError(
                f"an encoding of edges needs a backbone that takes edge features ({EDGE_BACKBONES})"
            )
        check_gates(self.encodings, backbone)
        self.inject = tuple(inject or ("first",) * len(self.encodings))
        self.injection = make_injection(encoding, self.inject, backbone)

    @classmethod
    def from_config(cls, config: ModelConfig) -> Self:
        """Builds a model with random weights."""
        gated = any(find_encoding(encoding.name).gates for encoding in config.encodings)
        backbone = build_backbone(config.backbone, gated=gated)
        f, room = config.features, room_beside_encodings(config, "node")
        edge_room = room_beside_encodings(config, "edge") if backbone.uses_edges else None
        encodings = [build_encoding(encoding, room, edge_room) for encoding in config.encodings]
        embed = Embed(
            ColumnEmbedding(room, sizes=f.node_sizes, in_channels=f.node_channels),
            None
            if edge_room is None
            else ColumnEmbedding(edge_room, sizes=f.edge_sizes, in_channels=f.edge_channels),
        )
        head = make_task(config.task).make_head(config.backbone.channels, config.head)
        return cls(
            embed,
            encodings,
            backbone,
            head,
            combine=config.combine,
            standardize=[e.standardize for e in config.encodings],
            inject=[e.inject for e in config.encodings],
            config=config,
        )

    @classmethod
    def from_pretrained(cls, path: str | Path) -> "GraphModel":
        """Loads a model from a folder; the same as :func:`ogeaug.load_model`."""
        from ogeaug.model.file import load_model

        return load_model(path)

    def save_pretrained(self, path: str | Path) -> None:
        """Writes config.json and model.safetensors into a folder."""
        from ogeaug.model.file import save_model

        save_model(self, path)

    @property
    def num_parameters(self) -> int:
        return sum(p.numel() for p in self.parameters())

    def forward(self, data: Data) -> Tensor:
        x, batch = self.node_vectors(data)
        return self.head(x, data, batch)

    def node_vectors(self, data: Data) -> tuple[Tensor, Tensor]:
        """What the head is given: vectors of the nodes, and the graph of each.

        Shapes:
            - ``Data`` or ``Batch`` with N nodes -> ``[N, channels]``, ``[N]``
        """
        x, edge_attr = self.embed(data)
        embedded = x, edge_attr
        batch = data.get("batch", None)
        if batch is None:
            batch = data.edge_index.new_zeros(data.num_nodes)
        extra: dict[str, Any] = {}
        again: dict[str, list[Tensor]] = {"node": [], "edge": []}
        each = zip(self.encodings, self.norms, self.inject, strict=True)
        for number, (encoding, norm, inject) in enumerate(each):
            given = data[STORED.format(number)] if self.stored else None
            z = norm(run_encoding(encoding, data, *embedded) if given is None else given)
            if is_gate(encoding):
                extra["distance"] = squared_distances(z, data.edge_index).to(x.dtype)  # [E, 1]
                continue
            if level(encoding) == "edge":
                edge_attr = self._join(edge_attr, z)  # [E, h]
            else:
                x = self._join(x, z)  # [N, h]
            if inject == "every":
                again[level(encoding)].append(z.to(x.dtype))
        if self.injection is not None:
            both = (torch.cat(found, 1) if found else None for found in again.values())
            extra["before"] = self.injection(*both)
        return self.backbone(x, data.edge_index, edge_attr, batch, **extra), batch

    def _join(self, x: Tensor, z: Tensor) -> Tensor:
        return torch.cat([x, z.to(x.dtype)], 1) if self.combine == "concat" else x + z

    def extra_repr(self) -> str:
        return f"combine={self.combine!r}"


def run_encoding(
    encoding: nn.Module, data: Data, x: Tensor | None, edge_attr: Tensor | None
) -> Tensor:
    """The encoding of a graph; one with ``in_channels`` starts from the embedded node features,
    one with ``edge_channels`` from those of edges.

    Shapes:
        - N nodes, E edges, x ``[N, h]``, edge_attr ``[E, e]`` -> ``[N, out_channels]`` or
          ``[E, out_channels]``
    """
    if getattr(encoding, "in_channels", None) is not None:
        data = copy.copy(data)
        data.x = x
        if getattr(encoding, "edge_channels", None) is not None:
            data.edge_attr = edge_attr
    # Encodings keep full precision: eigenvalue gaps do not survive 8 bits.
    with torch.autocast(data.edge_index.device.type, enabled=False):
        z: Tensor = encoding(data)
    return z
