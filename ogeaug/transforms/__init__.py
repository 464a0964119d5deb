"""PyG transforms that store what encodings need."""

from ogeaug.transforms.add_hodge import AddHodge
from ogeaug.transforms.add_random_walk import AddRandomWalk
from ogeaug.transforms.add_spectrum import AddSpectrum

__all__ = ["AddHodge", "AddRandomWalk", "AddSpectrum"]
