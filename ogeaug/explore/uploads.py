"""Tables that are dropped on the page."""

import base64
import binascii
import tempfile
from pathlib import Path

from ogeaug.data.molecule import parse_smiles
from ogeaug.data.table import Table, TableReader
from ogeaug.errors import UserError
from ogeaug.explore.limits import MOST_FILE_BYTES, MOST_ROWS
from ogeaug.files.output import writing

MOST_COLUMNS = 100
TRIED = 20
"""Rows by which the column of molecules is found."""


def read_upload(contents: str) -> tuple[Table, int]:
    """The table, and the place of its molecule column.

    Args:
        contents: ``data:...;base64,...``, as a browser sends a file.
    """
    _, comma, text = contents.partition(";base64,")
    try:
        content = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise UserError("the file did not arrive whole; drop it again") from error
    if not comma or not content:
        raise UserError("the file is empty; expected a CSV file with a header line")
    if len(content) > MOST_FILE_BYTES:
        raise UserError(
            f"the file has {len(content):,} bytes; this page takes up to {MOST_FILE_BYTES:,}. "
            "ogeaug predict reads tables of any length"
        )
    if content.startswith(b"\x1f\x8b"):
        raise UserError("the file is gzipped; unpack it first")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        with writing(path) as file:
            file.write(content)
        try:
            table = TableReader(path).read()
        except UserError as error:
            raise UserError(str(error).replace(str(path), "the table")) from error
    if len(table.rows) > MOST_ROWS or len(table.columns) > MOST_COLUMNS:
        raise UserError(
            f"the table has {len(table.rows):,} rows and {len(table.columns):,} columns; this page "
            f"shows up to {MOST_ROWS:,} and {MOST_COLUMNS}. ogeaug predict takes any number"
        )
    if not table.rows:
        raise UserError("the table has column names but no rows; is it complete?")
    return table, find_molecules(table)


def find_molecules(table: Table) -> int:
    """The column of molecules: by its name, or the first one whose cells are mostly SMILES."""
    for place, name in enumerate(table.columns):
        if name.strip().lower() == "smiles":
            return place
    for place in range(len(table.columns)):
        cells = [row[place] for row in table.rows[:TRIED]]
        if sum(map(_is_molecule, cells)) * 2 > len(cells):
            return place
    shown = ", ".join(name[:40] for name in table.columns[:20])
    raise UserError(f"no column holds molecules; name one 'smiles'. There are: {shown}")


def _is_molecule(text: str) -> bool:
    try:
        parse_smiles(text, max_atoms=100)
    except UserError:
        return False
    return not text.strip().isdigit()
