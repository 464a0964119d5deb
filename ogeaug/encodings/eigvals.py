"""The learned set function of the eigenvalues."""

import math

import torch
from torch import Tensor, nn

from ogeaug.spectrum.spectra import SpectrumBatch

SLOWEST, FASTEST, FREQUENCIES = 0.5, 20.0, 16
"""Of the waves in log(1 + eigenvalue). The slowest has no two equal values below exp(2 pi)."""


class EigvalEncoder(nn.Module):
    r"""A permutation-equivariant set function of a graph's eigenvalues (Deep Sets).

    .. math:: e(\lambda_k) = \operatorname{MLP}_2 \Big( \operatorname{MLP}_1(\varphi(\lambda_k)) +
        \frac{1}{n} \sum_m s_m \operatorname{MLP}_1(\varphi(\lambda_m)) \Big), \qquad
        \varphi_j(\lambda) = \cos(\omega_j \log(1 + \lambda))

    It is continuous in the eigenvalues and, by the fading weights s, in a truncation of them. The
    frequencies run geometrically from 0.5 to 20: a perceptron on the eigenvalue itself starts
    almost constant, and trained worse (docs/notes). The logarithm: Laplacian eigenvalues grow
    with the degree, so that those of a dense graph would otherwise drown those of a molecule. The
    slope of each :math:`\varphi_j` is at most 20 where no eigenvalue is negative.

    Args:
        channels: Width h of the output.
        waves: Whether eigenvalues enter by waves; else by :math:`\log(1 + \lambda)` alone.

    Shapes:
        - eigvals ``[sum K]``, weights ``[sum K]`` -> ``[sum K, h]``
    """

    def __init__(self, channels: int, *, waves: bool = True) -> None:
        super().__init__()
        self.waves = waves
        self.inner = nn.Sequential(
            nn.Linear(FREQUENCIES if waves else 1, channels),
            nn.SiLU(),
            nn.Linear(channels, channels),
        )
        self.outer = nn.Sequential(nn.SiLU(), nn.Linear(channels, channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        for module in (*self.inner, *self.outer):
            if isinstance(module, nn.Linear):
                module.reset_parameters()
        # Around a constant of size 1: the first tensors then have norms around 1, and nearly the
        # orthonormal rows of the eigenvectors, by which a node knows its own messages when they
        # come back. With larger variation around it training was slower.
        nn.init.normal_(self.outer[-1].bias)  # type: ignore[arg-type]

    def forward(self, spectra: SpectrumBatch, weights: Tensor) -> Tensor:
        dtype, device = weights.dtype, weights.device
        sizes = spectra.num_nodes.to(device)
        graph = torch.repeat_interleave(spectra.num_eigvals.to(device))  # [sum K]
        each = self.inner(self.features(spectra.eigvals).to(dtype))  # [sum K, h]
        total = each.new_zeros(len(spectra), each.size(-1))
        total = total.index_add(0, graph, each * weights.unsqueeze(-1))
        mean = total / sizes.to(dtype).unsqueeze(-1)  # [B, h]
        return self.outer(each + mean.index_select(0, graph))

    def features(self, eigvals: Tensor) -> Tensor:
        r"""How eigenvalues enter: ``[K]`` -> ``[K, 16]``, without waves ``[K, 1]``."""
        return wave_features(eigvals) if self.waves else _logarithm(eigvals)


def wave_features(eigvals: Tensor) -> Tensor:
    r"""Waves :math:`\cos(\omega_j \log(1 + \lambda))`: ``[K]`` -> ``[K, 16]``."""
    ends = math.log10(SLOWEST), math.log10(FASTEST)
    omega = torch.logspace(*ends, FREQUENCIES, dtype=eigvals.dtype, device=eigvals.device)
    return torch.cos(omega * _logarithm(eigvals))


def _logarithm(eigvals: Tensor) -> Tensor:
    """``[K]`` -> ``[K, 1]``; noise in training may push an eigenvalue a little below zero."""
    return torch.log1p(eigvals.clamp(min=-0.5)).unsqueeze(-1)
