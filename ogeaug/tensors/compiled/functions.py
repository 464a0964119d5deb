"""Differentiable functions around the compiled core."""

import ctypes
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from ogeaug.native.build import load_core
from ogeaug.native.gate import Struct, call
from ogeaug.tensors.compiled.layout import CoreLayout

KEEP_TILDES = 16 * 2**20
"""Bytes of tilde copies of a layer that are kept for the backward pass. Larger ones are computed
again: one matrix product more in ten, a third of the memory less."""


PRECISIONS = {torch.float32: "f32", torch.float64: "f64", torch.bfloat16: "bf16"}

START = Struct("v:T:N1 s:T:K e:T:Kh q:T:h w1:S:N1h w2:S:N2h g1:S:N1h g2:S:N2h de:T:Kh dq:T:h")
"""``struct StartArgs`` of ``native/src/start.h``. Rows hold numbers S, sums are numbers T."""

PRODUCT = Struct(
    "scalars:T:7 w1:S:N1h w2:S:N2h t0:T:Nh q1:T:hh q2:T:hh r1:T:hh r2:T:hh t1:S:N1h t2:S:N2h "
    "sum0:T:Nh out1:S:N1h out2:S:N2h g0:T:Nh g1:S:N1h g2:S:N2h d1:S:N1h d2:S:N2h dt0:T:Nh "
    "dq1:T:hh dq2:T:hh dr1:T:hh dr2:T:hh dscalars:T:7",
    eps=ctypes.c_double,
    final=ctypes.c_int64,
    in_order=ctypes.c_int64,
)
"""``struct ProductArgs`` of ``native/src/product.h``."""

MESSAGE = Struct(
    "w1:S:N1h w2:S:N2h q1:T:hh q2:T:hh out1:S:N1h out2:S:N2h g1:S:N1h g2:S:N2h d1:S:N1h d2:S:N2h "
    "dq1:T:hh dq2:T:hh",
    eps=ctypes.c_double,
)
"""``struct MessageArgs`` of ``native/src/message.h``."""


class Start(Function):
    """w1 = s v e and w2 = rho^2 s v s v q; no gradient for eigenvectors v and fading s.

    Shapes:
        - v ``[N1]``, s ``[sum K]``, e ``[sum K, h]``, q ``[h]`` -> w1 ``[N1, h]``, w2 ``[N2, h]``
    """

    @staticmethod
    def forward(
        ctx: Any, layout: CoreLayout, v: Tensor, s: Tensor, e: Tensor, q: Tensor
    ) -> tuple[Tensor, Tensor]:
        h = q.numel()
        v, s, e, q = v.contiguous(), s.contiguous(), e.contiguous(), q.contiguous()
        _, rows1, rows2 = layout.num_rows
        w1 = q.new_empty(rows1, h, dtype=layout.row_dtype)
        w2 = q.new_empty(rows2, h, dtype=layout.row_dtype)
        _call("start_forward", layout, h, START, {}, v=v, s=s, e=e, q=q, w1=w1, w2=w2)
        ctx.layout = layout
        ctx.save_for_backward(v, s, e, q)
        return w1, w2

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g1: Tensor, g2: Tensor) -> tuple[Any, ...]:
        v, s, e, q = ctx.saved_tensors
        de, dq = torch.zeros_like(e), torch.zeros_like(q)
        tensors = {"v": v, "s": s, "g1": g1.contiguous(), "g2": g2.contiguous(), "de": de, "dq": dq}
        _call("start_backward", ctx.layout, q.numel(), START, {}, **tensors)
        return None, None, None, de, dq


class Product(Function):
    """The product layer; ``scalars`` are c01, c02, c10, c12, c20, c11, c22. With ``in_order`` the
    sums of w2 read the new w1.

    It keeps the tensors and, with ``keep`` and unless they are large, their tilde copies for the
    backward pass.

    Shapes:
        - w1 ``[N1, h]``, w2 ``[N2, h]``, t0 ``[N, h]``, scalars ``[7]``, matrices ``[h, h]`` ->
          sum0 without its first term ``[N, h]``, w1, w2
    """

    @staticmethod
    def forward(
        ctx: Any,
        layout: CoreLayout,
        eps: float,
        in_order: bool,
        keep: bool,
        w1: Tensor,
        w2: Tensor,
        t0: Tensor,
        scalars: Tensor,
        *matrices: Tensor,  # q1, q2, r1, r2
    ) -> tuple[Tensor, ...]:
        w1, w2, t0 = w1.contiguous(), w2.contiguous(), t0.contiguous()
        final = len(matrices) == 2
        in_order = in_order and not final
        named = _matrices("q1 q2" if final else "q1 q2 r1 r2", matrices)
        tilde = {}
        if keep and any(ctx.needs_input_grad) and w1.nbytes + w2.nbytes <= KEEP_TILDES:
            tilde = {"t1": torch.empty_like(w1), "t2": torch.empty_like(w2)}
        out = {"sum0": torch.empty_like(t0)}
        if not final:
            out |= {"out1": torch.empty_like(w1), "out2": torch.empty_like(w2)}
        ctx.layout, ctx.options = layout, {"eps": eps, "final": final, "in_order": in_order}
        tensors = {"scalars": scalars, "w1": w1, "w2": w2, "t0": t0} | tilde | named
        _call("product_forward", layout, t0.size(1), PRODUCT, ctx.options, **tensors, **out)
        if in_order:
            tensors["out1"] = out["out1"]
        ctx.names = tuple(tensors)
        ctx.save_for_backward(*tensors.values())
        return tuple(out.values())

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Any, ...]:
        saved = dict(zip(ctx.names, ctx.saved_tensors, strict=True))
        g = {f"g{i}": gradient.contiguous() for i, gradient in enumerate(gradients)}
        d = {"d1": torch.empty_like(saved["w1"]), "d2": torch.empty_like(saved["w2"])}
        final = ctx.options["final"]
        if not final:
            d["dt0"] = torch.empty_like(saved["t0"])
        d["dscalars"] = torch.zeros_like(saved["scalars"])
        for name in ("q1", "q2") if final else ("q1", "q2", "r1", "r2"):
            d[f"d{name}"] = torch.zeros_like(saved[name])
        h = saved["t0"].size(1)
        _call("product_backward", ctx.layout, h, PRODUCT, ctx.options, **saved, **g, **d)
        matrices = (d["dq1"], d["dq2"]) if final else (d["dq1"], d["dq2"], d["dr1"], d["dr2"])
        return None, None, None, None, d["d1"], d["d2"], d.get("dt0"), d["dscalars"], *matrices


class Message(Function):
    """The message layer for W1 and W2.

    Shapes:
        - w1 ``[N1, h]``, w2 ``[N2, h]``, q1 and q2 ``[h, h]`` -> w1, w2
    """

    @staticmethod
    def forward(
        ctx: Any, layout: CoreLayout, eps: float, w1: Tensor, w2: Tensor, *matrices: Tensor
    ) -> tuple[Tensor, Tensor]:
        tensors = {"w1": w1.contiguous(), "w2": w2.contiguous()} | _matrices("q1 q2", matrices)
        out1, out2 = torch.empty_like(tensors["w1"]), torch.empty_like(tensors["w2"])
        ctx.layout, ctx.options = layout, {"eps": eps}
        h = w1.size(1)
        _call("message_forward", layout, h, MESSAGE, ctx.options, **tensors, out1=out1, out2=out2)
        ctx.save_for_backward(*tensors.values())
        return out1, out2

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g1: Tensor, g2: Tensor) -> tuple[Any, ...]:
        saved = dict(zip(("w1", "w2", "q1", "q2"), ctx.saved_tensors, strict=True))
        dq1, dq2 = torch.zeros_like(saved["q1"]), torch.zeros_like(saved["q2"])
        g = {"g1": g1.contiguous(), "g2": g2.contiguous()}
        d1, d2 = torch.empty_like(g["g1"]), torch.empty_like(g["g2"])
        d = {"d1": d1, "d2": d2, "dq1": dq1, "dq2": dq2}
        _call("message_backward", ctx.layout, g1.size(1), MESSAGE, ctx.options, **saved, **g, **d)
        return None, None, d1, d2, dq1, dq2


def _matrices(names: str, matrices: tuple[Tensor, ...]) -> dict[str, Tensor]:
    return {name: m.contiguous() for name, m in zip(names.split(), matrices, strict=True)}


def _call(
    name: str,
    layout: CoreLayout,
    h: int,
    struct: Struct,
    options: dict[str, Any],
    **tensors: Tensor,
) -> None:
    """Calls a layer of the core in the layout's precision, with h channels."""
    if layout.half and (h == 0 or h % (load_core().bf16_channels() or h + 1)):
        raise ValueError(f"the compiled core does not do {h} channels in bfloat16 here")
    nodes, rows1, rows2 = layout.num_rows
    eigs = layout.low.numel()
    lengths = {"7": 7, "h": h, "hh": h * h, "N1": rows1, "K": eigs, "Kh": eigs * h}
    lengths |= {"Nh": nodes * h, "N1h": rows1 * h, "N2h": rows2 * h}
    kinds = {"T": layout.rho2.dtype, "S": layout.row_dtype}
    arguments = struct.fill(options, lengths, tensors, kinds)
    call(f"{name}_{PRECISIONS[layout.row_dtype]}", layout.to_c(h), arguments)
