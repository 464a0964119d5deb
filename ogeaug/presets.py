"""Options of encodings as their authors have them; torch is not loaded here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from ogeaug.errors import UserError

PresetName = Literal["authors", "ours"]
PRESET_NAMES: tuple[PresetName, ...] = get_args(PresetName)


NOISY = ("oge_aug", "general")
"""Encodings whose authors train with noise on the Laplacian; the others train without, as theirs.
Vanilla OGE-Aug and BasisNet could not: noise parts every eigenspace, so that their networks for
multiplicities of 2 and more would be used in evaluation without ever having been trained."""


@dataclass(frozen=True)
class Preset:
    """Options of an encoding that belong together.

    Attributes:
        source: Where they are from.
        out_channels: The width of the output there; None if it is for the user to say.
        options: Of the constructor; all others keep their defaults.
        inject: Whether their models take the encoding in at the ``first`` layer or at ``every``
            one; a model does it, not the encoding.
    """

    source: str
    out_channels: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    inject: Literal["first", "every"] = "first"


AUTHORS: dict[str, Preset] = {
    "oge_aug": Preset(
        "the paper's table of settings, ZINC without attention",
        28,
        {"hidden_channels": 64, "num_layers": 4, "delta": 0.05},
    ),
    "spe": Preset(
        "Graph-COM/SPE, configs/zinc/SPE_gine_gin_mlp_pe37.yaml",
        37,
        {
            "network": "authors",
            "hidden_channels": 128,
            "num_layers": 8,
            "eigval_channels": 16,
            "norm": "batch",  # by zinc/trainer.py of today; none by that of the first version
            "normalization": "sym",
        },
        inject="every",  # src/model.py adds it to the input, src/gine.py in each layer again
    ),
    "signnet": Preset(
        "cptq/SignNet-BasisNet, GraphPrediction/configs/gatedgcn/"
        "GatedGCN_ZINC_LapPE_signinv_GIN_mask.json",
        37,
        {
            "network": "authors",
            "hidden_channels": 67,
            "num_layers": 8,
            "eigvals": False,
            "norm": "batch",
            "normalization": "sym",
        },
    ),
    "basisnet": Preset(
        "Graph-COM/SPE, configs/zinc/basisNet_gine_pe37.yaml",
        37,
        {
            "network": "authors",
            "hidden_channels": 108,
            "num_layers": 8,
            "max_multiplicity": 5,
            "tolerance": 1e-5,
            "norm": "batch",
            "k": 37,
            "normalization": "sym",
        },
    ),
    "lap_pe": Preset(
        "rampasek/GraphGPS, configs/GPS/zinc-GPS.yaml",
        8,
        {"network": "deepset", "k": 8},
    ),
    "es_lap_pe": Preset(
        "rampasek/GraphGPS, configs/GPS/zinc-GPS-ESLapPE.yaml",
        64,
        # That file says laplacian_norm: none, but posenc_stats.py reads the key of LapPE: sym.
        {"k": 8, "normalization": "sym"},
    ),
    "rwse": Preset(
        "rampasek/GraphGPS, configs/GPS/zinc-GPS+RWSE.yaml",
        28,
        {"network": "linear", "steps": 20},
    ),
    "edge_rwse": Preset(
        "zhouc20/HodgeRandomWalk, configs/GPS/zinc-GINE+RWSE+EdgeRWSE_undirected.yaml",
        28,
        {"network": "linear", "norm": None, "steps": 20, "walk": "uniform"},
    ),
    "hodge1_lap": Preset(
        "zhouc20/HodgeRandomWalk, configs/GPS/zinc-GINE+RWSE+HodgeLap1PE_projlow.yaml",
        28,
        {"network": "parts", "norm": None, "k": 10},
    ),
}
"""By encoding: the authors' settings for ZINC, read from the files that they published."""

OURS = Preset("the defaults of the class")


def find_preset(name: str, preset: str) -> Preset:
    """The options of a preset.

    Args:
        name: Of the encoding.
        preset: ``"authors"`` or ``"ours"`` (the defaults).

    Example:
        >>> find_preset("rwse", "authors").options
        {'network': 'linear', 'steps': 20}
    """
    if preset not in PRESET_NAMES:
        raise UserError(f"unknown preset {preset!r}; choose from {', '.join(PRESET_NAMES)}")
    if name not in AUTHORS:
        raise UserError(
            f"encoding {name!r} has no presets; those that have are {', '.join(AUTHORS)}. Leave "
            "preset out, and write its options"
        )
    return AUTHORS[name] if preset == "authors" else OURS
