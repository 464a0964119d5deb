"""Which runs a table takes under a budget, and what they will cost; kept as schedule.json."""

import json
import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

from ogeaug.files.json_text import read_json
from ogeaug.files.output import write_text
from ogeaug.reproduce.budget import find_budget
from ogeaug.reproduce.choice import chosen, values_of
from ogeaug.reproduce.table import PaperTable
from ogeaug.training.config import Config, dump_config, parse_config

SCHEDULE = "schedule.json"
"""All runs of a table that was begun."""
FIX = "restore it, or choose another folder (-o)"


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
        return parse_config(self.config, [], f"of {self} in {SCHEDULE}")

    def __str__(self) -> str:
        return f"{self.row}, {self.group}, seed {self.seed}"


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
    trainings: Annotated[list[Training], Field(min_length=1)]
    seconds: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]]
    epochs: Annotated[int, Field(ge=1)]
    paper_epochs: dict[str, int]
    full: bool
    memory: Annotated[int, Field(ge=0)] | None

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


def list_trainings(
    table: PaperTable, asked: dict[str, Any], epochs: int, seeds: int
) -> list[Training]:
    """All rows with one seed first, so that an early look is fair.

    Args:
        table: The table.
        asked: Arguments of :func:`ogeaug.reproduce.run.reproduce` by name.
        epochs: Of each.
        seeds: How many, from 0.
    """
    budget = find_budget(asked["budget"])
    rows, groups = chosen(table, asked, budget)
    values = values_of(table, asked, budget)
    planned = [
        (row.label, group.name, table.config_of(row, group, values))
        for group in groups
        for row in rows
    ]
    return [
        Training(
            row=row,
            group=group,
            seed=seed,
            config=dump_config(shortened(config, epochs, seed)),
        )
        for seed in range(seeds)
        for row, group, config in planned
    ]


def is_full(values: dict[str, Any], epochs: int, most: int, seeds: int) -> bool:
    """Whether data, epochs (``most`` are the paper's) and seeds are the paper's."""
    whole = values.get("data.limit") is None
    return whole and epochs >= most and seeds >= find_budget("paper").seeds


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


def read_schedule(folder: Path) -> Schedule:
    """The schedule of a call; :func:`ogeaug.reproduce.begun.read_begun` checks it as well."""
    return read_json(folder / SCHEDULE, Schedule, FIX)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", text.lower().replace("δ", "delta")).strip("-")
