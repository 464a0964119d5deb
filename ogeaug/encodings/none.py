"""No encoding, behind the same call: what every comparison is measured against."""

import torch
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from ogeaug.encodings.base import Encoding
from ogeaug.spectrum.solve import SpectrumOptions


class NoEncoding(Encoding):
    r"""Nothing.

    .. math:: z_i = 0

    Symmetries: all. Cost: none. It has no parameters and computes no spectrum.

    Args:
        out_channels: Width of the output.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> NoEncoding(2)(Data(num_nodes=2))
        tensor([[0., 0.],
                [0., 0.]])
    """

    zero: Tensor

    def __init__(self, out_channels: int) -> None:
        super().__init__(out_channels, SpectrumOptions())
        # A buffer follows .double() and .cuda(), so that the output has the model's dtype.
        self.register_buffer("zero", torch.zeros(out_channels), persistent=False)

    def reset_parameters(self) -> None:
        """There is nothing to reset."""

    def forward(self, data: Data) -> Tensor:
        return self.zero.expand(data.num_nodes, -1)  # [N, out_channels]

    def transforms(self) -> list[BaseTransform]:
        return []

    def extra_repr(self) -> str:
        return f"{self.out_channels}"
