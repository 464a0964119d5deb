"""Tables of text: CSV with commas, semicolons or tabs, plain or gzipped, read row by row."""

import contextlib
import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from ogeaug.data.columns import find_column
from ogeaug.errors import UserError

DELIMITERS = (",", ";", "\t")
LONGEST = 16 * 2**20
"""Characters of a cell. A longer one is a quote that is not closed."""
SAMPLE = 50
"""Rows by which a delimiter is chosen."""


@dataclass(frozen=True)
class Table:
    """A table in memory.

    Attributes:
        columns: Names; "column_1", ... if the file has no header.
        rows: Cells, as many per row as columns.
        name: What to call it in messages.
        lines: The line of the file where a row begins, of rows that go over several lines.
        own: Whether it is a benchmark's, of which no option changes columns, targets or task.
    """

    columns: list[str]
    rows: list[list[str]]
    name: str
    lines: dict[int, int] = field(default_factory=dict)
    own: bool = False

    def column(self, name: str) -> list[str]:
        """The cells of a column of molecules, numbers or names of parts: none has line breaks."""
        place = find_column(self.columns, name, self.name, own=self.own)
        for row, line in self.lines.items():
            check_one_line(self.rows[row][place], name, self.name, line)
        return [row[place] for row in self.rows]


class TableReader:
    """Reads a table row by row, in constant memory.

    A byte order mark, CRLF line ends and gzip (by content, not name) are no matter. Blank lines are
    left out, except in a table of one column, where they are empty cells. Quoted cells may hold
    delimiters, and line breaks if that is allowed; a quote that is not closed is refused. Short
    rows are filled up with empty cells; the cells that a row has too many are joined to its last
    one, so that nothing is lost.

    A row that goes over several lines is refused by default. Two stray quotes look the same: they
    make one cell of all rows between them, and nobody would notice.

    The delimiter is the one by which most of the first rows have as many cells as the first line.

    Args:
        path: The file.
        header: Whether the first line names the columns.
        multiline: Whether cells may have line breaks.
        option: What users write to allow them, for the message; empty if they cannot.

    Attributes:
        columns: The names.
    """

    def __init__(
        self, path: str | Path, *, header: bool = True, multiline: bool = False, option: str = ""
    ) -> None:
        self.path = Path(path)
        self.header = header
        self.multiline = multiline
        self.option = option
        self.delimiter, first = self._look()
        self.columns = first if header else [f"column_{i + 1}" for i in range(len(first))]
        self.molecules: int | None = None

    def __iter__(self) -> Iterator[list[str]]:
        return (row for _, row in self.numbered())

    def find(self, name: str) -> int:
        """The place of the molecule column; from now on line breaks in it are refused."""
        self.molecules = find_column(self.columns, name, self.path.name)
        return self.molecules

    def count(self) -> tuple[int, int]:
        """Rows of the table, and lines of the file; refuses what cannot be read of it."""
        rows = sum(1 for _ in self)
        with self._open() as file:
            return rows, sum(1 for _ in file)

    def read(self) -> Table:
        """The whole table."""
        rows: list[list[str]] = []
        lines: dict[int, int] = {}
        for line, row in self.numbered():
            if self.multiline and any(_breaks(cell) for cell in row):
                lines[len(rows)] = line
            rows.append(row)
        return Table(self.columns, rows, self.path.name, lines)

    def numbered(self) -> Iterator[tuple[int, list[str]]]:
        """Rows of full width, and the lines where they begin."""
        width, place = len(self.columns), self.molecules
        first = self.header
        for line, last, row in self._cells(self.delimiter):
            if last > line and not self.multiline:
                raise self._several_lines(line, last, row)
            if first and _names(row):
                first = False
            elif not first and (row or width == 1):
                surplus = [self.delimiter.join(row[width - 1 :])] if len(row) > width else []
                row = row[: width - 1] + surplus if surplus else row
                row += [""] * (width - len(row))
                if place is not None:
                    check_one_line(row[place], self.columns[place], self.path.name, line)
                yield line, row

    def _look(self) -> tuple[str, list[str]]:
        """The delimiter and the cells of the first line."""
        best: tuple[float, int] | None = None
        chosen, first, problem = ",", [], None
        for delimiter in DELIMITERS:
            sample: list[list[str]] = []
            try:
                for row in islice((row for *_, row in self._cells(delimiter) if row), 1 + SAMPLE):
                    sample += [row] if sample or _names(row) else []
            except QuoteError as error:
                problem = error
            if not sample:
                continue
            width = len(sample[0])
            alike = sum(len(row) == width for row in sample) / len(sample)
            if best is None or (width > 1 and (best[1] == 1 or (alike, width) > best)):
                best, chosen, first = (alike, width), delimiter, sample[0]
        if best is None:
            empty = f"{self.path} is empty; expected a CSV file with a header line"
            raise problem or UserError(empty)
        return chosen, [cell.strip() for cell in first]

    def _several_lines(self, line: int, last: int, row: list[str]) -> "QuoteError":
        place = next(i for i, cell in enumerate(row) if _breaks(cell))
        column = self.columns[min(place, len(self.columns) - 1)]
        begin = row[place].strip().split("\n")[0].rstrip("\r")[:60]
        allow = f". Or, if its cells are meant to have line breaks, {self.option}"
        return QuoteError(
            f"{self.path}: the row that begins in line {line} goes on to line {last}: its column "
            f'{column!r} has line breaks, after {begin!r}. Is there a quote (") too many? It makes '
            "one cell of the lines up to the next quote: take it away, or write it twice in a cell "
            f"that has quotes around it{allow if self.option else ''}"
        )

    def _cells(self, delimiter: str) -> Iterator[tuple[int, int, list[str]]]:
        """The cells of each row as they stand, and its first and last line."""
        csv.field_size_limit(max(LONGEST, csv.field_size_limit()))  # 131,072 by itself
        with self._open() as file:
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            line = 1
            try:
                for row in reader:
                    yield line, reader.line_num, row
                    line = reader.line_num + 1
            except csv.Error as error:
                raise QuoteError(
                    f"{self.path}: the row that begins in line {line} cannot be read ({error}); a "
                    'quote (") that opens a cell must be closed at its end, and a quote inside '
                    "such a cell is written twice"
                ) from error

    @contextlib.contextmanager
    def _open(self) -> Iterator[io.TextIOWrapper]:
        if self.path.is_dir():
            raise UserError(f"{self.path} is a folder; expected a CSV file")
        if not self.path.exists():
            raise UserError(f"there is no file {self.path}")
        if not self.path.is_file():
            raise UserError(
                f"{self.path} is a pipe or a device, and a table is read more than once: write it "
                "to a file first"
            )
        with self.path.open("rb") as file:
            magic = file.read(4)
        if magic.startswith(b"PK"):
            raise UserError(f"{self.path} is a spreadsheet or zip file; save it as CSV (UTF-8)")
        zipped = magic.startswith(b"\x1f\x8b")
        binary = gzip.GzipFile(self.path) if zipped else self.path.open("rb")
        try:
            with io.TextIOWrapper(binary, encoding="utf-8-sig", newline="") as text:
                yield text
        except UnicodeDecodeError as error:
            raise UserError(
                f"{self.path} cannot be read as a UTF-8 table: {error}; save it as 'CSV UTF-8'"
            ) from error
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise UserError(f"{self.path} is damaged gzip data: {error}; fetch it again") from error


def read_own(path: Path) -> Table:
    """The table of a benchmark's file, by its whole name in messages."""
    return replace(TableReader(path).read(), name=str(path), own=True)


def _names(row: list[str]) -> bool:
    """Whether there is anything in a row: the first such one has the column names."""
    return any(cell.strip() for cell in row)


def _breaks(cell: str) -> bool:
    return "\n" in cell or "\r" in cell


class QuoteError(UserError):
    """Quotes of a table do not match, or seem not to; the message says in which line."""


def check_one_line(cell: str, column: str, table: str, line: int) -> None:
    """Refuses a cell with a line break: an open quote may have swallowed the rows after it."""
    if _breaks(cell.strip()):
        begin = cell.strip().splitlines()[0][:60]
        raise QuoteError(
            f"{table}: the row that begins in line {line} has a line break in column {column!r}, "
            f'after {begin!r}; is there a quote (") too many? It makes one cell of the lines up '
            "to the next quote"
        )
