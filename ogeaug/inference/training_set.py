"""The molecules that a model was trained on, to show those that are like a new one."""

import csv
from dataclasses import dataclass
from pathlib import Path

from ogeaug.data.sets import find_set
from ogeaug.data.sets.base import TableSet
from ogeaug.errors import UserError
from ogeaug.files.json_text import read_text
from ogeaug.training.config import parse_config
from ogeaug.training.run_folder import RUN_CONFIG, SPLIT

MOST = 20_000


@dataclass(frozen=True)
class TrainingSet:
    """Molecules of a training part.

    Attributes:
        smiles: Of each.
        targets: Their cells in the target columns, as they stand in the table; empty where the
            data set computes them.
        left_out: How many more there are.
    """

    smiles: list[str]
    targets: list[list[str]]
    left_out: int


def read_training_set(folder: Path, *, most: int = MOST) -> TrainingSet:
    """Reads the training part of a run again.

    Args:
        folder: Of the run.
        most: Molecules to keep, the first ones.

    Raises:
        UserError: The table is gone or has changed, or there is none; the message says why.
    """
    file, split = folder / RUN_CONFIG, folder / SPLIT
    if not file.is_file() or not split.is_file():
        raise UserError(f"{folder} has no {RUN_CONFIG if not file.is_file() else SPLIT}")
    config = parse_config(read_text(file, "train again"), [], str(file))
    known = find_set(config.data.name)
    if not isinstance(known, TableSet) or known.only_graphs(config.data):
        raise UserError(f"data set {config.data.name!r} has no table of molecules")
    if config.features.kind not in ("molecule", "ogb", "zinc"):
        raise UserError("the model was trained on graphs, not on molecules")
    table = known.read(config.data).table
    with split.open(encoding="utf-8", newline="") as opened:
        rows = [int(line["row"]) for line in csv.DictReader(opened) if line["part"] == "train"]
    if rows and max(rows) >= len(table.rows):
        raise UserError(f"{table.name} has changed since the training: it has fewer rows now")
    texts = table.column(known.column(config.data))
    columns = [table.columns.index(t) for t in config.task.targets if t in table.columns]
    kept = rows[:most]
    targets = [[table.rows[row][column] for column in columns] for row in kept]
    return TrainingSet([texts[row] for row in kept], targets, len(rows) - len(kept))
