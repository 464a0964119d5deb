"""The same small search for every encoding, by the validation part alone."""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from ogeaug.compare.entries import Entry
from ogeaug.compare.rules import Rules
from ogeaug.compare.width import count_parameters
from ogeaug.encodings import encoding_options
from ogeaug.errors import UserError
from ogeaug.model.config import EncodingConfig
from ogeaug.strict import explain
from ogeaug.tasks import make_task
from ogeaug.training.config import Config
from ogeaug.training.result import FitResult


@dataclass(frozen=True)
class Cell:
    """A try.

    Attributes:
        label: Of the entry.
        number: Of the cell, from 0.
        values: By key of the grid; keys that the encoding has not are left out.
        config: What it trains.
    """

    label: str
    number: int
    values: dict[str, Any]
    config: Config


def make_cells(
    configs: Mapping[str, Config], rules: Rules, entries: Mapping[str, Entry]
) -> list[Cell]:
    """All cells of all entries, built once, so that none is refused after hours.

    A key that an encoding has not, as ``none`` has no ``encoding.standardize``, or that its entry
    sets, gives it fewer cells.
    """
    keys = {
        label: [k for k in rules.grid or {} if _has(config, k) and not _sets(entries[label], k)]
        for label, config in configs.items()
    }
    for key in rules.grid or {}:
        if not any(key in own for own in keys.values()):
            raise UserError(
                f"no encoding that is compared has {key}, or has it open; leave it out of the "
                "search"
            )
    cells = []
    for label, config in configs.items():
        grid = {key: v for key, v in (rules.grid or {}).items() if key in keys[label]}
        for number, values in enumerate(itertools.product(*grid.values())):
            chosen = dict(zip(grid, values, strict=True))
            try:
                changed = apply(config, chosen)
                count_parameters(changed)
            except (UserError, ValidationError) as error:
                why = explain(error) if isinstance(error, ValidationError) else error
                raise UserError(f"{label} cannot be searched with {chosen}: {why}") from error
            cells.append(Cell(label, number, chosen, changed))
    return cells


def apply(config: Config, values: Mapping[str, Any]) -> Config:
    """A configuration with other values; all is checked as if it stood in a file."""
    tree = config.model_dump()
    for key, value in values.items():
        section, _, option = key.partition(".")
        place = tree["encodings"][0] if section == "encoding" else tree[section]
        place[option] = value
    return Config.model_validate(tree)


def best_cells(
    results: list[tuple[Cell, FitResult]],
) -> tuple[dict[str, Config], list[tuple[Cell, FitResult, bool]]]:
    """Chooses for each entry the cell that does best on validation data.

    Args:
        results: Of all cells.

    Returns:
        The configurations that were chosen, by label, and all cells with their results and whether
        they were chosen.
    """
    chosen: dict[str, int] = {}
    for label in dict.fromkeys(cell.label for cell, _ in results):
        own = [(cell, result) for cell, result in results if cell.label == label]
        best, result = min(own, key=lambda pair: _badness(*pair))
        if not result.epochs:
            raise UserError(
                f"{label}: the loss became NaN in every cell of the search; try lower rates, like  "
                f"--grid training.lr={best.config.training.lr / 10:g}"
            )
        chosen[label] = best.number
    records = [(cell, result, chosen[cell.label] == cell.number) for cell, result in results]
    return {cell.label: cell.config for cell, _, best in records if best}, records


def val_figure(cell: Cell, result: FitResult) -> float:
    """The main metric on the validation part."""
    task = make_task(cell.config.task, cell.config.training.loss)
    return result.metrics["val"].get(task.main, math.nan)


def _badness(cell: Cell, result: FitResult) -> tuple[bool, bool, float, int]:
    task = make_task(cell.config.task, cell.config.training.loss)
    figure = val_figure(cell, result)
    sign = 1 if task.lower_is_better else -1
    return not result.epochs, math.isnan(figure), sign * figure, cell.number


def _sets(entry: Entry, key: str) -> bool:
    section, _, option = key.partition(".")
    return section == "encoding" and option in entry.options


def _has(config: Config, key: str) -> bool:
    section, _, option = key.partition(".")
    if section != "encoding":
        return True
    if not config.encodings:
        return False
    return option in (*EncodingConfig.model_fields, *encoding_options(config.encodings[0].name))
