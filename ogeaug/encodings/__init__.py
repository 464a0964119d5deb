"""Encodings, one a file, one contract: ``encoding(data) -> [num_nodes, out_channels]``."""

from ogeaug.encodings.base import Encoding
from ogeaug.encodings.general import GeneralOGEAug
from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.encodings.vanilla import VanillaOGEAug

ENCODINGS: dict[str, type[Encoding]] = {
    "oge_aug": OGEAug,
    "general": GeneralOGEAug,
    "vanilla": VanillaOGEAug,
}
"""Names of the encodings in configuration files."""
