"""GraphModel: embed + encoding + backbone + head."""

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.backbones.convs import WITH_GATES
from ogeaug.backbones.distance_gate import squared_distances
from ogeaug.backbones.gps import GPS
from ogeaug.backbones.message_passing import MessagePassing
from ogeaug.encodings import (
    ENCODINGS,
    about_edges,
    encoding_options,
    find_encoding,
    make_encoding,
)
from ogeaug.encodings.base import Encoding
from ogeaug.errors import UserError
from ogeaug.layers import make_norm
from ogeaug.model.config import BackboneConfig, EncodingConfig, ModelConfig
from ogeaug.model.embed import ColumnEmbedding, Embed
from ogeaug.model.entering import (
    EDGE_BACKBONES,
    GATED_BACKBONES,
    check_gates,
    is_gate,
    level,
    make_injection,
)
from ogeaug.model.option_kinds import check_kinds
from ogeaug.tasks import make_task


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
        self.combine, self.config = combine, config
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
        f, room = config.features, _rest(config, "node")
        edge_room = _rest(config, "edge") if backbone.uses_edges else None
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
        return sum(p.numel() for p in self.parameters() if p.requires_grad)

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
        for encoding, norm, inject in zip(self.encodings, self.norms, self.inject, strict=True):
            z = norm(run_encoding(encoding, data, *embedded))
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


def run_encoding(encoding: nn.Module, data: Data, x: Tensor, edge_attr: Tensor | None) -> Tensor:
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
    with torch.autocast(x.device.type, enabled=False):
        z: Tensor = encoding(data)
    return z


def build_encoding(
    config: EncodingConfig, node_channels: int, edge_channels: int | None = None
) -> Encoding:
    """An encoding by name.

    Args:
        config: Its name, width and options.
        node_channels: Width of the embedded node features.
        edge_channels: Width of the embedded edge features; None if there are none.
    """
    options, known = config.options, encoding_options(config.name)
    unknown = [option for option in options if option not in known]
    if unknown:
        edges = f" ({about_edges(config.name)})" if ENCODINGS.level(config.name) == "edge" else ""
        raise UserError(
            f"encoding {config.name!r} has no option {', '.join(unknown)}; it has "
            f"{', '.join(known) or 'none'}{edges}. In place of another encoding, write it without "
            f"that one's options:  --set 'encodings=[{{name: {config.name}, out_channels: "
            f"{config.out_channels}}}]'"
        )
    check_kinds(config.name, options)
    if config.features:
        if "in_channels" not in known:
            raise UserError(f"encoding {config.name!r} takes no node features; leave features out")
        options |= {"in_channels": node_channels}
        if config.features == "all":
            options |= {"edge_channels": _edge_channels(config.name, known, edge_channels)}
        elif "edge_channels" in options:
            raise UserError(
                f"edge_channels of encoding {config.name!r} is the width of the embedded edge "
                "features; write features: all, and the model fills it in"
            )
    elif "in_channels" in options:
        raise UserError(
            f"in_channels of encoding {config.name!r} is the width of the embedded node features; "
            "write features: true, and the model fills it in"
        )
    try:
        return make_encoding(config.name, config.out_channels, **options)
    except UserError:
        raise
    except ValueError as error:
        raise UserError(f"encoding {config.name!r} with {options}: {error}") from error
    except TypeError as error:
        raise UserError(
            f"encoding {config.name!r} with {options}: a value is of the wrong kind ({error})"
        ) from error


def _edge_channels(name: str, known: tuple[str, ...], width: int | None) -> int:
    if "edge_channels" not in known:
        raise UserError(f"encoding {name!r} takes no edge features; write features: true")
    if width is None:
        raise UserError(
            f"features: all of encoding {name!r} needs a backbone that takes edge features "
            f"({EDGE_BACKBONES}); choose one, or write features: true"
        )
    return width


def build_backbone(config: BackboneConfig, *, gated: bool = False) -> nn.Module:
    """A backbone by name.

    Args:
        config: Its name and options.
        gated: Whether its messages are to be gated by distances.
    """
    conv = config.conv if config.name in ("gps", "transformer") else config.name
    if gated and conv not in WITH_GATES:
        raise UserError(
            f"messages of backbone {config.name} cannot be gated by distances; choose "
            f"{GATED_BACKBONES}"
        )
    shared = {"layers": config.layers, "dropout": config.dropout, "norm": config.norm}
    shared |= {"gated": gated, "plain": config.gatedgcn == "plain"}
    if config.name in ("gps", "transformer"):
        return GPS(
            config.channels,
            conv=config.conv,
            heads=config.heads,
            attention_dropout=config.attention_dropout,
            **shared,  # type: ignore[arg-type]
        )
    return MessagePassing(
        config.channels,
        conv=config.name,
        heads=config.heads,
        residual=config.residual,
        **shared,  # type: ignore[arg-type]
    )


def _rest(config: ModelConfig, what: str) -> int:
    """How wide the embedding of nodes or edges may be beside the encodings."""
    width = config.backbone.channels
    kinds = [(e, find_encoding(e.name)) for e in config.encodings]
    taken = [e.out_channels for e, kind in kinds if kind.level == what and not kind.gates]
    if config.combine == "add":
        if any(channels != width for channels in taken):
            raise UserError(
                f"to add {what} encodings their out_channels ({taken}) must be the backbone's "
                f"channels ({width}); or use combine: concat"
            )
        return width
    if sum(taken) >= width:
        raise UserError(
            f"{what} encodings of {sum(taken)} channels in all leave no room in a backbone of "
            f"{width} channels; make backbone.channels larger or out_channels smaller"
        )
    return width - sum(taken)
