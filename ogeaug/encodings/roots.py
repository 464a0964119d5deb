"""Which options go with networks at the roots (:mod:`ogeaug.tensors.roots.network`)."""

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
}
"""Options of :class:`ogeaug.OGEAug` that speak of layers of tensors, and their defaults."""
KERNELS = ("torch", "compiled")
"""Those that mean something without such layers, too."""


def check_roots(roots: int, num_layers: int, reading: Reading) -> None:
    """Refuses numbers of layers that do not go together, and readings without what roots need."""
    if roots != 0:
        check_counts(roots=roots)
    if num_layers != 0 or roots == 0:
        check_counts(num_layers=num_layers)
    if roots and not (reading.eigvals and reading.project):
        raise ValueError(
            "roots read functions of the eigenvalues and need an output map: this reading "
            f"({reading}) lacks one of them; leave roots out"
        )


def check_roots_alone(*options: Any) -> None:
    """Refuses what would be ignored where there are no layers of tensors; ``OF_LAYERS`` has the
    order of the options."""
    given = zip(OF_LAYERS.items(), options, strict=True)
    said = [f"{name}={value!r}" for (name, usual), value in given if value not in (usual, *KERNELS)]
    if said:
        raise ValueError(
            f"{', '.join(said)} would change nothing without layers of tensors (num_layers=0): "
            "leave it out, or take a layer"
        )
