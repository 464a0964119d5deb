"""C structs in Python."""

import ctypes


def fields(pointers: str, **numbers: type) -> list[tuple[str, type]]:
    """The fields of a C struct: numbers, then pointers."""
    return [*numbers.items(), *((name, ctypes.c_void_p) for name in pointers.split())]
