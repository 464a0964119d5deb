"""Names of the encodings, apart from the encodings themselves, which need torch."""

import sys

from ogeaug.errors import UserError

ENCODING_NAMES = (
    "oge_aug",
    "general",
    "vanilla",
    "spe",
    "basisnet",
    "signnet",
    "peg",
    "lap_pe",
    "rwse",
    "edge_rwse",
    "hodge1_lap",
    "none",
)
"""The keys of :data:`ogeaug.encodings.ENCODINGS`."""
EDGE_ENCODINGS = ("edge_rwse", "hodge1_lap")
"""Those with ``level = "edge"``."""
EDGE_BACKBONES = "gine, gat, gatedgcn, or gps with one of them"
"""Those that take edge features."""


def about_edges(name: str) -> str:
    """What an encoding of edges is, for messages and tables.

    Example:
        >>> about_edges("edge_rwse")
        'edge_rwse is an encoding of edges: it joins the edge features, not those of nodes'
    """
    return f"{name} is an encoding of edges: it joins the edge features, not those of nodes"


def check_encoding_name(name: str) -> None:
    """Refuses an unknown name: also before torch is loaded, which takes seconds."""
    encodings = sys.modules.get("ogeaug.encodings")  # once loaded, it may have a user's own, too
    names = ENCODING_NAMES if encodings is None else tuple(encodings.ENCODINGS)
    if name not in names:
        raise UserError(f"unknown encoding {name!r}; choose from {', '.join(names)}")
