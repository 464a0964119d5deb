"""A graph isomorphism network on rows (node, column)."""

import torch
from torch import Tensor, nn

from ogeaug.checks import check_counts
from ogeaug.layers import MLP, Norm
from ogeaug.tensors.node_rows import Rows, check_rows


class RowGIN(nn.Module):
    r"""A graph isomorphism network that runs on every column by itself.

    .. math:: h_{ic} \leftarrow \operatorname{MLP}\Big( (1 + \epsilon) h_{ic} +
        \sum_{j} A_{ij} h_{jc} \Big)

    Args:
        in_channels: Width of the input.
        channels: Width h of all layers.
        num_layers: Number of layers.
        norm: Inside each MLP; ``"layer"``, ``"batch"`` or None.

    Shapes:
        - ``[R, in_channels]`` -> ``[R, h]``
    """

    def __init__(
        self, in_channels: int, channels: int, num_layers: int, *, norm: Norm | None
    ) -> None:
        super().__init__()
        self.channels = channels
        self.mlps = make_layers(in_channels, channels, channels, num_layers, norm=norm)
        self.eps = nn.Parameter(torch.zeros(num_layers))

    def reset_parameters(self) -> None:
        nn.init.zeros_(self.eps)
        for mlp in self.mlps:
            mlp.reset_parameters()  # type: ignore[operator]

    def forward(self, h: Tensor, rows: Rows) -> Tensor:
        check_rows(rows, h, self.channels, len(self.mlps))
        for mlp, eps in zip(self.mlps, self.eps, strict=True):
            h = mlp((1 + eps) * h + rows.sum_neighbours(h))
        return h  # [R, h]


def make_layers(
    first_channels: int, in_channels: int, out_channels: int, num_layers: int, *, norm: Norm | None
) -> nn.ModuleList:
    """One MLP per layer, the first of ``first_channels``."""
    check_counts(num_layers=num_layers)
    widths = [first_channels] + [in_channels] * (num_layers - 1)
    return nn.ModuleList(MLP(width, out_channels, out_channels, norm=norm) for width in widths)
