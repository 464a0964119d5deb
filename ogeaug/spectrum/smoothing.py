r"""Smoothing functions rho: how far two eigenvalues may lie apart and still see each other.

Each is 1 at 0, falls to 0 at :math:`\delta` and stays there, and states its Lipschitz constant,
which enters the stability bound.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Smoothing:
    r"""A function of the distance between eigenvalues with support :math:`[0, \delta)`.

    Args:
        delta: Where it reaches zero.
    """

    delta: float

    def __post_init__(self) -> None:
        if not (self.delta > 0 and math.isfinite(self.delta)):
            raise ValueError(f"delta must be positive and finite, got {self.delta}")

    @property
    def lipschitz(self) -> float:
        """The smallest Lipschitz constant."""
        raise NotImplementedError

    def __call__(self, distance: Tensor) -> Tensor:
        raise NotImplementedError


class Cosine(Smoothing):
    r"""The paper's choice.

    .. math:: \rho(x) = \tfrac12 \big(1 + \cos(\pi x / \delta)\big), \quad
        \text{Lipschitz constant } \pi / (2 \delta)

    Example:
        >>> Cosine(0.5)(torch.tensor([0.0, 0.25, 0.5, 9.0]))
        tensor([1.0000, 0.5000, 0.0000, 0.0000])
    """

    @property
    def lipschitz(self) -> float:
        return math.pi / (2 * self.delta)

    def __call__(self, distance: Tensor) -> Tensor:
        x = distance / self.delta
        return torch.where(x < 1, 0.5 + 0.5 * torch.cos(math.pi * x.clamp(max=1)), 0.0)


class Hat(Smoothing):
    r"""Piecewise linear: the smallest Lipschitz constant that the support allows.

    .. math:: \rho(x) = \max(0, 1 - x / \delta), \quad \text{Lipschitz constant } 1 / \delta
    """

    @property
    def lipschitz(self) -> float:
        return 1 / self.delta

    def __call__(self, distance: Tensor) -> Tensor:
        return (1 - distance / self.delta).clamp(min=0)


class Bump(Smoothing):
    r"""Infinitely differentiable, also at :math:`\delta`.

    .. math:: \rho(x) = \exp\Big(1 - \frac{1}{1 - (x / \delta)^2}\Big), \quad
        \text{Lipschitz constant } \approx 2.1703 / \delta

    The slope is steepest at :math:`(x / \delta)^2 = 1 / \sqrt 3`.
    """

    @property
    def lipschitz(self) -> float:
        s = 3**-0.5
        return 2 * math.sqrt(s) / (1 - s) ** 2 * math.exp(1 - 1 / (1 - s)) / self.delta

    def __call__(self, distance: Tensor) -> Tensor:
        room = (1 - (distance / self.delta) ** 2).clamp(min=1e-3)  # exp(-999) is zero anyway
        return torch.where(distance < self.delta, torch.exp(1 - 1 / room), 0.0)


@dataclass(frozen=True)
class Custom(Smoothing):
    """A user's own function of the distance; it must reach zero at ``delta``.

    Args:
        delta: Where the function reaches zero; it is not asked beyond.
        function: Maps a tensor of distances to values in [0, 1], with 1 at distance 0.
    """

    function: Callable[[Tensor], Tensor]

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.function, torch.nn.Module):
            raise TypeError(
                "a smoothing function has no parameters to learn; pass a plain function"
            )
        values = self.function(torch.linspace(0, self.delta, 101, dtype=torch.float64))
        wrong = None
        if not values.isfinite().all() or values.min() < -1e-9 or values.max() > 1 + 1e-9:
            wrong = "leaves [0, 1]"
        elif abs(float(values[0]) - 1) > 1e-6:
            wrong = f"is {float(values[0]):g} at distance 0, not 1"
        elif abs(float(values[-1])) > 1e-6:
            wrong = f"is {float(values[-1]):g} at delta = {self.delta:g}, not 0, so it would jump"
        if wrong:
            raise ValueError(f"the smoothing function {wrong}")

    @property
    def lipschitz(self) -> float:
        """The steepest slope on a fine grid: a lower estimate of the constant."""
        x = torch.linspace(0, self.delta, 10_001, dtype=torch.float64)
        return float(self.function(x).diff().abs().max() / (x[1] - x[0]))

    def __call__(self, distance: Tensor) -> Tensor:
        inside = distance.clamp(max=self.delta)
        return torch.where(distance < self.delta, self.function(inside), 0.0)


SMOOTHINGS: dict[str, type[Smoothing]] = {"cosine": Cosine, "hat": Hat, "bump": Bump}


def make_smoothing(smoothing: str | Callable[[Tensor], Tensor], delta: float) -> Smoothing:
    """A smoothing from its name or from a user's function; a ready one must have this delta.

    Example:
        >>> make_smoothing("hat", 0.1)
        Hat(delta=0.1)
    """
    if isinstance(smoothing, Smoothing):
        if smoothing.delta != delta:
            raise ValueError(f"{smoothing} and delta={delta} disagree; pass the same delta to both")
        return smoothing
    if callable(smoothing):
        return Custom(delta, smoothing)
    if smoothing not in SMOOTHINGS:
        names = ", ".join(SMOOTHINGS)
        raise ValueError(
            f"unknown smoothing {smoothing!r}; choose from {names}, or pass a function"
        )
    return SMOOTHINGS[smoothing](delta)


def fade(eigvals: Tensor, cutoff: Tensor, smoothing: Smoothing) -> Tensor:
    r"""Weights that fade eigenpairs out as their eigenvalue nears the cutoff.

    .. math:: s_k = 1 - \rho(\lambda_\text{cut} - \lambda_k)

    rises from 0 at the cut to 1 at distance :math:`\delta`. An eigenvector that leaves a truncated
    spectrum as two eigenvalues cross has weight zero at that moment, so nothing jumps.

    Shapes:
        - eigvals ``[K]``, cutoff ``[K]`` (one for each eigenvalue) -> ``[K]``
    """
    return 1 - smoothing((cutoff - eigvals).clamp(min=0))


def truncation_scale(weights: Tensor, graph: Tensor, num_nodes: Tensor) -> Tensor:
    r"""Factors that give the faded rows of a truncated spectrum a mean square norm of 1 again.

    .. math:: \sqrt{n / \max(1, \textstyle\sum_k s_k^2)}

    The rows of all n eigenvectors have norm 1, those of a few have much less, which would leave
    the smooth Normalize of the layers nothing to normalise. A whole spectrum has factor 1.

    Shapes:
        - weights ``[sum K]``, graph ``[sum K]``, num_nodes ``[B]`` -> ``[B]``
    """
    total = torch.zeros_like(num_nodes, dtype=weights.dtype)
    total = total.index_add(0, graph, weights.square())
    return (num_nodes / total.clamp(min=1)).sqrt()
