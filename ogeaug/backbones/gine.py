"""GINE, whose messages are summed up in one pass."""

from torch import Tensor, nn
from torch_geometric.nn import GINEConv as PlainGINEConv

from ogeaug.backbones.edge_sum import edge_sum


class GINEConv(PlainGINEConv):
    r"""PyG's convolution of the same name with :math:`\epsilon = 0`, by :func:`edge_sum`.

    .. math:: x_i' = \operatorname{MLP}\Big( x_i + \sum_{j \to i}
        \operatorname{ReLU}(x_j + e_{ji}) \Big)

    Its weights have the names of PyG's, and PyG's explainers can mask its edges. Hooks of PyG's
    message passing are not called.

    Args:
        mlp: channels -> channels.

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]`` -> ``[N, h]``
    """

    def __init__(self, mlp: nn.Module) -> None:
        super().__init__(mlp)

    def forward(self, x: Tensor, edge_index: Tensor, edge_attr: Tensor) -> Tensor:
        new: Tensor
        if self.explain:
            new = super().forward(x, edge_index, edge_attr)
        else:
            new = self.nn(edge_sum(x, edge_index, edge_attr))
        return new
