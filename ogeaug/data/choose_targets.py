"""Which columns are targets if none is named: the only one there is, else what the user says."""

import json
import math
import shlex

from ogeaug.data.cells import check_cells, number
from ogeaug.data.columns import find_column
from ogeaug.data.config import DataConfig, SplitConfig
from ogeaug.data.sets import find_set
from ogeaug.data.sets.base import TableSet
from ogeaug.data.table import QuoteError, Table
from ogeaug.errors import UserError
from ogeaug.model.config import TaskConfig

MOST_SHOWN = 20


def with_targets(
    data: DataConfig, split: SplitConfig, task: TaskConfig, columns: list[str]
) -> TaskConfig:
    """The task with its target columns; if none is named and only one can be meant, that one.

    Args:
        data: Of which data set.
        split: Its column is none to train on.
        task: What is to be trained.
        columns: Of the data set.

    Raises:
        UserError: None is named and there are several columns; says which could be meant.
    """
    known = _table_set(data)
    if task.targets:
        return _with_units(known, _by_name(known, task, columns))
    others = _others(data, split, columns)
    if len(others) == 1 or known.together:
        return _with_units(known, task.model_copy(update={"targets": others}))
    found, table = _candidates(data, task, others), _table_set(data).title(data)
    twice = [name for name in dict.fromkeys(others) if others.count(name) > 1]
    if not found and twice:
        raise UserError(f"{table} has two columns {_shown(twice)}; give them different names")
    if not found:
        raise UserError(
            f"{table} has no column of {_values(task)} to train on, besides the column "
            f"{known.column(data)!r}; it has {_shown(others) or 'no other column'}"
        )
    names = ",".join(found[:MOST_SHOWN])
    option = f"--target-columns {shlex.quote(names)}"
    if any("," in name for name in found):  # which --target-columns would split
        option = "--set " + shlex.quote(f"task.targets={json.dumps(found[:MOST_SHOWN])}")
    raise UserError(
        f"name the target column(s) of {table}, like  {option}  (for ogeaug compare: --set "
        f"{shlex.quote(f'task.targets=[{found[0]}]')}). Columns of {_values(task)}: "
        f"{_shown(found)}; ogeaug train takes them all by --yes"
    )


def _by_name(known: TableSet, task: TaskConfig, columns: list[str]) -> TaskConfig:
    """Targets that are given by the benchmark's numbers (from 0), by their names."""
    numbers = {str(i): name for i, name in enumerate(known.numbered)}
    names = [numbers.get(name, name) if name not in columns else name for name in task.targets]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise UserError(f"each target is named once, got {', '.join(sorted(twice))} twice")
    return task.model_copy(update={"targets": names})


def _with_units(known: TableSet, task: TaskConfig) -> TaskConfig:
    """The units of the set's own targets, where none are given."""
    unknown = sorted(set(task.units) - set(task.targets))
    if unknown:
        raise UserError(
            f"task.units has {', '.join(unknown)}, which is no target; targets are "
            f"{_shown(task.targets)}"
        )
    own = {name: known.units[name] for name in task.targets if name in known.units}
    return task if task.units else task.model_copy(update={"units": own})


def suggest_targets(data: DataConfig, split: SplitConfig, task: TaskConfig) -> list[str]:
    """Columns that could be targets, if that is a question: none is named, and there are several.

    Reads the table, if its data set does not know.
    """
    known = find_set(data.name)
    if task.targets or not task.facts.in_tables or not isinstance(known, TableSet):
        return []
    columns = _table_set(data).columns(data)
    find_column(columns, _table_set(data).column(data), _table_set(data).title(data))
    others = _others(data, split, columns)
    return [] if len(others) == 1 or known.together else _candidates(data, task, others)


def _others(data: DataConfig, split: SplitConfig, columns: list[str]) -> list[str]:
    """All but the column of molecules, that of the split, and those without a name (an index); if
    the data set knows its targets, those."""
    known = [name for name in columns if name in _table_set(data).targets]
    taken = ("", _table_set(data).column(data), split.column)
    return known or [name for name in columns if name not in taken]


def _candidates(data: DataConfig, task: TaskConfig, others: list[str]) -> list[str]:
    known = set(_table_set(data).targets)
    if known & set(others):  # numbers, all of them
        return others if task.classes is None else []
    table = _table_set(data).read(data).table
    return [name for name in others if _fits(name, task, table)]


def _table_set(data: DataConfig) -> TableSet:
    found = find_set(data.name)
    assert isinstance(found, TableSet)
    return found


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
