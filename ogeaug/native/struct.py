"""C structs in Python, and calls with them."""

import ctypes


def fields(pointers: str, **numbers: type) -> list[tuple[str, type]]:
    """The fields of a C struct: numbers, then pointers."""
    return [*numbers.items(), *((name, ctypes.c_void_p) for name in pointers.split())]


def call(core: ctypes.CDLL, name: str, arguments: ctypes.Structure) -> int:
    """Calls ``int64_t name_(const Args*)``."""
    function = getattr(core, name + "_")
    function.restype = ctypes.c_int64
    return int(function(ctypes.byref(arguments)))
