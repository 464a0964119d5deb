"""``csv``: a table of your own."""

from pathlib import Path

from ogeaug.data.config import DataConfig
from ogeaug.data.sets.base import Rows, TableSet, thin_out
from ogeaug.data.table import Table, TableReader
from ogeaug.errors import UserError


class CsvFile(TableSet):
    """A CSV file with a column of SMILES or graph6 strings, and columns of targets."""

    name = "csv"
    unused = ()

    def columns(self, data: DataConfig) -> list[str]:
        return self._reader(data).columns

    def read(self, data: DataConfig) -> Rows:
        table = self._reader(data).read()
        kept = thin_out(list(range(len(table.rows))), data.limit)
        rows = [table.rows[row] for row in kept]
        lines = {i: table.lines[row] for i, row in enumerate(kept) if row in table.lines}
        return Rows(table.columns, Table(table.columns, rows, table.name, lines))

    def title(self, data: DataConfig) -> str:
        return Path(data.path).name if data.path else self.name

    def _reader(self, data: DataConfig) -> TableReader:
        if data.path is None:
            raise UserError("data set 'csv' needs a file: --data-path FILE")
        option = "--allow-multiline (ogeaug compare: --set data.multiline=true)"
        return TableReader(data.path, header=data.header, multiline=data.multiline, option=option)
