"""Which part of a table is asked for: rows, groups of columns, keys of the configuration."""

from typing import Any

from ogeaug.errors import UserError
from ogeaug.reproduce.budget import Budget
from ogeaug.reproduce.table import Group, PaperTable, Row


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
        if not word.strip():
            raise UserError(
                f"{option} is empty; give a word of a {what}'s name, or leave it out to take all: "
                f"{'; '.join(known)}"
            )
        if not any(word.lower() in name.lower() for name in known):
            raise UserError(f"{option}: no {what} has {word!r}; there are {'; '.join(known)}")
    return [v for name, v in known.items() if any(word.lower() in name.lower() for word in asked)]
