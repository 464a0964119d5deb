"""The files of PATTERN and CLUSTER, as PyG's GNNBenchmarkDataset publishes them."""

from pathlib import Path
from typing import Any

import torch
from torch_geometric.data import Data

from ogeaug.data.graph_records import called, check_pairs_of_nodes, take_tensors
from ogeaug.errors import UserError
from ogeaug.files.torch_file import read_torch

KINDS = (torch.int64, torch.int32, torch.float32, torch.float64)
"""Of tensors that hold classes or one-hot types."""


def read_sbm(path: Path, num_types: int, num_classes: int) -> list[list[Data]]:
    """Training, validation and test graphs.

    Node types are one-hot in the file, and one column of categories here.

    Args:
        path: ``PATTERN_v2.pt`` or ``CLUSTER_v2.pt``.
        num_types: Of nodes.
        num_classes: Of nodes.
    """
    found = read_torch(path)
    if not isinstance(found, list | tuple) or [type(part) for part in found] != [list] * 3:
        raise UserError(
            f"{path} holds {called(found)}, not three lists of graphs, as PyG's "
            "GNNBenchmarkDataset has them; is it another file?"
        )
    return [
        [_graph(item, f"{path.name}[{p}][{i}]", num_types, num_classes) for i, item in enumerate(g)]
        for p, g in enumerate(found)
    ]


def _graph(item: Any, name: str, num_types: int, num_classes: int) -> Data:
    x, edge_index, y = take_tensors(item, ("x", "edge_index", "y"), name)
    if y.dim() != 1 or y.dtype not in KINDS or x.dtype not in KINDS or x.is_sparse or y.is_sparse:
        raise UserError(
            f"{name}: y {list(y.shape)} {y.dtype} and x {x.dtype} are no classes and types of nodes"
        )
    n = len(y)
    one_hot = n > 0 and tuple(x.shape) == (n, num_types)
    if not one_hot or not ((x == 0) | (x == 1)).all() or not (x.sum(1) == 1).all():
        raise UserError(f"{name}: x {list(x.shape)} is not one-hot of {num_types} types of nodes")
    check_pairs_of_nodes(edge_index, n, name)
    if not torch.isin(y, torch.arange(num_classes)).all():
        raise UserError(f"{name}: y {list(y.shape)} has other classes than 0 to {num_classes - 1}")
    return Data(x=x.argmax(1, keepdim=True), edge_index=edge_index, y=y.long(), num_nodes=n)
