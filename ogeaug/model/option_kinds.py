"""Options of encodings by the kinds that their constructors declare."""

from types import NoneType
from typing import Any, get_args, get_type_hints

from ogeaug.encodings import find_encoding
from ogeaug.errors import UserError

_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a word",
    NoneType: "null",
}


def check_kinds(name: str, options: dict[str, Any]) -> None:
    """Refuses an option of another kind than the signature has: ``transposes: maybe`` is truthy.

    Kinds other than numbers, words and switches are left to the constructor.

    Args:
        name: Of the encoding.
        options: By name, known ones only.
    """
    hints = get_type_hints(find_encoding(name).__init__)
    for key, value in options.items():
        hint = hints.get(key)
        kinds = get_args(hint) or (hint,)
        if not all(kind in _KINDS for kind in kinds) or _fits(value, kinds):
            continue
        wanted = " or ".join(_KINDS[kind] for kind in kinds)
        raise UserError(f"encoding {name!r} with {key}={value!r}: {key} must be {wanted}")


def _fits(value: Any, kinds: tuple[Any, ...]) -> bool:
    if type(value) is int and float in kinds:
        return True
    return type(value) in kinds  # a bool is an int, but no number
