"""Encodings, one per file, one contract: ``encoding(data) -> [num_nodes, out_channels]``."""

import inspect
from typing import Any

from ogeaug.encoding_names import check_encoding_name
from ogeaug.encodings.base import Encoding
from ogeaug.encodings.basisnet import BasisNet
from ogeaug.encodings.edge_rwse import EdgeRWSE
from ogeaug.encodings.general import GeneralOGEAug
from ogeaug.encodings.hodge1_lap import Hodge1Lap
from ogeaug.encodings.lap_pe import LapPE
from ogeaug.encodings.none import NoEncoding
from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.encodings.peg import PEG
from ogeaug.encodings.rwse import RWSE
from ogeaug.encodings.signnet import SignNet
from ogeaug.encodings.spe import SPE
from ogeaug.encodings.vanilla import VanillaOGEAug
from ogeaug.errors import UserError

ENCODINGS: dict[str, type[Encoding]] = {
    "oge_aug": OGEAug,
    "general": GeneralOGEAug,
    "vanilla": VanillaOGEAug,
    "spe": SPE,
    "basisnet": BasisNet,
    "signnet": SignNet,
    "peg": PEG,
    "lap_pe": LapPE,
    "rwse": RWSE,
    "edge_rwse": EdgeRWSE,
    "hodge1_lap": Hodge1Lap,
    "none": NoEncoding,
}
"""Names of the encodings in configuration files."""


def find_encoding(name: str) -> type[Encoding]:
    """The class of an encoding."""
    check_encoding_name(name)
    return ENCODINGS[name]


def encoding_options(name: str) -> tuple[str, ...]:
    """The options of an encoding, besides ``out_channels``.

    Example:
        >>> encoding_options("rwse")
        ('hidden_channels', 'steps', 'directed')
    """
    return tuple(inspect.signature(find_encoding(name)).parameters)[1:]


def make_encoding(name: str, out_channels: int, **options: Any) -> Encoding:
    """An encoding from its name.

    Args:
        name: A key of :data:`ENCODINGS`.
        out_channels: Width of the output.
        options: Of the class.

    Example:
        >>> make_encoding("rwse", 28, steps=8).steps
        8
    """
    known = encoding_options(name)
    unknown = [option for option in options if option not in known]
    if unknown:
        raise UserError(
            f"encoding {name!r} has no option {', '.join(unknown)}; "
            f"it has {', '.join(known) or 'none'}"
        )
    make: Any = ENCODINGS[name]
    encoding: Encoding = make(out_channels, **options)
    return encoding
