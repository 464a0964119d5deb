"""What is asked of a spectrum: which matrix, how much of it, disturbed or not."""

from dataclasses import dataclass

from ogeaug.checks import check_choice, check_counts
from ogeaug.graph.edges import LARGEST_WEIGHT, Directed
from ogeaug.graph.laplacian import Normalization


@dataclass(frozen=True)
class SpectrumOptions:
    """Which matrix to decompose and how much of its spectrum to keep; see compute_spectrum."""

    k: int | None = None
    normalization: Normalization | None = None
    directed: Directed = "symmetrize"

    def __post_init__(self) -> None:
        if self.k is not None:
            check_counts(k=self.k)  # NumPy's whole numbers, too
            object.__setattr__(self, "k", int(self.k))
        if self.normalization is not None:
            check_choice("normalization (if not None)", self.normalization, Normalization)
        check_choice("directed", self.directed, Directed)


@dataclass(frozen=True)
class Disturbance:
    """What is done to a Laplacian in training; see compute_spectrum."""

    noise: float = 0.0
    permute: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.noise <= LARGEST_WEIGHT:
            raise ValueError(
                f"noise is a variance and must be at least 0 (and at most {LARGEST_WEIGHT:g}), got "
                f"{self.noise}"
            )

    def __bool__(self) -> bool:
        return self.noise > 0 or self.permute
