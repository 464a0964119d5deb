"""Which part of a table is asked for, and whether it can be trained; loads no torch."""

from pathlib import Path
from typing import Any

from ogeaug.errors import UserError
from ogeaug.reproduce.budget import Budget, find_budget
from ogeaug.reproduce.table import FACTS, Group, PaperTable, Row
from ogeaug.training.early import check_config_data
from ogeaug.training.new_folder import check_free

SCHEDULE = "schedule.json"
"""All runs of a table that was begun."""


def check_asked(table: PaperTable, folder: Path, asked: dict[str, Any]) -> None:
    """Refuses what cannot be trained: an unknown budget, row or column, absent data, a folder of
    something else.

    Args:
        table: The table.
        folder: A new one, or that of an interrupted call.
        asked: Arguments of :func:`ogeaug.reproduce.run.reproduce` by name.
    """
    how = find_budget(asked["budget"])
    rows, groups = chosen(table, asked, how)
    for group in groups:
        for row in rows:
            check_config_data(table.config_of(row, group, values_of(table, asked, how)))
    if not (folder / SCHEDULE).exists():
        check_free(folder)


def check_facts(name: str, folder: Path, asked: dict[str, Any]) -> None:
    """Refuses options that a table without training does not have."""
    usual = {"budget": "smoke", "jobs": 1}
    given = [key for key, value in asked.items() if value and value != usual.get(key)]
    ignored = [key for key in given if key not in FACTS[name]]
    if ignored:
        names = ", ".join(f"--{key.replace('_', '-')}" for key in ignored)
        raise UserError(f"table {name} trains nothing and takes no {names}")
    check_free(folder)


def chosen(
    table: PaperTable, asked: dict[str, Any], budget: Budget
) -> tuple[list[Row], list[Group]]:
    """The rows and groups of columns that are asked for, those of the budget if nothing is.

    Raises:
        UserError: A name fits none.
    """
    share = table.budgets.get(budget.name)
    rows = {row.label: row for row in table.rows}
    if not asked["rows"] and share:
        rows = {label: row for label, row in rows.items() if label not in share.without}
    groups = {group.name: group for group in table.groups}
    if not asked["columns"] and share and share.groups:
        groups = {name: groups[name] for name in share.groups}
    return (
        _matching(asked["rows"], rows, "row", "--rows"),
        _matching(asked["columns"], groups, "column", "--columns"),
    )


def values_of(table: PaperTable, asked: dict[str, Any], budget: Budget) -> dict[str, Any]:
    """Keys of the configuration that the caller and the budget set."""
    share = table.budgets.get(budget.name)
    graphs = asked["graphs"] or (share.graphs if share else None) or budget.graphs
    values = {"data.path": asked["data_path"], "data.limit": graphs}
    return {key: value for key, value in values.items() if value is not None}


def _matching(asked: list[str], known: dict[str, Any], what: str, option: str) -> list[Any]:
    """Those whose name holds one of the words; all if there is no word."""
    if not asked:
        return list(known.values())
    for word in asked:
        if not any(word.lower() in name.lower() for name in known):
            raise UserError(f"{option}: no {what} has {word!r}; there are {'; '.join(known)}")
    return [v for name, v in known.items() if any(word.lower() in name.lower() for word in asked)]
