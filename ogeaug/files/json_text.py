"""Small text and JSON files of ours, read with bounds: a damaged one is named."""

import json
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from ogeaug.errors import UserError
from ogeaug.strict import explain

MOST_BYTES = 16 * 2**20
"""Of a text file. Ours have some kilobytes; results of thousands of targets a few megabytes."""
MOST_LEVELS = 100
"""Of containers inside each other. Ours have about ten, the record of a checkpoint thirty."""

Record = TypeVar("Record")


def read_text(path: Path, fix: str) -> str:
    """The text of a file that must be there, of reasonable size, and UTF-8.

    Args:
        path: The file.
        fix: What the user can do if it is absent or damaged; the end of the message.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise UserError(f"there is no file {path}; {fix}") from error
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}; {fix}") from error
    if len(content) > MOST_BYTES:
        raise UserError(f"{path} is larger than {MOST_BYTES >> 20} MiB: it is none of ours; {fix}")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is damaged: it is no text in UTF-8; {fix}") from error


def read_json(path: Path, kind: type[Record], fix: str) -> Record:
    """Reads a JSON file, and checks that it holds what it should.

    Args:
        path: The file.
        kind: A pydantic model or dataclass; keys that it does not have are left out.
        fix: What the user can do if the file is absent or damaged.

    Raises:
        UserError: The file is absent, no JSON, too deep, or lacks something.
    """
    return check_record(parse_json(read_text(path, fix), str(path), fix), kind, str(path), fix)


def parse_json(text: str, source: str, fix: str) -> Any:
    """JSON text as Python values.

    Example:
        >>> parse_json('{"a": [1, 2]}', "my.json", "write it again")
        {'a': [1, 2]}
        >>> parse_json('[' * 200 + ']' * 200, "my.json", "write it again")
        Traceback (most recent call last):
        ogeaug.errors.UserError: my.json is damaged: more than 100 levels; write it again
    """
    try:
        found = json.loads(text, object_pairs_hook=_object)
        if _deeper_than(found, MOST_LEVELS):
            raise RecursionError
    except RecursionError as error:  # of the parser, too
        raise UserError(f"{source} is damaged: more than {MOST_LEVELS} levels; {fix}") from error
    except ValueError as error:
        raise UserError(f"{source} is damaged: it is no JSON ({error}); {fix}") from error
    return found


def check_record(value: Any, kind: type[Record], source: str, fix: str) -> Record:
    """A parsed value as a record."""
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        raise UserError(f"{source} is damaged: {explain(error)}; {fix}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:60]!r} stands twice")
    return found


def _deeper_than(value: Any, most: int) -> bool:
    level = [value]
    for _ in range(most):
        inside: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inside += item.values()
            elif isinstance(item, list):
                inside += item
        level = [item for item in inside if isinstance(item, dict | list)]
        if not level:
            return False
    return True
