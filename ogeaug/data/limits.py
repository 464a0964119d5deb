"""How large a graph of a table may be."""

from ogeaug.errors import UserError

MAX_ATOMS = 2000
"""More than any drug, dye or peptide has. The eigenvectors of 2,000 nodes take about a second of
one core, of 3,000 six seconds, and of 12,000 minutes and gigabytes."""


def check_atoms(atoms: int, limit: int) -> None:
    """Refuses a graph that is too large."""
    if atoms > limit:
        raise UserError(size_note(atoms, limit))


def check_length(text: str, most: int, limit: int) -> None:
    """Refuses a text that no graph of so many atoms has, before it is parsed.

    Example:
        >>> check_length("C" * 300, 100, 2)
        Traceback (most recent call last):
        ogeaug.errors.UserError: too long: 300 characters, more than graphs of --max-atoms 2 have
    """
    if len(text) > most:
        raise UserError(
            f"too long: {len(text):,} characters, more than graphs of --max-atoms {limit} have"
        )


def size_note(atoms: int, limit: int) -> str:
    """Why a graph is left out, and how to have it computed.

    Example:
        >>> size_note(12000, 2000)
        'too large: 12,000 atoms, more than --max-atoms 2000; raise it to have them computed'
    """
    why = f"{atoms:,} atoms, more than --max-atoms {limit}"
    return f"too large: {why}; raise it to have them computed"
