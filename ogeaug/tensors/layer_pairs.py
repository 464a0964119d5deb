"""The layers of a tensor network, with their parameters: in rows, or with transposes in blocks."""

from typing import Any

from torch import nn

from ogeaug.tensors.blocks.message import BlockMessageLayer
from ogeaug.tensors.blocks.product import BlockProductLayer
from ogeaug.tensors.rows.message import MessageLayer
from ogeaug.tensors.rows.product import ProductLayer

ORDERS = (1, 2, 3, 4)


def check_pairs(channels: int, order: int, transposes: bool, num_layers: int, norm: str) -> None:
    """Refuses layers that do not exist, or that could not work."""
    if order not in ORDERS:
        raise ValueError(f"order {order} is not supported; choose from {ORDERS}")
    if transposes and order == 1:
        raise ValueError("tensors of order 1 have no transposes; use order=2 or more")
    if channels < 1 or (norm == "layer" and channels < 4):
        raise ValueError(
            f"hidden_channels={channels} is too few: with norm='layer' at least 4 are needed (a "
            "layer norm over 2 channels is a mere sign, over 1 it is zero)"
        )


def make_pairs(
    channels: int,
    order: int,
    transposes: bool,
    num_layers: int,
    *,
    norm: str,
    eps: float,
    in_order: bool,
) -> tuple[nn.ModuleList, nn.ModuleList]:
    """Product and message layers; the last of each updates scalars only."""
    product = BlockProductLayer if transposes else ProductLayer
    message = BlockMessageLayer if transposes else MessageLayer
    same: dict[str, Any] = {"norm": norm, "eps": eps}
    last = num_layers - 1
    products = [
        product(channels, order, final=i == last, in_order=in_order, **same)
        for i in range(num_layers)
    ]
    messages = [message(channels, order, final=i == last, **same) for i in range(num_layers)]
    return nn.ModuleList(products), nn.ModuleList(messages)
