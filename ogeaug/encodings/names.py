"""Which encodings there are, and what is known of each before its file is loaded."""

import importlib
from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ogeaug.errors import UserError

if TYPE_CHECKING:
    from ogeaug.encodings.base import Encoding

Level = Literal["node", "edge"]


class Known(NamedTuple):
    """What is known of an encoding before its file, of the same name, is loaded.

    Attributes:
        kind: The class in it.
        level: Of the class.
        spectral: Whether it uses eigenvectors of the Laplacian.
    """

    kind: str
    level: Level = "node"
    spectral: bool = True


KNOWN = {
    "oge_aug": Known("OGEAug"),
    "oge_pairs": Known("OGEPairs", "edge"),
    "general": Known("GeneralOGEAug"),
    "vanilla": Known("VanillaOGEAug"),
    "latent": Known("LatentOGEAug"),
    "spe": Known("SPE"),
    "basisnet": Known("BasisNet"),
    "signnet": Known("SignNet"),
    "peg": Known("PEG"),
    "lap_pe": Known("LapPE"),
    "es_lap_pe": Known("ESLapPE"),
    "rwse": Known("RWSE", spectral=False),
    "structure": Known("Structure", spectral=False),
    "edge_rwse": Known("EdgeRWSE", "edge", spectral=False),
    "hodge1_lap": Known("Hodge1Lap", "edge", spectral=False),
    "none": Known("NoEncoding", spectral=False),
}


class Encodings(MutableMapping[str, "type[Encoding]"]):
    """Names -> classes, each loaded when it is asked for. Yours can be among them.

    Example:
        >>> ENCODINGS["rwse"].__name__, ENCODINGS.level("edge_rwse")
        ('RWSE', 'edge')
    """

    def __init__(self) -> None:
        self._found: dict[str, Known | type[Encoding]] = dict(KNOWN)

    def __getitem__(self, name: str) -> "type[Encoding]":
        found = self._found[name]
        return load(name, found.kind) if isinstance(found, Known) else found

    def __setitem__(self, name: str, kind: "type[Encoding]") -> None:
        self._found[name] = kind

    def __delitem__(self, name: str) -> None:
        del self._found[name]

    def __contains__(self, name: object) -> bool:  # a mapping's own would load the class
        return name in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def level(self, name: str) -> Level:
        """Whether an encoding describes nodes or edges; nothing is loaded."""
        found = self._found[name]
        return found.level if isinstance(found, Known) else getattr(found, "level", "node")

    def spectral(self, name: str) -> bool:
        """Whether an encoding uses eigenvectors of the Laplacian; nothing is loaded."""
        found = self._found.get(name)  # an unknown name is refused later, by `check`
        return found.spectral if isinstance(found, Known) else True

    def check(self, name: str) -> None:
        """Refuses an unknown name; nothing is loaded."""
        if name not in self._found:
            raise UserError(f"unknown encoding {name!r}; choose from {', '.join(self._found)}")


ENCODINGS = Encodings()
"""Names of the encodings in configuration files. ``ENCODINGS["mine"] = MyEncoding`` adds one."""


def load(module: str, kind: str) -> Any:
    """The class of an encoding."""
    return getattr(importlib.import_module(f"ogeaug.encodings.{module}"), kind)
