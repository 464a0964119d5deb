"""Files that list which entries of another file make up a part."""

import gzip
import zlib
from pathlib import Path

from ogeaug.errors import UserError


def read_index(path: Path, count: int) -> list[int]:
    """The numbers of a list, separated by commas or line ends, as benchmarks publish them.

    Args:
        path: The list.
        count: How many entries there are; a number beyond them is refused.
    """
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("ascii")
        found = [int(word) for word in text.replace(",", " ").split()]
    except (ValueError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{path} is no list of numbers ({error}); fetch it again") from error
    return check_index(found, count, str(path))


def check_index(found: list[int], count: int, source: str, *, first: int = 0) -> list[int]:
    """Refuses a list that is empty, names an entry that is not there, or one twice.

    Args:
        found: Entries, from 0.
        count: How many there are.
        source: The list's file.
        first: What the first entry is called there.

    Example:
        >>> check_index([0, 2], 2, "val.index")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ogeaug.errors.UserError: val.index names entry 2 (1 such number(s)), there are 2, ...
    """
    if not found:
        raise UserError(f"{source} is empty; fetch it again")
    beyond = [number for number in found if not 0 <= number < count]
    if beyond:
        raise UserError(
            f"{source} names entry {beyond[0] + first} ({len(beyond)} such number(s)), there are "
            f"{count}, from {first}; is it of other files?"
        )
    if len(set(found)) < len(found):
        twice = next(number for number in found if found.count(number) > 1)
        raise UserError(f"{source} names entry {twice + first} more than once; fetch it again")
    return found
