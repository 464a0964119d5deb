"""Tables of text: CSV with commas, semicolons or tabs, plain or gzipped, read row by row."""

import contextlib
import csv
import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ogeaug.errors import UserError

DELIMITERS = (",", ";", "\t")


@dataclass(frozen=True)
class Table:
    """A table in memory.

    Attributes:
        columns: Names; "column_1", ... if the file has no header.
        rows: Cells, as many a row as columns.
        name: What to call it in messages.
    """

    columns: list[str]
    rows: list[list[str]]
    name: str

    def column(self, name: str) -> list[str]:
        """The cells of a column."""
        place = find_column(self.columns, name, self.name)
        return [row[place] for row in self.rows]


class TableReader:
    """Reads a table row by row, in constant memory.

    A byte order mark, CRLF line ends, gzip (by content, not name) and blank lines are no matter.
    Short rows are filled up with empty cells; the cells that a row has too many are joined to its
    last one, so that nothing is lost.

    Args:
        path: The file.
        header: Whether the first line names the columns.

    Attributes:
        columns: The names.
    """

    def __init__(self, path: str | Path, *, header: bool = True) -> None:
        self.path = Path(path)
        self.header = header
        self.delimiter, first = self._look()
        self.columns = first if header else [f"column_{i + 1}" for i in range(len(first))]

    def __iter__(self) -> Iterator[list[str]]:
        width = len(self.columns)
        with self._open() as file:
            rows = self._cells(file)
            if self.header:
                next(rows)
            for row in rows:
                surplus = [self.delimiter.join(row[width - 1 :])] if len(row) > width else []
                row = row[: width - 1] + surplus if surplus else row
                yield row + [""] * (width - len(row))

    def read(self) -> Table:
        """The whole table."""
        return Table(self.columns, list(self), self.path.name)

    def _look(self) -> tuple[str, list[str]]:
        """The delimiter and the cells of the first line."""
        with self._open() as file:
            line = next((line for line in file if line.strip()), None)
        if line is None:
            raise UserError(f"{self.path} is empty; expected a CSV file with a header line")
        self.delimiter = max(DELIMITERS, key=line.count)
        with self._open() as file:
            return self.delimiter, [cell.strip() for cell in next(self._cells(file))]

    def _cells(self, file: Iterable[str]) -> Iterator[list[str]]:
        return (row for row in csv.reader(file, delimiter=self.delimiter) if row)

    @contextlib.contextmanager
    def _open(self) -> Iterator[io.TextIOWrapper]:
        if self.path.is_dir():
            raise UserError(f"{self.path} is a folder; expected a CSV file")
        if not self.path.is_file():
            raise UserError(f"there is no file {self.path}")
        with self.path.open("rb") as file:
            magic = file.read(4)
        if magic.startswith(b"PK"):
            raise UserError(f"{self.path} is a spreadsheet or zip file; save it as CSV (UTF-8)")
        zipped = magic.startswith(b"\x1f\x8b")
        binary = gzip.GzipFile(self.path) if zipped else self.path.open("rb")
        try:
            with io.TextIOWrapper(binary, encoding="utf-8-sig", newline="") as text:
                yield text
        except (UnicodeDecodeError, csv.Error) as error:
            raise UserError(
                f"{self.path} cannot be read as a UTF-8 table: {error}; save it as 'CSV UTF-8'"
            ) from error
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise UserError(f"{self.path} is damaged gzip data: {error}; fetch it again") from error


def find_column(columns: list[str], name: str, table: str) -> int:
    """The place of a column; an error that lists the choices if there is not exactly one."""
    places = [i for i, column in enumerate(columns) if column == name]
    if len(places) > 1:
        numbers = ", ".join(str(i + 1) for i in places)
        raise UserError(
            f"{table} has {len(places)} columns named {name!r} (columns {numbers}); rename all but "
            "one of them"
        )
    if not places:
        shown = ", ".join(columns[:20]) + (", ..." if len(columns) > 20 else "")
        hint = "" if columns[0] == "column_1" else "; if the first line is data, --no-header-row"
        raise UserError(
            f"{table} has no column {name!r}; it has: {shown}. Name another one (--smiles-columns, "
            f"--target-columns){hint}"
        )
    return places[0]
