"""The progress of a command that reads a table: how many rows are done."""

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


class RowCounter(Progress):
    """Counts rows that are done, as long as it is entered.

    Args:
        word: What is being done, like ``Predicting``.
        shown: Whether anything is to be seen.
    """

    def __init__(self, word: str, *, shown: bool) -> None:
        super().__init__(
            SpinnerColumn(),
            TextColumn(f"{word}: {{task.description}}"),
            TimeElapsedColumn(),
            console=Console(stderr=True),  # the table may go to the standard output
            transient=True,
            disable=not shown,
        )
        self.row_task = self.add_task("0 rows", total=None)

    def tell(self, rows: int) -> None:
        """So many rows are done."""
        self.update(self.row_task, description=f"{rows:,} rows")
