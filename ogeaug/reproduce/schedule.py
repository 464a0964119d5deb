"""Which runs a table takes under a budget, and what they will cost; kept as schedule.json."""

import json
import math
import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field
from rich.console import Console

from ogeaug.compare.wall_time import epoch_seconds
from ogeaug.errors import UserError
from ogeaug.files.json_text import check_record, parse_json, read_text
from ogeaug.files.output import write_text
from ogeaug.measure.complexity import peak_memory
from ogeaug.reproduce.budget import Budget, find_budget, share_out
from ogeaug.reproduce.check import SCHEDULE, chosen, values_of
from ogeaug.reproduce.last_data import LastData
from ogeaug.reproduce.table import PaperTable
from ogeaug.training.config import Config, dump_config, parse_config

BATCHES = 3
"""On which an epoch's time is measured, after one that does not count."""


class Training(BaseModel):
    """One training.

    Attributes:
        row: Its label.
        group: The name of its group of columns.
        seed: Of the training.
        config: As YAML.
    """

    row: str
    group: str
    seed: int
    config: str

    def folder(self, root: Path) -> Path:
        """Where the run is."""
        return root / f"{_slug(self.row)}-{_slug(self.group)}-seed{self.seed}"

    def parsed(self) -> Config:
        return parse_config(self.config, [], SCHEDULE)


class Schedule(BaseModel):
    """All trainings of a table.

    Attributes:
        asked: What the command was called with.
        trainings: In order.
        seconds: Of an epoch, by row, as measured before.
        epochs: Of each training.
        paper_epochs: Of the paper, by row.
        full: Whether data, epochs and seeds are the paper's.
        memory: The most that the process had while it measured, in MiB; None where the system does
            not say.
    """

    asked: dict[str, Any]
    trainings: list[Training]
    seconds: dict[str, float]
    epochs: Annotated[int, Field(ge=1)]
    paper_epochs: dict[str, int]
    full: bool
    memory: int | None

    @property
    def minutes(self) -> float:
        """All of it, on one core."""
        return sum(self.seconds[one.row] for one in self.trainings) * self.epochs / 60

    def describe(self) -> str:
        """What will be done, in a few lines."""
        seeds = len({one.seed for one in self.trainings})
        lines = [
            f"{len(self.trainings)} runs: {len(self.seconds)} models, "
            f"{len({one.group for one in self.trainings})} trainings each, {seeds} seed(s), "
            f"{self.epochs} epoch(s); about {self.minutes:.0f} minutes of one core"
        ]
        if self.memory is not None:
            lines[0] += f", {self.memory:,} MiB per process"
        lines += [f"  {row}: {seconds:.1f} s per epoch" for row, seconds in self.seconds.items()]
        return "\n".join(lines)


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
    trainings = []
    for seed in range(seeds):  # all rows with one seed first, so that an early look is fair
        for group in groups:
            for row in rows:
                config = shortened(table.config_of(row, group, values), epochs, seed)
                trainings.append(
                    Training(row=row.label, group=group.name, seed=seed, config=dump_config(config))
                )
    full = (
        values.get("data.limit") is None and epochs >= most and seeds >= find_budget("paper").seeds
    )
    return Schedule(
        asked=asked,
        trainings=trainings,
        seconds={label: round(value, 3) for label, value in seconds.items()},
        epochs=epochs,
        paper_epochs=longest,
        full=full,
        memory=None if math.isnan(peak := peak_memory()) else round(peak / 1024),
    )


def shortened(config: Config, epochs: int, seed: int) -> Config:
    """A configuration with fewer epochs; the warm-up keeps its share of them.

    Example:
        >>> from ogeaug.training.config import load_config
        >>> shortened(load_config("zinc_gine_oge"), 40, seed=0).training.warmup_epochs
        1.0
    """
    t = config.training.with_epochs(epochs)
    update = {"seed": seed, "tensorboard": False}
    return config.model_copy(update={"training": t.model_copy(update=update)})


def write_schedule(folder: Path, schedule: Schedule) -> None:
    write_text(folder / SCHEDULE, json.dumps(schedule.model_dump(), indent=2) + "\n")


def read_schedule(folder: Path, asked: dict[str, Any] | None = None) -> Schedule | None:
    """The schedule of an interrupted call, which must have been asked for the same."""
    file = folder / SCHEDULE
    if not file.is_file():
        return None
    fix = "restore it, or choose another folder"
    found = check_record(parse_json(read_text(file, fix), str(file), fix), Schedule, str(file), fix)
    for key, value in (asked or {}).items():
        if found.asked.get(key) != value:
            raise UserError(
                f"{folder} was begun with other {key} ({found.asked.get(key)}, now {value}); "
                "choose another folder (-o), or call it with the same arguments to go on"
            )
    return found


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", text.lower().replace("δ", "delta")).strip("-")
