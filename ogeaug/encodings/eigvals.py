"""The learned set function of the eigenvalues."""

import torch
from torch import Tensor, nn

from ogeaug.spectrum.record import SpectrumBatch


class EigvalEncoder(nn.Module):
    r"""A permutation-equivariant set function of a graph's eigenvalues (Deep Sets).

    .. math:: e(\lambda_k) = \operatorname{MLP}_2 \Big( \operatorname{MLP}_1(\lambda_k) +
        \frac{1}{n} \sum_m s_m \operatorname{MLP}_1(\lambda_m) \Big)

    It is continuous in the eigenvalues and, by the fading weights s, in a truncation of them. The
    eigenvalue enters as log(1 + lambda): Laplacian eigenvalues grow with the degree, so that those
    of a dense graph would otherwise drown those of a molecule.

    Args:
        channels: Width h of the output.

    Shapes:
        - eigvals ``[sum K]``, weights ``[sum K]`` -> ``[sum K, h]``
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(1, channels), nn.SiLU(), nn.Linear(channels, channels))
        self.outer = nn.Sequential(nn.SiLU(), nn.Linear(channels, channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        for module in (*self.inner, *self.outer):
            if isinstance(module, nn.Linear):
                module.reset_parameters()
        # Around a constant of size 1, so that the first tensors have norms around 1.
        nn.init.normal_(self.outer[-1].bias)  # type: ignore[arg-type]

    def forward(self, spectra: SpectrumBatch, weights: Tensor) -> Tensor:
        dtype, device = weights.dtype, weights.device
        sizes = spectra.num_nodes.to(device)
        graph = torch.repeat_interleave(spectra.num_eigvals.to(device))  # [sum K]
        # Noise in training may push an eigenvalue a little below zero.
        scaled = torch.log1p(spectra.eigvals.clamp(min=-0.5)).to(dtype).unsqueeze(-1)
        each = self.inner(scaled)  # [sum K, h]
        total = each.new_zeros(len(spectra), each.size(-1))
        total = total.index_add(0, graph, each * weights.unsqueeze(-1))
        mean = total / sizes.to(dtype).unsqueeze(-1)  # [B, h]
        return self.outer(each + mean.index_select(0, graph))
