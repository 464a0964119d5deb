"""PyG transforms that store what encodings need."""

from typing import TYPE_CHECKING

from ogeaug.lazy import lazy_names

if TYPE_CHECKING:
    from ogeaug.transforms.add_hodge import AddHodge as AddHodge
    from ogeaug.transforms.add_random_walk import AddRandomWalk as AddRandomWalk
    from ogeaug.transforms.add_spectrum import AddSpectrum as AddSpectrum
    from ogeaug.transforms.add_structure import AddStructure as AddStructure

__all__ = [
    "AddHodge",
    "AddRandomWalk",
    "AddSpectrum",
    "AddStructure",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "AddHodge": "add_hodge",
        "AddRandomWalk": "add_random_walk",
        "AddSpectrum": "add_spectrum",
        "AddStructure": "add_structure",
    },
)
