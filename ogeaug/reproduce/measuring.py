"""What the runs of a table will cost: an epoch of each row is measured on a few batches."""

import math
from typing import Any

from rich.console import Console

from ogeaug.measure.complexity import peak_memory
from ogeaug.reproduce.budget import Budget, share_out
from ogeaug.reproduce.choice import chosen, values_of
from ogeaug.reproduce.last_data import LastData
from ogeaug.reproduce.schedule import Schedule, is_full, list_trainings
from ogeaug.reproduce.table import PaperTable
from ogeaug.training.epoch_time import epoch_seconds

BATCHES = 3
"""On which an epoch's time is measured, after one that does not count."""


def make_schedule(
    table: PaperTable, asked: dict[str, Any], budget: Budget, console: Console
) -> Schedule:
    """Measures an epoch of each row on a few batches, and shares the budget out.

    Args:
        table: The table.
        asked: Arguments of :func:`ogeaug.reproduce.run.reproduce` by name.
        budget: How much.
        console: For progress.
    """
    rows, groups = chosen(table, asked, budget)
    values = values_of(table, asked, budget)
    for row in table.rows if not asked["rows"] else []:
        if row not in rows:
            console.print(f"left out at this budget (--rows takes it): {row.label}", markup=False)
    seconds, longest = {}, {}
    data = LastData()
    for row in rows:
        console.print(f"measuring an epoch: {row.label}")
        config = table.config_of(row, groups[0], values)
        longest[row.label] = config.training.epochs
        prepared = data.of(config, progress=not console.quiet)
        seconds[row.label] = epoch_seconds(prepared.config, prepared.parts, BATCHES)
    one = sum(seconds.values()) * len(groups)
    most = max(longest.values())
    epochs, seeds = share_out(budget, most, one, epochs=asked["epochs"], seeds=asked["seeds"])
    return Schedule(
        asked=asked,
        trainings=list_trainings(table, asked, epochs, seeds),
        seconds={label: round(value, 3) for label, value in seconds.items()},
        epochs=epochs,
        paper_epochs=longest,
        full=is_full(values, epochs, most, seeds),
        memory=None if math.isnan(peak := peak_memory()) else round(peak / 1024),
    )
