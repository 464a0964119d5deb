"""Which columns are targets if none is named: the only one there is, else what the user says."""

import json
import math
import shlex

from ogeaug.data.cells import check_cells, number
from ogeaug.data.sources import read_source, source_columns
from ogeaug.data.table import QuoteError, Table, find_column
from ogeaug.errors import UserError
from ogeaug.model.config import TaskConfig
from ogeaug.training.config import Config

MOST_SHOWN = 20


def with_targets(config: Config, columns: list[str], table: str) -> TaskConfig:
    """The task with its target columns; if none is named and only one can be meant, that one.

    Args:
        config: What is to be trained.
        columns: Of its table.
        table: What to call that in messages.

    Raises:
        UserError: None is named and there are several columns; says which could be meant.
    """
    if config.task.targets:
        return config.task
    others = _others(config, columns)
    if len(others) == 1:
        return config.task.model_copy(update={"targets": others})
    found = _candidates(config, others)
    if not found:
        raise UserError(
            f"{table} has no column of {_values(config.task)} to train on, besides the column "
            f"{config.data.column!r}; it has {_shown(others) or 'no other column'}"
        )
    names = ",".join(found[:MOST_SHOWN])
    option = f"--target-columns {shlex.quote(names)}"
    if any("," in name for name in found):  # which --target-columns would split
        option = "--set " + shlex.quote(f"task.targets={json.dumps(found[:MOST_SHOWN])}")
    raise UserError(
        f"name the target column(s) of {table}, like  {option}  (for ogeaug compare: --set "
        f"{shlex.quote(f'task.targets=[{found[0]}]')}). Columns of {_values(config.task)}: "
        f"{_shown(found)}; ogeaug train takes them all by --yes"
    )


def suggest_targets(config: Config) -> list[str]:
    """Columns that could be targets, if that is a question: none is named, and there are several.

    Reads the table.
    """
    if config.task.targets or not config.task.facts.in_tables:
        return []
    data = config.data
    columns = source_columns(data.name, path=data.path, header=data.header)
    find_column(columns, data.column, data.path or data.name)
    others = _others(config, columns)
    return [] if len(others) == 1 else _candidates(config, others)


def _others(config: Config, columns: list[str]) -> list[str]:
    """All but the column of molecules, that of the split, and those without a name (an index)."""
    taken = ("", config.data.column, config.split.column)
    return [name for name in columns if name not in taken]


def _candidates(config: Config, others: list[str]) -> list[str]:
    data = config.data
    table = read_source(data.name, path=data.path, header=data.header, limit=data.limit)
    return [name for name in others if _fits(name, config.task, table)]


def _fits(name: str, task: TaskConfig, table: Table) -> bool:
    try:
        cells = [number(cell) for cell in table.column(name)]
        check_cells(name, cells, table, task.classes)
    except QuoteError:
        place = table.columns.index(name)
        rest = [number(row[place]) for i, row in enumerate(table.rows) if i not in table.lines]
        if None not in rest and not all(math.isnan(value or 0) for value in rest):
            raise  # words may have line breaks; among numbers one means that rows were lost
        return False
    except UserError:  # words, or no classes, or two columns of one name
        return False
    return True


def _values(task: TaskConfig) -> str:
    return "numbers" if task.classes is None else f"classes 0 to {task.classes - 1}"


def _shown(names: list[str]) -> str:
    more = f", ... ({len(names)} in all)" if len(names) > MOST_SHOWN else ""
    return ", ".join(names[:MOST_SHOWN]) + more
