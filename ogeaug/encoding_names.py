"""Names of the encodings, apart from the encodings themselves, which need torch."""

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


def check_encoding_name(name: str) -> None:
    """Refuses an unknown name: also before torch is loaded, which takes seconds."""
    if name not in ENCODING_NAMES:
        raise UserError(f"unknown encoding {name!r}; choose from {', '.join(ENCODING_NAMES)}")
