"""Graphs as foreign files have them: dictionaries or tuples of tensors, checked before use."""

from typing import Any

import torch
from torch import Tensor

from ogeaug.errors import UserError


def take_tensors(item: Any, keys: tuple[str, ...], name: str) -> list[Tensor]:
    """The tensors of a record, by key if it is a dictionary, in order if it is a tuple.

    Args:
        item: The record.
        keys: What must be there.
        name: What to call it in messages.

    Example:
        >>> take_tensors({"y": torch.tensor([1]), "z": 2}, ("y",), "train.pt[0]")
        [tensor([1])]
    """
    found: list[Any] = []
    if isinstance(item, dict):
        found = [item.get(key) for key in keys]
    elif isinstance(item, list | tuple):
        found = list(item)
    if len(found) != len(keys) or not all(isinstance(part, Tensor) for part in found):
        raise UserError(
            f"{name} is {called(item)}; expected a record of tensors: {', '.join(keys)}. Is it "
            "another file?"
        )
    return found


def check_pairs_of_nodes(edge_index: Tensor, n: int, name: str) -> None:
    """Refuses an edge list that is none, or names nodes that are not there."""
    whole = edge_index.dim() == 2 and len(edge_index) == 2 and edge_index.dtype == torch.int64
    if not whole or (edge_index.numel() and not 0 <= edge_index.min() <= edge_index.max() < n):
        raise UserError(
            f"{name}: {list(edge_index.shape)} {edge_index.dtype} is no list of edges of {n} nodes"
        )


def check_categories(x: Tensor, sizes: tuple[int, ...], count: int, name: str) -> None:
    """Refuses features that are not ``[count, columns]`` whole numbers below the sizes."""
    fits = tuple(x.shape) == (count, len(sizes)) and not x.is_floating_point()
    if not fits or not ((x >= 0) & (x < torch.tensor(sizes))).all():
        raise UserError(
            f"{name}: {list(x.shape)} {x.dtype} are no categories of {count} entries in "
            f"{len(sizes)} columns of {', '.join(map(str, sizes))}"
        )


def called(value: Any) -> str:
    """How to speak of a value that is not what it should be."""
    if isinstance(value, dict):
        return f"a dictionary with {', '.join(map(str, list(value)[:5])) or 'nothing'}"
    size = f" of {len(value)}" if isinstance(value, list | tuple | str) else ""
    return f"a {type(value).__name__}{size}"
