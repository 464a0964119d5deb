"""Encodings, one a file, one contract: ``encoding(data) -> [num_nodes, out_channels]``."""

from ogeaug.encodings.base import Encoding
from ogeaug.encodings.oge_aug import OGEAug

ENCODINGS: dict[str, type[Encoding]] = {"oge_aug": OGEAug}
"""Names of the encodings in configuration files."""
