"""Linear maps and norms of features with the channels first."""

import torch
from torch import Tensor, nn


class ChannelMap(nn.Module):
    """A linear map of the first axis: ``[i, ...] -> [o, ...]``."""

    def __init__(self, in_channels: int, out_channels: int, gain: float) -> None:
        super().__init__()
        self.gain = gain
        self.weight = nn.Parameter(torch.empty(out_channels, in_channels))
        self.bias = nn.Parameter(torch.empty(out_channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.normal_(self.weight, std=self.gain * self.weight.size(1) ** -0.5)
        nn.init.normal_(self.bias, std=0.5)

    def forward(self, x: Tensor) -> Tensor:
        flat = torch.addmm(self.bias.unsqueeze(1), self.weight, x.flatten(1))
        return flat.view(-1, *x.shape[1:])


def normalise(x: Tensor, eps: float = 1e-2) -> Tensor:
    """Mean 0 and variance 1 over all but the first axis; what hardly varies becomes small."""
    flat = x.flatten(1)
    flat = flat - flat.mean(1, keepdim=True)
    return (flat * torch.rsqrt(flat.square().mean(1, keepdim=True) + eps)).view_as(x)
