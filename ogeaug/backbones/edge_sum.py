"""What GINE sums up at each node, by the compiled core or by PyTorch."""

import ctypes
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import Function

from ogeaug.native.build import available, load_if_built
from ogeaug.native.gate import Struct, call

PRECISIONS = {torch.float32: "f32", torch.float64: "f64"}
INSIDE = -1
ARGUMENTS = Struct(
    "edge:int64:2E x:T:Nh e:T:Eh out:T:Nh g:T:Nh dx:T:Nh de:T:Eh",
    nodes=ctypes.c_int64,
    edges=ctypes.c_int64,
    channels=ctypes.c_int64,
)
"""``struct EdgeSumArgs`` of ``native/src/edge_sum.h``."""


def edge_sum(x: Tensor, edge_index: Tensor, edge_attr: Tensor) -> Tensor:
    r"""Sums of what neighbours send.

    .. math:: y_i = x_i + \sum_{j \to i} \operatorname{ReLU}(x_j + e_{ji})

    On CPUs in one pass over the edges, without storing a message, where the compiled core is at
    hand; else by PyTorch. Both give the same up to rounding, NaN and second derivatives included.

    Shapes:
        - x ``[N, h]``, edge_index ``[2, E]``, edge_attr ``[E, h]`` -> ``[N, h]``

    Example:
        >>> path = torch.tensor([[0, 1], [1, 2]])
        >>> edge_sum(torch.ones(3, 1), path, torch.zeros(2, 1)).flatten()
        tensor([1., 2., 2.])
    """
    given = x, edge_index, edge_attr
    if not (
        all(t.dim() == 2 for t in given)
        and edge_index.size(0) == 2
        and edge_attr.shape == (edge_index.size(1), x.size(1))
    ):
        raise ValueError(
            "GINE takes x [N, h], edge_index [2, E] and edge_attr [E, h], got "
            + ", ".join(str(list(t.shape)) for t in given)
        )
    if at_hand(x, edge_index, edge_attr):
        found: Tensor = EdgeSum.apply(x, edge_index, edge_attr)
        return found
    return plain_edge_sum(x, edge_index, edge_attr)


def plain_edge_sum(x: Tensor, edge_index: Tensor, edge_attr: Tensor) -> Tensor:
    """The same by PyTorch."""
    source, target = edge_index
    messages = (x.index_select(0, source) + edge_attr).relu()  # [E, h]
    index = target[:, None].expand_as(messages)
    return x + torch.zeros_like(x, dtype=messages.dtype).scatter_add(0, index, messages)


def at_hand(x: Tensor, edge_index: Tensor, edge_attr: Tensor) -> bool:
    """Whether the core can do it: ordinary tensors of one precision on a CPU. Without gradients
    it is not worth to wait for a core to be built."""
    return (
        x.dtype in PRECISIONS
        and x.dtype == edge_attr.dtype
        and edge_index.dtype == torch.int64
        and all(map(_is_ordinary, (x, edge_index, edge_attr)))
        and not torch.compiler.is_compiling()
        and not _transformed()
        and (available() if torch.is_grad_enabled() else load_if_built() is not None)
    )


def _is_ordinary(t: Tensor) -> bool:
    """Whether its numbers lie in memory as they are: not so for PyTorch's stand-ins."""
    known = (type(t) is Tensor or type(t) is nn.Parameter) and torch._C._has_storage(t)
    return known and t.device.type == "cpu" and t.layout == torch.strided and not t.is_neg()


def _transformed() -> bool:
    """Whether a function of torch.func, like vmap, is at work."""
    return torch._C._are_functorch_transforms_active()


class EdgeSum(Function):
    """:func:`edge_sum` by the compiled core."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, edge_index: Tensor, edge_attr: Tensor) -> Tensor:
        edge, x, e = edge_index.contiguous(), x.contiguous(), edge_attr.contiguous()
        out = torch.empty_like(x)
        _call("edge_sum_forward", edge=edge, x=x, e=e, out=out)
        ctx.save_for_backward(x, edge, e)
        return out

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Any, ...]:
        x, edge, e = ctx.saved_tensors
        if torch.is_grad_enabled() or _transformed() or not _is_ordinary(g):
            return _plain_gradients(x, edge, e, g)  # which can be differentiated again
        dx, de = torch.empty_like(x), torch.empty_like(e)
        _call("edge_sum_backward", edge=edge, x=x, e=e, g=g.contiguous(), dx=dx, de=de)
        return dx, None, de


def _plain_gradients(x: Tensor, edge: Tensor, e: Tensor, g: Tensor) -> tuple[Any, ...]:
    source, target = edge
    stopped = x.index_select(0, source) + e <= 0  # [E, h]
    passed = g.index_select(0, target).masked_fill(stopped, 0)
    return g.index_add(0, source, passed), None, passed


def _call(name: str, *, edge: Tensor, x: Tensor, e: Tensor, **others: Tensor) -> None:
    (n, h), m = x.shape, edge.size(1)
    arguments = ARGUMENTS.fill(
        {"nodes": n, "edges": m, "channels": h},
        {"2E": 2 * m, "Nh": n * h, "Eh": m * h},
        {"edge": edge, "x": x, "e": e, **others},
        {"int64": torch.int64, "T": x.dtype},
    )
    if (outside := call(f"{name}_{PRECISIONS[x.dtype]}", arguments)) != INSIDE:
        ends = edge[:, outside].tolist()
        raise ValueError(f"edge {outside} joins {ends[0]} and {ends[1]}, but there are {n} nodes")
