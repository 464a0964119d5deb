"""How large a graph of a table may be."""

MAX_ATOMS = 2000
"""More than any drug, dye or peptide has. The eigenvectors of 2,000 nodes take about a second of
one core, of 3,000 six seconds, and of 12,000 minutes and gigabytes."""


def size_note(atoms: int, limit: int) -> str:
    """Why a graph is left out, and how to have it computed.

    Example:
        >>> size_note(12000, 2000)
        'too large: 12,000 atoms, more than --max-atoms 2000; raise it to have them computed'
    """
    why = f"{atoms:,} atoms, more than --max-atoms {limit}"
    return f"too large: {why}; raise it to have them computed"
