"""Encodings and backbones of a model from their configurations."""

from torch import nn

from ogeaug.backbone_names import EDGE_BACKBONES, GATED_BACKBONES, WITH_GATES
from ogeaug.backbones.gps import GPS
from ogeaug.backbones.message_passing import MessagePassing
from ogeaug.encodings import (
    check_options,
    encoding_options,
    find_encoding,
    make_encoding,
)
from ogeaug.encodings.base import Encoding
from ogeaug.errors import UserError
from ogeaug.model.backbone_config import BackboneConfig
from ogeaug.model.config import EncodingConfig, ModelConfig
from ogeaug.model.option_kinds import check_kinds


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
    fix = (
        ". In place of another encoding, write it without that one's options:  --set "
        f"'encodings=[{{name: {config.name}, out_channels: {config.out_channels}}}]'"
    )
    check_options(config.name, options, fix=fix)
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


def room_beside_encodings(config: ModelConfig, what: str) -> int:
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
