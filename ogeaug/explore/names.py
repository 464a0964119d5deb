"""Encodings by the names that people know them by."""

TITLES = {
    "oge_aug": "OGE-Aug",
    "general": "definition",
    "vanilla": "Vanilla",
    "spe": "SPE",
    "basisnet": "BasisNet",
    "signnet": "SignNet",
    "peg": "PEG",
    "lap_pe": "LapPE",
    "rwse": "RWSE",
}
"""In the order of the page."""
SHAKEN = ("oge_aug", "spe", "signnet", "lap_pe", "vanilla")
"""Those that are shaken side by side."""
