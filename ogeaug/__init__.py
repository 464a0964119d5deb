"""Stable, expressive node features from Laplacian eigenvectors."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ogeaug.encodings.general import GeneralOGEAug
    from ogeaug.encodings.latent import LatentOGEAug
    from ogeaug.encodings.oge_aug import OGEAug
    from ogeaug.encodings.oge_pairs import OGEPairs
    from ogeaug.encodings.vanilla import VanillaOGEAug
    from ogeaug.model.file import load_model
    from ogeaug.model.graph_model import GraphModel
    from ogeaug.spectrum.solve import compute_spectrum
    from ogeaug.spectrum.spectra import Spectrum
    from ogeaug.transforms.add_spectrum import AddSpectrum

__version__ = "0.1.0"

__all__ = [
    "AddSpectrum",
    "GeneralOGEAug",
    "GraphModel",
    "LatentOGEAug",
    "OGEAug",
    "OGEPairs",
    "Spectrum",
    "VanillaOGEAug",
    "compute_spectrum",
    "load_model",
]

# Loaded at first use: importing torch takes seconds, and `ogeaug --help` must not wait for it.
_HOME = {
    "AddSpectrum": "ogeaug.transforms.add_spectrum",
    "GraphModel": "ogeaug.model.graph_model",
    "GeneralOGEAug": "ogeaug.encodings.general",
    "LatentOGEAug": "ogeaug.encodings.latent",
    "OGEAug": "ogeaug.encodings.oge_aug",
    "OGEPairs": "ogeaug.encodings.oge_pairs",
    "VanillaOGEAug": "ogeaug.encodings.vanilla",
    "Spectrum": "ogeaug.spectrum.spectra",
    "compute_spectrum": "ogeaug.spectrum.solve",
    "load_model": "ogeaug.model.file",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'ogeaug' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
