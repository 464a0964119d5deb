"""Gates of messages by distance, as PEG has them: one factor per edge and layer."""

from torch import Tensor, nn


class DistanceGate(nn.Sequential):
    r"""How much of a message passes, by the squared distance between the positions of its ends.

    .. math:: r_{ij} = \sigma\big( q_2 \cdot \operatorname{ReLU}(q_1 \|p_i - p_j\|^2 + b_1)
        + b_2 \big)

    Args:
        channels: Width of the hidden layer.

    Shapes:
        - ``[E, 1]`` -> ``[E, 1]``
    """

    def __init__(self, channels: int) -> None:
        super().__init__(nn.Linear(1, channels), nn.ReLU(), nn.Linear(channels, 1), nn.Sigmoid())


def squared_distances(positions: Tensor, edge_index: Tensor) -> Tensor:
    """Between the positions of the two ends of each edge.

    Shapes:
        - ``[N, c]``, ``[2, E]`` -> ``[E, 1]``
    """
    source, target = edge_index
    apart = positions.index_select(0, source) - positions.index_select(0, target)  # [E, c]
    return apart.square().sum(1, keepdim=True)
