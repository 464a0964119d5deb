"""The one gate to the C++ core, which follows pointers blindly.

No other module takes the address of a tensor or calls the core. What passes has the kind, the
length and the place that C++ takes for granted; numbers that point somewhere (nodes, windows) are
checked by the core itself, as it reads them.
"""

import ctypes
import functools
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from ogeaug.native.build import load_core

STRIDED = torch.strided
KINDS = {"int64": torch.int64, "int32": torch.int32, "f32": torch.float32, "f64": torch.float64}
NO_MEMORY, FAILED = -(2**63), -(2**63) + 1
"""What the core returns instead of an exception; see ``src/core.cpp``."""


class Struct:
    """A struct of the core: numbers, then pointers to tensors of known kind and length.

    Args:
        pointers: ``name:kind:length`` of each, in the order of the C++ struct. A kind is one of
            ``KINDS`` or named by the call; a length is named by the call.
        numbers: The C type of each number.

    Example:
        >>> ARGS = Struct("edge:int64:2E weight:f64:E", edges=ctypes.c_int64)
        >>> edges = torch.tensor([[0, 1], [1, 0]])
        >>> ARGS.fill({"edges": 2}, {"2E": 4, "E": 2}, {"edge": edges, "weight": None}).edges
        2
        >>> ARGS.fill({"edges": 2}, {"2E": 4, "E": 2}, {"edge": edges.int()})
        Traceback (most recent call last):
        TypeError: the compiled core takes edge as torch.int64, got torch.int32
    """

    def __init__(self, pointers: str, **numbers: Any) -> None:
        slots = [slot.split(":") for slot in pointers.split()]
        self.slots = {name: (kind, length) for name, kind, length in slots}
        names = [*numbers.items(), *((name, ctypes.c_void_p) for name in self.slots)]
        self.record = type("Record", (ctypes.Structure,), {"_fields_": names})

    def fill(
        self,
        numbers: Mapping[str, Any],
        lengths: Mapping[str, int],
        tensors: Mapping[str, Tensor | None],
        kinds: Mapping[str, torch.dtype] = KINDS,
    ) -> Any:
        """The struct for a call; it keeps its tensors alive. What is None is a null pointer."""
        filled = self.record(**numbers)
        filled.tensors = []
        self.add(filled, lengths, tensors, kinds)
        return filled

    def add(
        self,
        filled: Any,
        lengths: Mapping[str, int],
        tensors: Mapping[str, Tensor | None],
        kinds: Mapping[str, torch.dtype] = KINDS,
    ) -> None:
        """Further tensors for a struct that :meth:`fill` made, checked in the same way."""
        for name, tensor in tensors.items():
            if tensor is None:
                continue
            kind, length = self.slots[name]
            if not (
                isinstance(tensor, Tensor)
                and tensor.dtype is kinds[kind]
                and tensor.is_cpu
                and tensor.layout is STRIDED
                and tensor.numel() == lengths[length]
                and tensor.is_contiguous()
                and not tensor.is_neg()
            ):
                _refuse(name, tensor, kinds[kind], lengths[length])
            address = tensor.data_ptr()
            if address == 0 and tensor.numel() > 0:
                _refuse(name, tensor, kinds[kind], lengths[length])
            setattr(filled, name, address)
        filled.tensors.append(tensors)


def call(name: str, *structs: Any) -> int:
    """Calls ``int64_t name(const Struct*, ...)``; the core is built first if need be."""
    found: int = _function(name)(*map(ctypes.byref, structs))
    if found == NO_MEMORY:
        raise MemoryError(f"the compiled core ran out of memory in {name}; use smaller batches")
    if found == FAILED:
        raise RuntimeError(f"the compiled core failed in {name}")
    return found


@functools.cache
def _function(name: str) -> Any:
    function = getattr(load_core(), name)
    function.restype = ctypes.c_int64
    return function


def _refuse(name: str, tensor: object, kind: torch.dtype, length: int) -> None:
    takes = f"the compiled core takes {name} as"
    if not isinstance(tensor, Tensor):
        raise TypeError(f"{takes} a tensor, got {type(tensor).__name__}")
    if tensor.dtype is not kind:
        raise TypeError(f"{takes} {kind}, got {tensor.dtype}")
    if not tensor.is_cpu or tensor.layout is not torch.strided:
        raise ValueError(f"{takes} a dense CPU tensor, got {tensor.layout} on {tensor.device}")
    if tensor.numel() != length:
        raise ValueError(f"{takes} {length} numbers, got {list(tensor.shape)}")
    if not tensor.is_contiguous():
        raise ValueError(f"{takes} contiguous memory, got strides {tensor.stride()}")
    raise ValueError(
        f"{takes} numbers in memory, got a {type(tensor).__name__} that stands for them"
    )
