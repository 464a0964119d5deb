"""Walks, rings and shells as node features: what is easily counted, directly."""

from torch import Tensor, nn
from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from ogeaug.encodings.base import Encoding, read_graph
from ogeaug.layers import make_norm
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.transforms.add_structure import AddStructure
from ogeaug.walks.stored import read_stored
from ogeaug.walks.structure import NUMBERS, structure_numbers


class Structure(Encoding):
    r"""A linear map of numbers that describe the surroundings of a node.

    .. math:: z_i = Q \operatorname{norm}(y_i) + b

    with y as in :func:`ogeaug.walks.structure.structure_numbers`: how random walks come back, how
    many cycles of 3 to 8 nodes go through the node, how many nodes are how far away; a batch norm.
    From ``data.structure`` (:class:`~ogeaug.transforms.AddStructure`), or computed.

    No paper's encoding, but the control for all that are learned: what do they see that cannot be
    counted at once?

    Symmetries: permutation-equivariant; it knows no eigenvectors, hence no signs and bases. Of an
    edge's weight only this enters: 0 is no edge. For sparse graphs: cycles are listed one by one.

    Args:
        out_channels: Width of the output.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> import torch
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> Structure(28)(square).shape
        torch.Size([4, 28])
    """

    def __init__(self, out_channels: int) -> None:
        super().__init__(out_channels, SpectrumOptions())
        self.norm = make_norm("batch", NUMBERS)
        self.linear = nn.Linear(NUMBERS, out_channels)

    def reset_parameters(self) -> None:
        self.norm.reset_parameters()  # type: ignore[operator]
        self.linear.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        graph = read_graph(data)
        numbers = read_stored(data, "structure", data.num_nodes, NUMBERS, "AddStructure")
        if numbers is None:
            numbers = structure_numbers(*graph)  # [N, 32]
        return self.linear(self.norm(numbers.to(self.linear.weight)))  # [N, out_channels]

    def transforms(self) -> list[BaseTransform]:
        return [AddStructure()]

    def extra_repr(self) -> str:
        return f"{self.out_channels}"
