"""A table that was begun: goes on if it was asked for the same, and nothing was edited since."""

from pathlib import Path
from typing import Any

from ogeaug.errors import UserError
from ogeaug.reproduce.budget import find_budget
from ogeaug.reproduce.choice import chosen, values_of
from ogeaug.reproduce.schedule import (
    FIX,
    SCHEDULE,
    Schedule,
    Training,
    is_full,
    list_trainings,
    read_schedule,
)
from ogeaug.reproduce.table import PaperTable
from ogeaug.training.result import FitResult
from ogeaug.training.run_folder import RESULTS
from ogeaug.training.started import differences, plain_config, read_start


def read_begun(folder: Path, table: PaperTable, asked: dict[str, Any]) -> Schedule:
    """The schedule of an interrupted call.

    Args:
        folder: Of that call.
        table: Its table.
        asked: What the call is asked for now.

    Raises:
        UserError: It was asked for something else, or its schedule is not one of this table.
    """
    found = read_schedule(folder)
    for key, value in asked.items():
        if found.asked.get(key) != value:
            raise UserError(
                f"{folder} was begun with other {key} ({found.asked.get(key)}, now {value}); "
                "choose another folder (-o), or call it with the same arguments to go on"
            )
    wrong = _find_wrong(found, table, asked)
    if wrong:
        raise UserError(
            f"{folder / SCHEDULE} was edited, or is of another version of ogeaug: {wrong}; {FIX}, "
            "or go on with that version"
        )
    return found


def check_own_run(training: Training, folder: Path) -> None:
    """Refuses a run in the folder of a training that is another one's."""
    mine, (theirs, _) = training.parsed(), read_start(folder, given=False)
    # What the data fill in.
    filled = {key: getattr(theirs, key) for key in ("features", "task", "encodings")}
    changes = differences(mine.model_copy(update=filled), theirs)
    names = [[encoding.name for encoding in config.encodings] for config in (mine, theirs)]
    if names[0] != names[1]:
        changes.append(f"encodings were {names[0]}, now {names[1]}")
    if mine.task.targets and mine.task.targets != theirs.task.targets:
        changes.append(f"task.targets was {mine.task.targets}, now {theirs.task.targets}")
    if changes:
        raise UserError(
            f"{folder} holds another run than that of {training}: {'; '.join(changes)}; restore "
            "it, or delete it to train it anew"
        )


def check_figures(result: FitResult) -> None:
    """Refuses the record of a run that lacks what every run has."""
    if "val" not in result.metrics or not {"train", "val"} <= set(result.rows):
        raise UserError(
            f"{Path(result.folder) / RESULTS} is damaged: it has metrics of "
            f"{', '.join(result.metrics) or 'nothing'} and rows of "
            f"{', '.join(result.rows) or 'nothing'}, expected those of train and val among them; "
            "delete it, then the same call writes it anew"
        )


def _find_wrong(found: Schedule, table: PaperTable, asked: dict[str, Any]) -> str:
    """What does not belong to the table; empty if all does."""
    budget = find_budget(asked["budget"])
    rows, groups = chosen(table, asked, budget)
    values = values_of(table, asked, budget)
    longest = {row.label: table.config_of(row, groups[0], values).training.epochs for row in rows}
    if set(found.seconds) != set(longest):
        return f"it has seconds of {_names(found.seconds)}, expected of {_names(longest)}"
    if found.paper_epochs != longest:
        return f"paper_epochs are {found.paper_epochs}, expected {longest}"
    most = max(longest.values())
    fixed = asked["epochs"] or (budget.minutes is None and min(budget.epochs or most, most))
    if (fixed and found.epochs != fixed) or (not fixed and found.epochs > most):
        return f"it has {found.epochs} epochs, expected {fixed or f'at most {most}'}"
    seeds, allowed = len({one.seed for one in found.trainings}), asked["seeds"] or budget.seeds
    fixed = asked["seeds"] or budget.minutes is None
    if seeds > allowed or (fixed and seeds < allowed):
        return f"it has {seeds} seed(s), expected {'' if fixed else 'at most '}{allowed}"
    if found.full != is_full(values, found.epochs, most, seeds):
        return f"full is {found.full}"
    return _find_wrong_training(found, list_trainings(table, asked, found.epochs, seeds))


def _find_wrong_training(found: Schedule, wanted: list[Training]) -> str:
    if len(found.trainings) != len(wanted):
        return f"it lists {len(found.trainings)} trainings, expected {len(wanted)}"
    for number, (one, right) in enumerate(zip(found.trainings, wanted, strict=True), 1):
        if str(one) != str(right):
            return f"training {number} is that of {one}, expected {right}"
        if one.config != right.config:
            now, then = one.parsed(), right.parsed()
            if plain_config(now) != plain_config(then):
                changes = "; ".join(differences(then, now)) or f"data.path is {now.data.path}"
                return f"the configuration of {one} is not that of the table: {changes}"
    return ""


def _names(labels: dict[str, Any]) -> str:
    return "; ".join(labels) or "nothing"
