"""An invariant graph network on square matrices of different sizes."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from ogeaug.encodings.mlp import MLP, Norm, make_norm
from ogeaug.spectrum.bands import ragged_arange


@dataclass(frozen=True, eq=False)
class Squares:
    """The entries of S square matrices as rows, matrix after matrix, row by row.

    Attributes:
        size: ``[S]`` n of each matrix.
        matrix: ``[Q]`` the matrix of each index; its indices are numbered through: Q = sum n.
        row, column: ``[R]`` the two indices of each entry, R = sum n^2.
        mirror: ``[R]`` the entry with exchanged indices.
        diagonal: ``[Q]`` the entry on the diagonal at each index.
    """

    size: Tensor
    matrix: Tensor
    row: Tensor
    column: Tensor
    mirror: Tensor
    diagonal: Tensor


def lay_out_squares(size: Tensor) -> Squares:
    """Index tensors for matrices of these sizes ``[S]``."""
    area = size**2
    matrix = torch.repeat_interleave(size)  # [Q]
    first_index, first_entry = size.cumsum(0) - size, area.cumsum(0) - area  # [S]
    owner, place = torch.repeat_interleave(area), ragged_arange(area)  # [R]
    n = size[owner]
    i, j = place // n.clamp(min=1), place % n.clamp(min=1)
    local = ragged_arange(size)  # [Q]
    return Squares(
        size,
        matrix,
        first_index[owner] + i,
        first_index[owner] + j,
        first_entry[owner] + j * n + i,
        first_entry[matrix] + local * (size[matrix] + 1),
    )


class IGN(nn.Module):
    r"""From matrices to node features (Maron, Ben-Hamu, Shamir, Lipman: "Invariant and equivariant
    graph networks", ICLR 2019).

    Equivariant layers with all 15 linear maps :math:`\mathbb{R}^{n \times n} \to
    \mathbb{R}^{n \times n}` that commute with permutations, each followed by a norm and SiLU, and a
    last one with the 5 maps :math:`\mathbb{R}^{n \times n} \to \mathbb{R}^n`. Sums over indices are
    means, so that graphs of different sizes give numbers of one scale.

    Args:
        in_channels: Width of the input.
        channels: Width h of all layers.
        num_layers: Layers from matrices to matrices.
        norm: ``"layer"`` or ``"batch"``.

    Shapes:
        - ``[R, in_channels]`` -> ``[Q, h]``
    """

    def __init__(self, in_channels: int, channels: int, num_layers: int, *, norm: Norm) -> None:
        super().__init__()
        if num_layers < 1:
            raise ValueError(f"num_layers must be at least 1, got {num_layers}")
        widths = [in_channels] + [channels] * (num_layers - 1)
        self.layers = nn.ModuleList(EquivariantLinear(width, channels) for width in widths)
        self.norms = nn.ModuleList(make_norm(norm, channels) for _ in widths)
        self.last = MLP(5 * channels, channels, channels, norm=norm)

    def reset_parameters(self) -> None:
        for part in (*self.layers, *self.norms, self.last):
            part.reset_parameters()

    def forward(self, x: Tensor, squares: Squares) -> Tensor:
        for layer, norm in zip(self.layers, self.norms, strict=True):
            x = nn.functional.silu(norm(layer(x, squares)))  # [R, h]
        at_index, of_matrix = contract(x, squares)
        both = torch.cat([at_index, of_matrix.index_select(0, squares.matrix)], 1)  # [Q, 5h]
        return self.last(both)


class EquivariantLinear(nn.Module):
    r"""The general permutation-equivariant linear map of matrices.

    .. math:: y_{ij} = Q_1 x_{ij} + Q_2 x_{ji} + a_i + b_j + c + \delta_{ij} (d_i + e)

    where a, b, d are linear in the diagonal, the row and the column means at an index, and c, e in
    the trace and the mean of the matrix: 2 + 9 + 4 = 15 maps, and two biases.

    Shapes:
        - ``[R, in_channels]`` -> ``[R, out_channels]``
    """

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        self.same = nn.Linear(in_channels, out_channels, bias=False)
        self.turned = nn.Linear(in_channels, out_channels, bias=False)
        self.at_index = nn.Linear(3 * in_channels, 3 * out_channels, bias=False)
        self.of_matrix = nn.Linear(2 * in_channels, 2 * out_channels)

    def reset_parameters(self) -> None:
        for module in self.children():
            module.reset_parameters()  # type: ignore[operator]

    def forward(self, x: Tensor, squares: Squares) -> Tensor:
        at_index, of_matrix = contract(x, squares)
        a, b, d = self.at_index(at_index).chunk(3, -1)  # [Q, h'] each
        c, e = self.of_matrix(of_matrix).chunk(2, -1)  # [S, h'] each
        a = a + c.index_select(0, squares.matrix)
        d = d + e.index_select(0, squares.matrix)
        y = self.same(x) + self.turned(x).index_select(0, squares.mirror)  # [R, h']
        y = y + a.index_select(0, squares.row) + b.index_select(0, squares.column)
        return y.index_add(0, squares.diagonal, d)


def contract(x: Tensor, squares: Squares) -> tuple[Tensor, Tensor]:
    """Diagonal, row means and column means at each index; mean diagonal and mean of each matrix.

    Shapes:
        - ``[R, h]`` -> ``[Q, 3h]``, ``[S, 2h]``
    """
    n = squares.size.to(x.dtype).unsqueeze(-1)  # [S, 1]
    empty = x.new_zeros(len(squares.matrix), x.size(1))
    diagonal = x.index_select(0, squares.diagonal)  # [Q, h]
    rows = empty.index_add(0, squares.row, x) / n[squares.matrix]
    columns = empty.index_add(0, squares.column, x) / n[squares.matrix]
    each = torch.cat([diagonal, rows], 1)  # [Q, 2h]
    total = x.new_zeros(len(n), each.size(1)).index_add(0, squares.matrix, each)
    return torch.cat([each, columns], 1), total / n
