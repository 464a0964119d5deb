"""Which options go with networks at the roots (:mod:`ogeaug.tensors.roots.network`)."""

from numbers import Integral
from typing import Any

from ogeaug.checks import check_counts
from ogeaug.encodings.reading import Reading

OF_LAYERS = {
    "in_channels": None,
    "order": 2,
    "transposes": False,
    "norm": "layer",
    "readout": "last",
    "message_norm": None,
    "kernel": "auto",
    "reading": Reading(),
}
"""Options of :class:`ogeaug.OGEAug` that speak of layers of tensors, and their defaults."""
KERNELS = ("torch", "compiled")
"""Those that mean something without such layers, too."""


def check_roots(roots: int, num_layers: int, reading: Reading) -> None:
    """Refuses numbers of layers that do not go together, and readings without what roots need."""
    if not _is_zero(roots):
        check_counts(roots=roots)
    if not _is_zero(num_layers) or roots == 0:
        check_counts(num_layers=num_layers)
    if roots and not (reading.eigvals and reading.project):
        raise ValueError(
            "roots read functions of the eigenvalues and need an output map: this reading "
            f"({reading}) lacks one of them; leave roots out"
        )


def check_roots_alone(*options: Any) -> None:
    """Refuses what would be ignored where there are no layers of tensors; ``OF_LAYERS`` has the
    order of the options."""
    said = [
        f"{name}={value!r}"
        for (name, usual), value in zip(OF_LAYERS.items(), options, strict=True)
        if value != usual and not (name == "kernel" and value in KERNELS)
    ]
    if said:
        raise ValueError(
            f"{', '.join(said)} would change nothing without layers of tensors (num_layers=0): "
            "leave it out, or take a layer"
        )


def _is_zero(count: object) -> bool:
    """Whether a number of layers is none, and not false or 0.0."""
    return isinstance(count, Integral) and not isinstance(count, bool) and count == 0
