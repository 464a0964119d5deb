"""The authors' network of one eigenspace in BasisNet, on all eigenspaces of a batch at once."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from ogeaug.encodings.eigenspaces import Spaces
from ogeaug.layers import Norm, make_norm
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.node_rows import lay_out_rows


class SpaceNet(nn.Module):
    r"""From the projector of an eigenspace to features of nodes: an invariant graph network.

    .. math:: x_i \leftarrow \operatorname{norm} \operatorname{ReLU} \Big( Q x_i + Q'
        \frac{1}{n} \sum_j x_j + b \Big)

    twice, after the same with the 5 equivariant maps :math:`\mathbb{R}^{n \times n} \to
    \mathbb{R}^n` (diagonal, mean of the diagonal, means of row, column and matrix); then two linear
    maps with a ReLU between them.

    Args:
        channels: Width h.
        out_channels: Width of the output.
        norm: ``"layer"`` or ``"batch"``.

    Shapes:
        - R pairs of node and space ``[R, 5]``, the space of each ``[R]``, nodes of each space
          ``[S]`` -> ``[R, out_channels]``
    """

    def __init__(self, channels: int, out_channels: int, *, norm: Norm) -> None:
        super().__init__()
        self.first = nn.Linear(5, channels)
        self.layers = nn.ModuleList(nn.Linear(2 * channels, channels) for _ in range(2))
        self.norms = nn.ModuleList(make_norm(norm, channels) for _ in range(3))
        self.last = nn.Sequential(
            nn.Linear(channels, channels), nn.ReLU(), nn.Linear(channels, out_channels)
        )
        self.reset_parameters()

    def reset_parameters(self) -> None:
        for part in (*self.norms, self.last[0], self.last[2]):
            part.reset_parameters()
        channels = self.first.out_features
        for linear, width in ((self.first, 1), *((layer, channels) for layer in self.layers)):
            assert isinstance(linear, nn.Linear)
            nn.init.normal_(linear.weight, std=math.sqrt(2) / (width + channels))
            nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor, space: Tensor, size: Tensor) -> Tensor:
        x = self.norms[0](torch.relu(self.first(x)))  # [R, h]
        for layer, norm in zip(self.layers, self.norms[1:], strict=True):
            total = x.new_zeros(len(size), x.size(1)).index_add(0, space, x)
            mean = total / size.unsqueeze(1)  # [S, h]
            x = norm(torch.relu(layer(torch.cat([x, mean.index_select(0, space)], 1))))
        return self.last(x)


@dataclass(frozen=True, eq=False)
class SpaceRows:
    """One row for each node and each eigenspace of its graph.

    Attributes:
        node: ``[R]`` the node of each row.
        space: ``[R]`` its eigenspace, numbered through the batch.
        features: ``[R, 5]`` what the five maps make of the projector.
        width: ``[S]`` how many columns an eigenspace has: its multiplicity, with a limit.
        offset: ``[S]`` the first of them, by graph; lower multiplicities come first.
    """

    node: Tensor
    space: Tensor
    features: Tensor
    width: Tensor
    offset: Tensor


def lay_out_spaces(spectra: SpectrumBatch, spaces: Spaces, most: int) -> SpaceRows:
    """The rows of a batch; no projector is written down, as its contractions are sums of products.

    Args:
        spectra: Of the batch.
        spaces: Their eigenspaces.
        most: The largest width.
    """
    v, device = spectra.eigvecs, spectra.eigvals.device
    no_edges = torch.zeros(2, 0, dtype=torch.long, device=device)
    per_graph = torch.bincount(spaces.graph, minlength=len(spectra))  # [B]
    rows = lay_out_rows(spectra.num_nodes, per_graph, no_edges, None, v.dtype)  # node, space
    fine = lay_out_rows(spectra.num_nodes, spectra.num_eigvals, no_edges, None, v.dtype)
    of_column = torch.repeat_interleave(spaces.multiplicity)[fine.column]  # [sum n K] its space
    spaces_at = per_graph.repeat_interleave(spectra.num_nodes.to(device))  # [N]
    first_row, first_space = spaces_at.cumsum(0) - spaces_at, per_graph.cumsum(0) - per_graph
    row = first_row[fine.node] + of_column - first_space[spaces.graph[of_column]]
    size = spaces.size.to(v.dtype)  # [S]
    total = v.new_zeros(len(spectra.eigvals)).index_add(0, fine.column, v)  # [sum K]
    mean = total[fine.column] / size[of_column]
    diagonal = v.new_zeros(len(rows)).index_add(0, row, v * v)
    along = v.new_zeros(len(rows)).index_add(0, row, v * mean)  # of rows and of columns
    trace, whole = (
        (v.new_zeros(len(size)).index_add(0, rows.column, x) / size)[rows.column]
        for x in (diagonal, along)
    )
    width = spaces.multiplicity.clamp(max=most)
    order = (spaces.graph * (most + 1) + width).argsort(stable=True)
    before = width[order].cumsum(0) - width[order]
    offset = torch.empty_like(width)
    offset[order] = before - before[first_space[spaces.graph[order]]]
    features = torch.stack([diagonal, trace, along, along, whole], 1)
    return SpaceRows(rows.node, rows.column, features, width, offset)
