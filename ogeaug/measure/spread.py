"""How loud an encoding is: the spread of its features over nodes."""

import torch
from torch import nn
from torch_geometric.data import Data


@torch.no_grad()
def spread(encoding: nn.Module, data: Data) -> float:
    """The root of the mean variance of an encoding's channels, over the nodes (edges) of a batch.

    Beside embedded atoms, whose spread is about 1, an encoding of .02 is hardly heard at the start
    of training. Batch norms see what they see in training: measure in that mode, which draws
    random signs where there are any, and counts the batch among those that they have seen.

    Example:
        >>> from ogeaug.encodings import NoEncoding
        >>> spread(NoEncoding(4), Data(num_nodes=3))
        0.0
    """
    return float(encoding(data).var(0).mean().sqrt())
