"""How much the page takes on: more is refused, with a message on the page."""

from ogeaug.errors import UserError

MOST_LETTERS = 20_000
"""Of a text that is typed or pasted."""
MOST_BYTES = 4 * 2**20
"""Of a request. A file of 2 MiB takes 2.7 MiB in base64."""
MOST_FILE_BYTES = 2 * 2**20
"""Of a table that is dropped."""
MOST_ROWS = 1_000
"""Of a table that is dropped."""
MOST_NODES = 150
"""Of a graph that is looked at; larger ones show no single node any more."""
MOST_TENSOR_BYTES = 2**30
"""That the tensors of an encoding may take."""
MOST_AT_ONCE = 48
"""Requests that are being answered. A browser opens six connections."""
MOST_WAITING = 16
"""Computations that wait for a process."""
SECONDS = 20.0
"""That a computation may take."""


def check_letters(text: str) -> None:
    """Refuses a text that is too long."""
    if len(text) > MOST_LETTERS:
        raise UserError(
            f"the text has {len(text):,} characters; this page takes up to {MOST_LETTERS:,}. "
            "ogeaug encode and ogeaug predict read files of any length"
        )


def check_nodes(count: int) -> None:
    """Refuses a graph that is too large, or has no nodes."""
    if count > MOST_NODES:
        raise UserError(
            f"the graph has {count:,} nodes; this page shows up to {MOST_NODES}. ogeaug encode "
            "and ogeaug predict take larger ones"
        )
    if count == 0:
        raise UserError("the graph has no nodes; write at least one")
