"""Files that torch.save wrote, of others: tensors and plain containers, by torch's safe loader."""

import pickle
import re
import struct
import warnings
from pathlib import Path
from typing import Any

import torch

from ogeaug.errors import UserError

DAMAGED = (
    *(OSError, RuntimeError, EOFError, ValueError, LookupError, TypeError, AttributeError),
    *(AssertionError, OverflowError, MemoryError, struct.error),
)
"""What a cut off or senseless file makes torch's reader raise."""


def read_torch(path: str | Path) -> Any:
    """The content of a ``.pt`` file; torch's ``weights_only`` admits tensors and containers alone.

    Raises:
        UserError: It is absent, cut off, or holds something else.
    """
    path = Path(path)
    if not path.is_file():
        raise UserError(f"there is no file {path}")
    try:
        with warnings.catch_warnings(action="ignore"):  # of torch's developers, not of ours
            return torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise UserError(
            f"{path} holds something else than tensors and plain containers, or is damaged; "
            f"nothing of it was run{_why(error)}. Fetch it again from its project"
        ) from error
    except DAMAGED as error:
        raise UserError(
            f"{path} is no complete file of torch{_why(error)}; is it cut off? Fetch it again"
        ) from error


def _why(error: Exception) -> str:
    """The cause in brackets; never torch's advice, which is to load the file without its guard."""
    text = str(error)
    if named := re.search(r"GLOBAL:? (?:GLOBAL )?([\w.]{1,100})", text):
        return f" (it asks for {named[1]})"
    first = text.partition("\n")[0].partition(". ")[0][:200]
    return f" ({first})" if first and "weights" not in first.lower() else ""
