"""The layers of order 2 with the compiled core: same parameters, same results, less traffic."""

import torch
from torch import Tensor, nn

from ogeaug.tensors.compiled.functions import Message, Product
from ogeaug.tensors.compiled.layout import CoreLayout
from ogeaug.tensors.rows.message import MessageLayer
from ogeaug.tensors.rows.product import ProductLayer
from ogeaug.tensors.rows.records import Tensors


def pair(
    product_layer: nn.Module,
    message_layer: nn.Module,
    layout: CoreLayout,
    w0: Tensor,
    w1: Tensor,
    w2: Tensor,
    *seen: Tensor,
) -> tuple[Tensor, ...]:
    """One layer after the other: (w0, w1, w2, ...) -> the same, with the new w0 added at the end;
    after the last layers w0 of all layers alone."""
    found = message(message_layer, product(product_layer, Tensors(w0, w1, w2), layout), layout)
    if message_layer.final:
        return *seen, found.w0
    assert found.w2 is not None
    return found.w0, found.w1, found.w2, *seen, found.w0


def product(layer: nn.Module, w: Tensors, layout: CoreLayout) -> Tensors:
    """What ``layer(w, layout)`` gives, for a product layer of order 2."""
    assert isinstance(layer, ProductLayer)
    mix = layer.mix
    t0 = mix.scalars(w.w0)  # [N, h]
    matrices, scalars = [mix.linear1, mix.linear2], [layer.c0[1:], layer.c0.new_zeros(5)]
    if not layer.final:
        matrices += [layer.linear1, layer.linear2]
        scalars = [layer.c0[1:], layer.c1, layer.c2]
    weights = [_weight(linear) for linear in matrices]
    in_order, keep = layer.in_order and not layer.final, torch.is_grad_enabled()
    sum0, *out = Product.apply(
        layout, mix.eps, in_order, keep, w.w1, w.w2, t0, torch.cat(scalars), *weights
    )
    w0 = w.w0 + layer.linear0(layer.c0[0] * w.w0 * t0 + sum0)
    return Tensors(w0, w.w1, w.w2) if layer.final else Tensors(w0, *out)


def message(layer: nn.Module, w: Tensors, layout: CoreLayout) -> Tensors:
    """What ``layer(w, layout)`` gives, for a message layer of order 2."""
    assert isinstance(layer, MessageLayer)
    mix = layer.mix
    t0 = mix.scalars(w.w0)  # [N, h]
    degree = layout.start.diff()
    sent = t0.index_select(0, layout.neighbour)  # [E, h]
    if layout.weight is not None:
        sent = sent * layout.weight.unsqueeze(-1)
    w0 = w.w0.index_add(0, torch.repeat_interleave(degree), sent)
    if layer.final:
        return Tensors(w0, w.w1, w.w2)
    weights = _weight(mix.linear1), _weight(mix.linear2)
    return Tensors(w0, *Message.apply(layout, mix.eps, w.w1, w.w2, *weights))


def _weight(linear: nn.Linear | None) -> Tensor:
    assert linear is not None  # there is one for each order
    return linear.weight
