"""An invariant graph network on square matrices."""

import torch
from torch import Tensor, nn

from ogeaug.checks import check_counts
from ogeaug.layers import MLP, Norm, make_norm


class IGN(nn.Module):
    r"""From matrices to node features (Maron, Ben-Hamu, Shamir, Lipman: "Invariant and equivariant
    graph networks", ICLR 2019).

    Equivariant layers with all 15 linear maps :math:`\mathbb{R}^{n \times n} \to
    \mathbb{R}^{n \times n}` that commute with permutations, each followed by a norm and SiLU,
    and a last one with the 5 maps :math:`\mathbb{R}^{n \times n} \to \mathbb{R}^n`. Sums over
    indices are means, so that graphs of different sizes give numbers of one scale.

    Args:
        channels: Width h of all layers.
        num_layers: Layers from matrices to matrices.
        norm: ``"layer"`` or ``"batch"``.

    Shapes:
        - S matrices ``[S, n, n, 1]``, a number for each ``[S, 1]`` -> ``[S, n, h]``
    """

    def __init__(self, channels: int, num_layers: int, *, norm: Norm = "layer") -> None:
        super().__init__()
        check_counts(num_layers=num_layers)
        self.norms = nn.ModuleList(make_norm(norm, channels) for _ in range(num_layers))
        self.first = EquivariantLinear(1, channels, extra_channels=1)
        self.layers = nn.ModuleList(
            EquivariantLinear(channels, channels) for _ in range(num_layers - 1)
        )
        self.last = MLP(5 * channels, channels, channels, norm=norm)

    def reset_parameters(self) -> None:
        for part in (self.first, *self.layers, *self.norms, self.last):
            part.reset_parameters()

    def forward(self, x: Tensor, extra: Tensor) -> Tensor:
        x = nn.functional.silu(over_rows(self.norms[0], self.first(x, extra)))  # [S, n, n, h]
        for layer, norm in zip(self.layers, self.norms[1:], strict=True):
            x = nn.functional.silu(over_rows(norm, layer(x)))
        at_index, of_matrix = contract(x)
        spread = of_matrix.unsqueeze(1).expand(-1, x.size(1), -1)
        return over_rows(self.last, torch.cat([at_index, spread], -1))  # [S, n, h]


class EquivariantLinear(nn.Module):
    r"""The general permutation-equivariant linear map of matrices.

    .. math:: y_{ij} = Q_1 x_{ij} + Q_2 x_{ji} + a_i + b_j + c + \delta_{ij} (d_i + e)

    where a, b, d are linear in the diagonal, the row and the column means at an index, and c, e in
    the trace and the mean of the matrix: 2 + 9 + 4 = 15 maps, and two biases.

    Args:
        in_channels, out_channels: Widths.
        extra_channels: Numbers for a whole matrix, which c and e depend on too.

    Shapes:
        - ``[S, n, n, in_channels]``, ``[S, extra_channels]`` -> ``[S, n, n, out_channels]``
    """

    def __init__(self, in_channels: int, out_channels: int, *, extra_channels: int = 0) -> None:
        super().__init__()
        self.pair = nn.Linear(in_channels, 2 * out_channels, bias=False)
        self.at_index = nn.Linear(3 * in_channels, 3 * out_channels, bias=False)
        self.of_matrix = nn.Linear(2 * in_channels + extra_channels, 2 * out_channels)

    def reset_parameters(self) -> None:
        for module in self.children():
            module.reset_parameters()  # type: ignore[operator]

    def forward(self, x: Tensor, extra: Tensor | None = None) -> Tensor:
        at_index, of_matrix = contract(x)
        if extra is not None:
            of_matrix = torch.cat([of_matrix, extra], -1)
        a, b, d = self.at_index(at_index).chunk(3, -1)  # [S, n, h'] each
        c, e = self.of_matrix(of_matrix).unsqueeze(1).chunk(2, -1)  # [S, 1, h'] each
        same, turned = self.pair(x).chunk(2, -1)  # [S, n, n, h'] each
        y = same + turned.transpose(1, 2) + (a + c).unsqueeze(2) + b.unsqueeze(1)
        y.diagonal(dim1=1, dim2=2).add_((d + e).transpose(1, 2))
        return y


def contract(x: Tensor) -> tuple[Tensor, Tensor]:
    """Diagonal, row means and column means at each index; mean diagonal and mean of each matrix.

    Shapes:
        - ``[S, n, n, h]`` -> ``[S, n, 3h]``, ``[S, 2h]``
    """
    diagonal, rows = x.diagonal(dim1=1, dim2=2).transpose(1, 2), x.mean(2)  # [S, n, h]
    at_index = torch.cat([diagonal, rows, x.mean(1)], -1)
    return at_index, torch.cat([diagonal.mean(1), rows.mean(1)], -1)


def over_rows(module: nn.Module, x: Tensor) -> Tensor:
    """A module of rows on the last axis of any tensor: a batch norm sees all others as rows."""
    rows: Tensor = module(x.flatten(0, -2))
    return rows.view(*x.shape[:-1], -1)
