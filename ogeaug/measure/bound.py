"""The terms of the paper's bound on the stability of OGE-Aug."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.encodings.general import GeneralOGEAug
from ogeaug.spectrum.bands import find_bands

SILU_LIPSCHITZ = 1.09984
"""The steepest slope of SiLU."""


@dataclass(frozen=True)
class Bound:
    r"""The proposition's bound, with its constants.

    .. math::
        \|Z - Z'\|_F \le n J_\psi J_\phi \big[ (\sqrt n + 2 n J_\rho J_f) \, \|L - L'\|_2 +
            4 \sqrt[4]{2} J_f \sqrt{J_\rho} \, |\mathcal J|_\text{max} \, \|L - L'\|_F^{1/2} \big]

    The paper proves it for a :math:`\delta` chosen for L and L'; the encoding has a fixed one, so
    this is what the bound would be, not a guarantee. What its proof gives for any fixed
    :math:`\delta` has, in place of the last term,

    .. math:: J_f \big( 2 \delta J_\rho |\mathcal J|_\text{max}^2 + \tfrac{\sqrt 8}{\delta} \min \{
        |\mathcal J|_\text{max}^{1/2} \, \|L - L'\|_2, \|L - L'\|_F \} \big)

    whose first part is at least :math:`2 J_f |\mathcal J|_\text{max}^2` for every perturbation,
    since :math:`\delta J_\rho \ge 1`.

    Attributes:
        nodes: n.
        psi, phi: Lipschitz constants from the spectral norms of the layers (upper bounds).
        rho: Lipschitz constant of the smoothing.
        cluster: The largest number of eigenvalues in a run of gaps below delta.
        delta: Width of the smoothing.
    """

    nodes: int
    psi: float
    phi: float
    rho: float
    cluster: int
    delta: float

    def linear(self, f: float) -> float:
        """The factor of the perturbation's norm, for a Lipschitz constant f of f."""
        n = self.nodes
        return n * self.psi * self.phi * (math.sqrt(n) + 2 * n * self.rho * f)

    def root(self, f: float) -> float:
        """The factor of the square root of the perturbation's norm."""
        factor = self.nodes * self.psi * self.phi * 4 * 2**0.25
        return factor * f * math.sqrt(self.rho) * self.cluster

    def printed(self, size: float, spectral: float, f: float) -> float:
        """The right-hand side as the proposition has it.

        Args:
            size: Frobenius norm of the perturbation.
            spectral: Its spectral norm.
            f: Lipschitz constant of f.
        """
        return self.linear(f) * spectral + self.root(f) * math.sqrt(size)

    def proven(self, size: float, spectral: float, f: float) -> float:
        """What its proof gives for a delta that is fixed; arguments as of :meth:`printed`."""
        still = 2 * self.delta * self.rho * self.cluster**2
        moving = math.sqrt(8) / self.delta * min(math.sqrt(self.cluster) * spectral, size)
        return self.linear(f) * spectral + self.nodes * self.psi * self.phi * f * (still + moving)


def stability_bound(encoding: GeneralOGEAug, data: Data) -> Bound:
    """The constants of an encoding and a graph, all but that of f.

    Example:
        >>> path = Data(edge_index=torch.tensor([[0, 1, 2], [1, 2, 3]]), num_nodes=4)
        >>> stability_bound(GeneralOGEAug(8), path).cluster
        1
    """
    bands = find_bands(encoding.read_spectra(data), encoding.smoothing)
    return Bound(
        nodes=int(data.num_nodes or 0),
        psi=lipschitz(encoding.psi),
        phi=lipschitz(encoding.phi),
        rho=encoding.smoothing.lipschitz,
        cluster=int(torch.bincount(bands.cluster).max()),
        delta=encoding.smoothing.delta,
    )


def estimate_f(encoding: GeneralOGEAug, graphs: Iterable[Data]) -> float:
    r"""A lower estimate of the Lipschitz constant :math:`J_f`.

    The largest spectral norm of the Jacobian of f at the smoothed eigenvectors of some graphs,
    which is where the encoding evaluates it. (Rotations of the points do not change f, so the
    Jacobian is zero along them, as the definition of :math:`J_f` wants it.)

    Args:
        encoding: In float64 and eval mode.
        graphs: One or more; those between which the bound is to hold.
    """
    largest = 0.0
    for data in graphs:
        for points in _smoothed(encoding, data):
            jacobian = torch.autograd.functional.jacobian(encoding.f, points, vectorize=True)
            matrix = jacobian.flatten(2).flatten(0, 1)
            largest = max(largest, float(torch.linalg.matrix_norm(matrix, 2)))
    return largest


def _smoothed(encoding: GeneralOGEAug, data: Data) -> Iterator[Tensor]:
    """What f is evaluated at: ``[n, p]`` for each eigenvalue."""
    (spectrum,) = encoding.read_spectra(data)
    for value in spectrum.eigvals:
        rho = encoding.smoothing((spectrum.eigvals - value).abs())
        yield spectrum.eigvecs[:, rho > 0] * rho[rho > 0]


def lipschitz(network: nn.Module) -> float:
    """An upper bound for chains of linear maps and SiLU or ReLU: the product over the layers."""
    if isinstance(network, nn.Sequential):
        return math.prod(lipschitz(part) for part in network)
    if isinstance(network, nn.Linear):
        return float(torch.linalg.matrix_norm(network.weight.detach(), 2))
    if isinstance(network, nn.SiLU):
        return SILU_LIPSCHITZ
    if isinstance(network, nn.ReLU | nn.Identity):
        return 1.0
    raise TypeError(
        f"no Lipschitz constant is known for {type(network).__name__}; use Linear, SiLU, ReLU"
    )
