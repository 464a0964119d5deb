"""Encodings, one per file, one contract: ``encoding(data) -> [num_nodes, out_channels]``.

This file names them and loads none: names are checked before torch is loaded, which takes seconds.
"""

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ogeaug.encodings.names import ENCODINGS, KNOWN, load
from ogeaug.errors import UserError
from ogeaug.presets import find_preset

if TYPE_CHECKING:
    from ogeaug.encodings.base import Encoding
    from ogeaug.encodings.basisnet import BasisNet
    from ogeaug.encodings.edge_rwse import EdgeRWSE
    from ogeaug.encodings.es_lap_pe import ESLapPE
    from ogeaug.encodings.general import GeneralOGEAug
    from ogeaug.encodings.hodge1_lap import Hodge1Lap
    from ogeaug.encodings.lap_pe import LapPE
    from ogeaug.encodings.latent import LatentOGEAug
    from ogeaug.encodings.none import NoEncoding
    from ogeaug.encodings.oge_aug import OGEAug
    from ogeaug.encodings.oge_pairs import OGEPairs
    from ogeaug.encodings.peg import PEG
    from ogeaug.encodings.rwse import RWSE
    from ogeaug.encodings.signnet import SignNet
    from ogeaug.encodings.spe import SPE
    from ogeaug.encodings.structure import Structure
    from ogeaug.encodings.vanilla import VanillaOGEAug

__all__ = [
    "ENCODINGS",
    "PEG",
    "RWSE",
    "SPE",
    "BasisNet",
    "ESLapPE",
    "EdgeRWSE",
    "Encoding",
    "GeneralOGEAug",
    "Hodge1Lap",
    "LapPE",
    "LatentOGEAug",
    "NoEncoding",
    "OGEAug",
    "OGEPairs",
    "SignNet",
    "Structure",
    "VanillaOGEAug",
    "about_edges",
    "encoding_options",
    "find_encoding",
    "make_encoding",
    "needs_features",
]


def about_edges(name: str) -> str:
    """What an encoding of edges is, for messages and tables.

    Example:
        >>> about_edges("edge_rwse")
        'edge_rwse is an encoding of edges: it joins the edge features, not those of nodes'
    """
    return f"{name} is an encoding of edges: it joins the edge features, not those of nodes"


def find_encoding(name: str) -> "type[Encoding]":
    """The class of an encoding."""
    ENCODINGS.check(name)
    return ENCODINGS[name]


def encoding_options(name: str) -> tuple[str, ...]:
    """The options of an encoding, besides ``out_channels``.

    Example:
        >>> encoding_options("rwse")
        ('hidden_channels', 'steps', 'network', 'norm', 'directed')
    """
    return tuple(inspect.signature(find_encoding(name)).parameters)[1:]


def check_options(
    name: str, options: Iterable[str], *, besides: Iterable[str] = (), fix: str = ""
) -> None:
    """Refuses options that an encoding has not.

    Args:
        name: Of the encoding.
        options: Their names.
        besides: Further names that are allowed.
        fix: What the message ends with.

    Example:
        >>> check_options("none", ["k"])
        Traceback (most recent call last):
        ogeaug.errors.UserError: encoding 'none' has no option k; it has none
    """
    known = encoding_options(name)
    unknown = [option for option in options if option not in (*known, *besides)]
    if unknown:
        edges = f" ({about_edges(name)})" if ENCODINGS.level(name) == "edge" else ""
        raise UserError(
            f"encoding {name!r} has no option {', '.join(unknown)}; it has "
            f"{', '.join(known) or 'none'}{edges}{fix}"
        )


def needs_features(name: str) -> bool:
    """Whether an encoding cannot be without node features.

    Example:
        >>> needs_features("latent"), needs_features("oge_aug")
        (True, False)
    """
    option = inspect.signature(find_encoding(name)).parameters.get("in_channels")
    return option is not None and option.default is option.empty


def make_encoding(
    name: str, out_channels: int, *, preset: str | None = None, **options: Any
) -> "Encoding":
    """An encoding from its name.

    Args:
        name: A key of :data:`ENCODINGS`.
        out_channels: Width of the output.
        preset: ``"authors"`` or ``"ours"``: see :mod:`ogeaug.presets`.
        options: Of the class; they go before those of the preset.

    Example:
        >>> make_encoding("rwse", 28, steps=8).steps
        8
        >>> sum(p.numel() for p in make_encoding("rwse", 28, preset="authors").parameters())
        628
    """
    if preset is not None:
        options = {**find_preset(name, preset).options, **options}
    check_options(name, options)
    if needs_features(name) and options.get("in_channels") is None:
        raise UserError(
            f"encoding {name!r} needs in_channels, the width of node features; in a model's "
            "configuration write features: true, and the model fills it in"
        )
    make: Any = ENCODINGS[name]
    encoding: Encoding = make(out_channels, **options)
    return encoding


def __getattr__(name: str) -> Any:
    homes = {known.kind: file for file, known in KNOWN.items()} | {"Encoding": "base"}
    if name in homes:
        return load(homes[name], name)
    raise AttributeError(f"module 'ogeaug.encodings' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
