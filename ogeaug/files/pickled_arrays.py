"""What a pickle may make, made by us: each checks what is asked for against what is there."""

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

KINDS = frozenset("biufcSUO")
"""Of numpy: numbers, text, and Python objects, which are then plain ones, too."""


class Forbidden(Exception):
    """A pickle asks for more than arrays; says for what."""


def make_tensor(storage: Any, offset: Any, size: Any, stride: Any, *_: Any) -> Tensor:
    """A tensor of numbers that are there; whether it requires a gradient is no matter."""
    if not isinstance(storage, Tensor) or math.prod(size) > storage.numel():
        raise ValueError(f"a tensor of size {tuple(size)} of fewer numbers")
    return torch.as_strided(storage, tuple(size), tuple(stride), offset)


class ArrayType:
    """Stands for numpy.ndarray, which would make room for any size that is asked for."""


def make_array(kind: Any, shape: Any, code: Any) -> NDArray[Any]:
    if kind is not ARRAY or shape != (0,):
        raise ValueError(f"an array of shape {shape} before its numbers")
    return np.empty(0, dtype=np.int8)


def make_dtype(code: Any, *_: Any) -> np.dtype[Any]:
    if not isinstance(code, str) or code.lstrip("<>|=")[:1] not in KINDS or "," in code:
        raise Forbidden(f"has an array of type {str(code)[:60]}")
    return np.dtype(code)


def check_dtype(state: Any) -> None:
    """Refuses structures and foreign byte orders; all else of the state is known already."""
    _, order, subtype, names, fields, *_ = state
    if subtype is not None or names is not None or fields is not None:
        raise Forbidden("has an array of structures")
    if order == ">":
        raise ValueError("numbers of a big-endian machine")


def fill(array: NDArray[Any], state: Any) -> None:
    """Gives an array that is still empty its shape and content."""
    _, shape, dtype, _, content = state
    if array.size or not isinstance(dtype, np.dtype):
        raise ValueError("an array that is filled twice")
    have = len(content) if dtype.hasobject else len(content) // max(1, dtype.itemsize)
    kinds = list if dtype.hasobject else bytes
    if not isinstance(content, kinds) or math.prod(shape) != have or min(shape, default=0) < 0:
        raise ValueError(f"an array of shape {shape} of {have} entries")
    array.__setstate__(state)


def make_scalar(dtype: Any, content: Any = b"") -> Any:
    if not isinstance(dtype, np.dtype) or dtype.hasobject or not isinstance(content, bytes):
        raise ValueError("a number of unknown type")
    return np.frombuffer(content, dtype=dtype, count=1)[0]


def from_buffer(content: Any, dtype: Any, shape: Any, order: Any, *_: Any) -> NDArray[Any]:
    if not isinstance(dtype, np.dtype) or dtype.hasobject:
        raise ValueError("an array of unknown type")
    if not isinstance(content, bytes | bytearray):  # of another array it would be a second view
        raise Forbidden(f"has an array of the memory of a {type(content).__name__}")
    return np.frombuffer(content, dtype=dtype).reshape(shape, order=order)


def encode(text: Any, encoding: Any) -> bytes:
    """Bytes, as Python 2 has them written."""
    if not isinstance(text, str) or encoding != "latin1":
        raise Forbidden(f"encodes text as {str(encoding)[:60]}")
    return text.encode("latin1")


ARRAY = ArrayType()
