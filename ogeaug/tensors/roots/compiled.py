"""The networks at the roots by the compiled core: root after root, in the processor's caches."""

import ctypes
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from ogeaug.native.gate import Struct, call
from ogeaug.tensors.compiled.functions import PRECISIONS
from ogeaug.tensors.compiled.layout import CoreLayout
from ogeaug.tensors.compiled.path import at_hand, list_batch_neighbours
from ogeaug.tensors.network import First, Graphs

ROOT = Struct(
    "v:T:N1 s:T:K e:T:Kh q:T:Lhh b:T:Mh out:T:N2Mh g:T:N2Mh de:T:Kh dq:T:Lhh db:T:Mh",
    layers=ctypes.c_int64,
    eps=ctypes.c_double,
    scale=ctypes.c_double,
)
"""``struct RootArgs`` of ``native/src/roots.h``; M = L + 1."""


def lay_out_roots(weight: Tensor, graphs: Graphs, kernel: str) -> CoreLayout | None:
    """The layout of a batch for the core, without bands; None if PyTorch is to do it."""
    if not at_hand(weight, graphs, "auto" if kernel == "compiled_bf16" else kernel):
        return None
    spectra, found = graphs.spectra, list_batch_neighbours(graphs)
    sizes, counts = spectra.num_nodes, spectra.num_eigvals
    none = torch.zeros(int(counts.sum()), dtype=torch.int32, device="cpu")
    zeros = torch.zeros(len(spectra) + 1, dtype=torch.int64, device="cpu")
    return CoreLayout(
        node=_starts(sizes),
        eig=_starts(counts),
        pair=zeros,
        row1=_starts(sizes * counts),
        row2=zeros,
        low=none,
        high=none,
        first=none,
        rho2=torch.empty(0, dtype=weight.dtype, device="cpu"),
        start=found.start,
        neighbour=found.neighbour,
        weight=None if found.weight is None else found.weight.to(weight.dtype).contiguous(),
    )


def _starts(counts: Tensor) -> Tensor:
    return torch.cat([counts.new_zeros(1), counts.cumsum(0)])


def run_compiled(
    layout: CoreLayout, first: First, weight: Tensor, bias: Tensor, *, eps: float, scale: float
) -> Tensor:
    """The same as :func:`ogeaug.tensors.roots.plain.run_plain`."""
    given = first.eigvecs, first.scale, first.e, weight, bias
    found: Tensor = Roots.apply(layout, eps, scale, *given)
    return found


class Roots(Function):
    """What is read at each root; no gradient for eigenvectors v and fading s.

    Shapes:
        - v ``[N1]``, s ``[sum K]``, e ``[sum K, h]``, q ``[L, h, h]``, b ``[L + 1, h]``
          -> ``[N, (L + 1) 2 h]``
    """

    @staticmethod
    def forward(
        ctx: Any,
        layout: CoreLayout,
        eps: float,
        scale: float,
        v: Tensor,
        s: Tensor,
        e: Tensor,
        q: Tensor,
        b: Tensor,
    ) -> Tensor:
        given = {"v": v, "s": s, "e": e, "q": q, "b": b}
        given = {name: tensor.contiguous() for name, tensor in given.items()}
        out = b.new_empty(layout.num_rows[0], 2 * b.numel())
        ctx.layout, ctx.numbers = layout, {"layers": len(q), "eps": eps, "scale": scale}
        _call("root_forward", layout, ctx.numbers, given, out=out)
        ctx.save_for_backward(*given.values())
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Any, ...]:
        given = dict(zip("vseqb", ctx.saved_tensors, strict=True))
        found = {f"d{name}": torch.zeros_like(given[name]) for name in "eqb"}
        _call("root_backward", ctx.layout, ctx.numbers, given, g=g.contiguous(), **found)
        return None, None, None, None, None, *found.values()


def _call(
    name: str,
    layout: CoreLayout,
    numbers: dict[str, Any],
    given: dict[str, Tensor],
    **others: Tensor,
) -> None:
    (m, h), (nodes, rows1, _), eigs = given["b"].shape, layout.num_rows, layout.low.numel()
    lengths = {"N1": rows1, "K": eigs, "Kh": eigs * h, "Lhh": (m - 1) * h * h, "Mh": m * h}
    lengths["N2Mh"] = nodes * 2 * m * h
    kinds = {"T": layout.rho2.dtype}
    arguments = ROOT.fill(numbers, lengths, given | others, kinds)
    call(f"{name}_{PRECISIONS[layout.rho2.dtype]}", layout.to_c(h), arguments)
