"""What is compared: encodings by name, each with a label and options of its own. Loads no torch."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ogeaug.encodings import ENCODINGS
from ogeaug.errors import UserError
from ogeaug.training.config import parse_value

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Entry:
    """One line of a comparison.

    Attributes:
        label: By which tables and folders know it.
        name: Of the encoding.
        options: That differ from the configuration's.
    """

    label: str
    name: str
    options: dict[str, Any] = field(default_factory=dict)


def read_entries(
    encodings: Sequence[str], options: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, Entry]:
    """Entries by label, from texts like ``spe`` or ``small=oge_aug(delta=0.005, k=8)``.

    Args:
        encodings: A text for each. Its label is the name, unless another stands before it.
        options: Further options by label.

    Example:
        >>> read_entries(["d5=oge_aug(delta=0.5)", "spe"], {"spe": {"k": 8}})["d5"]
        Entry(label='d5', name='oge_aug', options={'delta': 0.5})
    """
    found: dict[str, Entry] = {}
    for text in encodings:
        entry = _read(text.strip())
        if entry.label in found:
            raise UserError(
                f"name each encoding to compare once; got {entry.label} more than once. The same "
                f"one with other options needs a label:  other={entry.name}(...)"
            )
        found[entry.label] = entry
    if not found:
        raise UserError("name each encoding to compare once; got no name")
    unknown = sorted(set(options or {}) - set(found))
    if unknown:
        raise UserError(f"options for {', '.join(unknown)}, which is not compared")
    for label, more in (options or {}).items():
        entry = found[label]
        twice = sorted(set(more) & set(entry.options))
        if twice:
            raise UserError(f"{label}: {', '.join(twice)} is given twice; leave one out")
        found[label] = Entry(label, entry.name, entry.options | dict(more))
    return found


def split_entries(text: str) -> list[str]:
    """Parts of a text between commas that stand outside of all brackets.

    Example:
        >>> split_entries("a=oge_aug(delta=0.5, k=8), spe")
        ['a=oge_aug(delta=0.5, k=8)', 'spe']
    """
    parts, open_, start = [], [], 0
    for at, letter in enumerate(text):
        if letter in _CLOSING:
            open_.append(_CLOSING[letter])
        elif letter in _CLOSING.values() and (not open_ or open_.pop() != letter):
            raise UserError(f"a bracket {letter!r} too many in {text!r}; {_HOW}")
        elif letter == "," and not open_:
            parts.append(text[start:at].strip())
            start = at + 1
    if open_:
        raise UserError(f"a bracket {open_[-1]!r} is missing in {text!r}; {_HOW}")
    return [*parts, text[start:].strip()]


_HOW = "write  name,  name(option=value, ...)  or  label=name(option=value, ...)"


def _read(text: str) -> Entry:
    head, bracket, rest = text.partition("(")
    label, equals, name = (part.strip() for part in head.partition("="))
    if not equals:
        name = label
    if (bracket and (not rest.endswith(")") or len(split_entries(text)) > 1)) or not label:
        raise UserError(f"{text!r} is no encoding to compare; {_HOW}")
    ENCODINGS.check(name)
    if not _LABEL.fullmatch(label):
        raise UserError(
            f"the label {label!r} is to name a folder; use up to 64 letters, digits, _ and -"
        )
    if label != name and label in ENCODINGS:
        raise UserError(
            f"{text!r} would call {name} by the name of another encoding; choose another label"
        )
    return Entry(label, name, _read_options(rest[:-1], text) if bracket else {})


def _read_options(text: str, whole: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in split_entries(text) if text.strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key.isidentifier() and equals and value):
            raise UserError(f"{part!r} in {whole!r} is no option; {_HOW}")
        if key in found:
            raise UserError(f"{whole!r}: {key} is given twice; leave one out")
        found[key] = parse_value(value, f"--encodings {whole}: {key}")
    return found
