"""All layers in one call of the core: for batches whose tensors may all be kept."""

import ctypes
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from ogeaug.native.gate import Struct
from ogeaug.tensors.compiled.functions import call_core
from ogeaug.tensors.compiled.layout import CoreLayout
from ogeaug.tensors.compiled.memory import Loan
from ogeaug.tensors.network import First, Network
from ogeaug.tensors.rows.message import MessageLayer
from ogeaug.tensors.rows.product import ProductLayer

KEEP_ALL = 512 * 2**20
"""Bytes that may be kept for the backward pass; with more, layers go one by one."""

NETWORK = Struct(
    "parameters:T:count w0:T:Nh v:T:N1 s:T:K e:T:Kh q:T:h memory:T:size scalars:T:LNh g:T:LNh "
    "dparameters:T:count de:T:Kh dq:T:h dw0:T:Nh",
    eps=ctypes.c_double,
    norm_eps=ctypes.c_double,
    layers=ctypes.c_int64,
    in_order=ctypes.c_int64,
    keep=ctypes.c_int64,
    count=ctypes.c_int64,
    size=ctypes.c_int64,
)
"""``struct NetworkArgs`` of ``native/src/network.h``."""


def fits(network: Network, layout: CoreLayout) -> bool:
    """Whether the network and the batch are for this way."""
    if network.norm != "layer" or layout.half:
        return False
    layers, channels = len(network.products), network.weight.size(-1)
    return _size(layout, channels, layers, keep=True) * layout.row_dtype.itemsize <= KEEP_ALL


def run_whole(network: Network, layout: CoreLayout, first: First) -> Sequence[Tensor]:
    """The scalars after each pair of layers, ``[N, h]`` each."""
    pairs = list(zip(network.products, network.messages, strict=True))
    parameters = [p for product, message in pairs for p in _parameters(product, message)]
    product = pairs[0][0]
    assert isinstance(product, ProductLayer)
    norm = product.mix.norm0
    assert isinstance(norm, nn.LayerNorm)
    options = {
        "eps": product.mix.eps,
        "norm_eps": norm.eps,
        "layers": len(pairs),
        "in_order": product.in_order and not product.final,
    }
    inputs = (first.eigvecs, first.scale, first.e, *first.q, first.w0, *parameters)
    options["keep"] = torch.is_grad_enabled() and any(tensor.requires_grad for tensor in inputs)
    found: Tensor = Whole.apply(layout, options, *inputs)
    return found.unbind()


class Whole(Function):
    """From the first tensors to the scalars after each of L pairs of layers.

    Shapes:
        - v ``[N1]``, s ``[sum K]``, e ``[sum K, h]``, q ``[h]``, w0 ``[N, h]`` -> ``[L, N, h]``
    """

    @staticmethod
    def forward(ctx: Any, layout: CoreLayout, options: dict[str, Any], *inputs: Tensor) -> Tensor:
        v, s, e, q, w0 = (tensor.contiguous() for tensor in inputs[:5])
        flat = torch.cat([parameter.flatten() for parameter in inputs[5:]])
        layers, (nodes, h) = options["layers"], w0.shape
        loan = Loan(_size(layout, h, layers, options["keep"]), flat.dtype)
        scalars = flat.new_empty(layers, nodes, h)
        tensors = {"parameters": flat, "v": v, "s": s, "e": e, "q": q, "w0": w0}
        _call("network_forward", layout, options, loan, **tensors, scalars=scalars)
        if options["keep"]:
            ctx.layout, ctx.options, ctx.loan = layout, options, loan
            ctx.shapes = [parameter.shape for parameter in inputs[5:]]
            ctx.save_for_backward(*tensors.values())
        return scalars

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Any, ...]:
        names = ("parameters", "v", "s", "e", "q", "w0")
        saved = dict(zip(names, ctx.saved_tensors, strict=True))
        d = {f"d{name}": torch.zeros_like(saved[name]) for name in ("parameters", "e", "q", "w0")}
        g = g.contiguous()
        _call("network_backward", ctx.layout, ctx.options, ctx.loan, **saved, **d, g=g)
        pieces = d["dparameters"].split([shape.numel() for shape in ctx.shapes])
        parameters = [p.view(shape) for p, shape in zip(pieces, ctx.shapes, strict=True)]
        return None, None, None, None, d["de"], d["dq"], d["dw0"], *parameters


def _size(layout: CoreLayout, h: int, layers: int, keep: bool) -> int:
    """How many numbers ``struct Network`` of ``native/src/network.h`` has room for."""
    nodes, *rows = layout.num_rows
    scalars = nodes * (8 * h + 2)
    if not keep:
        return 2 * sum(rows) * h + scalars
    return (3 * layers + 1) * sum(rows) * h + layers * scalars


def _parameters(product: nn.Module, message: nn.Module) -> list[Tensor]:
    """In the order of ``struct Pair`` of ``native/src/network.h``."""
    assert isinstance(product, ProductLayer)
    assert isinstance(message, MessageLayer)
    own, sent = product.mix, message.mix
    modules: list[Any] = [own.linear0, own.norm0, sent.linear0, sent.norm0]
    found = [p for module in modules for p in (module.weight, module.bias)]
    rest: list[Any] = [own.linear1, own.linear2, product.linear0]
    found += [*(linear.weight for linear in rest), product.c0]
    if not product.final:
        rest = [product.linear1, product.linear2, sent.linear1, sent.linear2]
        found += [product.c1, product.c2, *(linear.weight for linear in rest)]
    return found


def _call(
    name: str, layout: CoreLayout, options: dict[str, Any], loan: Loan, **tensors: Tensor
) -> None:
    w0, count = tensors["w0"], tensors["parameters"].numel()
    sizes = {"count": count, "size": loan.numbers.numel()}
    lengths = sizes | {"LNh": options["layers"] * w0.numel()}
    tensors["memory"] = loan.numbers
    call_core(name, layout, w0.size(1), NETWORK, options | sizes, lengths, **tensors)
