"""The dense form of OGE-Aug, on PyG data: what every fast path is compared with."""

import torch
from torch import Tensor

from ogeaug import OGEAug
from ogeaug.encodings.dense import DenseOGEAug
from ogeaug.graph.edges import adjacency


def dense_oge_aug(model: OGEAug, data, eigvals: Tensor, eigvecs: Tensor, cutoff=float("inf")):
    """Node features [n, out_channels] of one graph, with the parameters of ``model``."""
    weight = None if data.get("edge_weight") is None else data.edge_weight.double().numpy()
    dense = torch.from_numpy(adjacency(data.edge_index.numpy(), data.num_nodes, weight))
    x = None if model.in_channels is None else data.x
    cut = torch.tensor(cutoff, dtype=torch.float64)
    return DenseOGEAug(model)(dense, eigvals, eigvecs, cut, x)
