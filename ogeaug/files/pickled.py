"""Pickles of others: tensors, arrays and plain containers are read; nothing else is, or is run."""

import functools
import io
import pickle
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from ogeaug.errors import UserError
from ogeaug.files.pickled_arrays import (
    ARRAY,
    Forbidden,
    check_dtype,
    encode,
    fill,
    from_buffer,
    make_array,
    make_dtype,
    make_scalar,
    make_tensor,
)

DAMAGED = (
    *(pickle.UnpicklingError, EOFError, struct.error, MemoryError, AssertionError),
    *(AttributeError, IndexError, KeyError, TypeError, ValueError, RuntimeError, OverflowError),
)
"""What a cut off or senseless pickle makes Python's reader raise."""
STORAGES = {
    f"{name}Storage": kind
    for name, kind in {
        **{"Float": torch.float32, "Double": torch.float64, "Half": torch.float16},
        **{"Char": torch.int8, "Byte": torch.uint8, "Short": torch.int16, "Int": torch.int32},
        **{"Long": torch.int64, "Bool": torch.bool, "BFloat16": torch.bfloat16},
    }.items()
}
MAGIC, PROTOCOL = 0x1950A86A20F9469CFC6C, 1001
"""Of torch's format before it was a zip file: tensors inside a plain pickle are in it."""
BEGIN = b"\x80\x02(X\x07\x00\x00\x00storage"
"""What follows its header."""


class ForbiddenPickle(UserError):
    """A pickle that asks for more than arrays; it was not obeyed."""


def read_pickle(path: str | Path) -> Any:
    """The content of a pickle file; no function or class that it names is ever called.

    Tensors and arrays are made by functions of ours, which check sizes against what is there.

    Raises:
        ForbiddenPickle: It names something else than tensors, arrays and plain containers.
        UserError: It is absent, cut off, or no pickle.
    """
    path = Path(path)
    if not path.is_file():
        raise UserError(f"there is no file {path}")
    with path.open("rb") as file:
        return load_pickle(file, str(path))


def load_pickle(file: Any, source: str) -> Any:
    """:func:`read_pickle` of an open binary file, which messages call ``source``.

    Example:
        >>> load_pickle(io.BytesIO(pickle.dumps({"a": torch.ones(2)})), "my file")
        {'a': tensor([1., 1.])}
        >>> load_pickle(io.BytesIO(pickle.dumps(print)), "my file")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ogeaug.files.pickled.ForbiddenPickle: my file names builtins.print, which is neither ...
    """
    try:
        return _Reader(file).load()
    except Forbidden as error:
        raise ForbiddenPickle(
            f"{source} {error}, which is neither a tensor, an array nor a plain container; it was "
            "not run. Files of the benchmarks hold none: fetch it again from its project"
        ) from error
    except DAMAGED as error:
        why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise UserError(
            f"{source} is no complete pickle ({why}); is it cut off? Fetch it again"
        ) from error


class _Maker:
    """The only thing that a pickle can call: a function of ours."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self.make = make


class _Reader(pickle._Unpickler):
    """Python's own reader (not the one in C, which a number in a file can make fill the memory),
    without the instructions that make objects."""

    dispatch: ClassVar[dict[int, Callable[[Any], None]]] = {
        code: step
        for code, step in pickle._Unpickler.dispatch.items()
        if bytes([code])
        not in {
            *(pickle.INST, pickle.OBJ, pickle.NEWOBJ, pickle.NEWOBJ_EX, pickle.PERSID),
            *(pickle.EXT1, pickle.EXT2, pickle.EXT4, pickle.NEXT_BUFFER, pickle.READONLY_BUFFER),
        }
    }
    stack: list[Any]
    metastack: list[list[Any]]
    read: Callable[[int], bytes]
    append: Callable[[Any], None]

    def find_class(self, module: str, name: str) -> Any:
        found = MAKERS.get((module.replace("numpy._core", "numpy.core"), name))
        if found is None:
            raise Forbidden(f"names {module[:60]}.{name[:60]}")
        return found

    def persistent_load(self, pid: Any) -> Any:
        raise Forbidden("refers to an object outside of it")

    def load_reduce(self) -> None:
        arguments, maker = self.stack.pop(), self.stack[-1]
        if not isinstance(maker, _Maker):
            raise Forbidden(f"calls an object of type {type(maker).__name__}")
        self.stack[-1] = maker.make(*arguments)

    dispatch[pickle.REDUCE[0]] = load_reduce

    def load_build(self) -> None:
        state, made = self.stack.pop(), self.stack[-1]
        if isinstance(made, np.ndarray):
            fill(made, state)
        elif isinstance(made, np.dtype):
            check_dtype(state)
        else:
            raise Forbidden(f"sets the state of an object of type {type(made).__name__}")

    dispatch[pickle.BUILD[0]] = load_build

    def load_setitem(self) -> None:
        self._check_container(self.stack[-3:-2], dict)
        super().load_setitem()  # type: ignore[misc]

    dispatch[pickle.SETITEM[0]] = load_setitem

    def load_setitems(self) -> None:
        self._check_container(self.metastack[-1], dict)
        super().load_setitems()  # type: ignore[misc]

    dispatch[pickle.SETITEMS[0]] = load_setitems

    def load_append(self) -> None:
        self._check_container(self.stack[-2:-1], list)
        super().load_append()  # type: ignore[misc]

    dispatch[pickle.APPEND[0]] = load_append

    def load_appends(self) -> None:
        self._check_container(self.metastack[-1], list)
        super().load_appends()  # type: ignore[misc]

    dispatch[pickle.APPENDS[0]] = load_appends

    def load_additems(self) -> None:
        self._check_container(self.metastack[-1], set)
        super().load_additems()  # type: ignore[misc]

    dispatch[pickle.ADDITEMS[0]] = load_additems

    def _check_container(self, stack: list[Any], kind: type) -> None:
        """Python's reader would put entries into whatever stands there, so into an array's too."""
        if not isinstance(stack[-1], kind):
            raise Forbidden(f"puts entries into an object of type {type(stack[-1]).__name__}")

    def load_bytearray8(self) -> None:
        (count,) = struct.unpack("<Q", self.read(8))
        content = self.read(count)  # what is there, before room is made for it
        if len(content) < count:
            raise EOFError
        self.append(bytearray(content))

    dispatch[pickle.BYTEARRAY8[0]] = load_bytearray8


class _StorageReader(_Reader):
    """The inner pickles of a tensor's numbers: names of number types, and where the numbers are."""

    def find_class(self, module: str, name: str) -> Any:
        if module != "torch" or name not in STORAGES:
            raise Forbidden(f"names {module[:60]}.{name[:60]}")
        return STORAGES[name]

    def persistent_load(self, pid: Any) -> Any:
        kind, dtype, key, _, count, view = pid
        if kind != "storage" or not isinstance(dtype, torch.dtype) or view is not None:
            raise Forbidden("refers to an object outside of it")
        return dtype, str(key), count


def _load_storage(content: bytes) -> Tensor:
    """The numbers of a tensor ``[count]``, from torch's older format."""
    begin = content.find(BEGIN)
    _check_header(content[: max(0, begin)])
    file = io.BytesIO(content[begin:])
    dtype, key, count = _StorageReader(file).load()
    if _StorageReader(file).load() != [key]:
        raise ValueError("several tensors in one")
    (written,) = struct.unpack("<q", file.read(8))
    data = bytearray(file.read())
    if written != count or len(data) != count * dtype.itemsize:
        raise EOFError(f"{count} numbers are announced, {len(data)} bytes are there")
    return torch.frombuffer(data, dtype=dtype) if count else torch.empty(0, dtype=dtype)


@functools.lru_cache(maxsize=64)
def _check_header(header: bytes) -> None:
    """Three pickles, the same for all tensors of a file."""
    file = io.BytesIO(header)
    if _StorageReader(file).load() != MAGIC or _StorageReader(file).load() != PROTOCOL:
        raise ValueError("a tensor in an unknown format")
    if _StorageReader(file).load().get("little_endian") is not True:
        raise ValueError("numbers of a big-endian machine")


MAKERS: dict[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): _Maker(dict),
    ("_codecs", "encode"): _Maker(encode),
    ("__builtin__", "bytes"): _Maker(lambda: b""),  # none, as Python 2 has them written
    ("torch._utils", "_rebuild_tensor_v2"): _Maker(make_tensor),
    ("torch._utils", "_rebuild_tensor"): _Maker(make_tensor),
    ("torch.storage", "_load_from_bytes"): _Maker(_load_storage),
    ("numpy", "ndarray"): ARRAY,
    ("numpy", "dtype"): _Maker(make_dtype),
    ("numpy.core.multiarray", "_reconstruct"): _Maker(make_array),
    ("numpy.core.multiarray", "scalar"): _Maker(make_scalar),
    ("numpy.core.numeric", "_frombuffer"): _Maker(from_buffer),
}
"""What a pickle may name, and what it gets instead."""
