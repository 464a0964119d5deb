"""Which part of a table is asked for, and whether it can be trained; loads no torch."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from ogeaug.data.config import DataConfig
from ogeaug.data.sets import find_set
from ogeaug.data.sets.files import list_content, named_folder
from ogeaug.data.sets.paper import PAPER
from ogeaug.errors import UserError
from ogeaug.reproduce.begun import read_begun
from ogeaug.reproduce.budget import find_budget
from ogeaug.reproduce.choice import chosen, values_of
from ogeaug.reproduce.schedule import SCHEDULE
from ogeaug.reproduce.settings import settings
from ogeaug.reproduce.table import FACTS, PaperTable
from ogeaug.training.config import load_config
from ogeaug.training.early import check_config_data
from ogeaug.training.new_folder import check_free

MOST = {"graphs": 10**9, "epochs": 10**9, "seeds": 1000}


def check_asked(table: PaperTable, folder: Path, asked: dict[str, Any]) -> None:
    """Refuses what cannot be trained: an unknown budget, row or column, absent data, a folder of
    something else, or of a call that was asked for something else.

    Args:
        table: The table.
        folder: A new one, or that of an interrupted call.
        asked: Arguments of :func:`ogeaug.reproduce.run.reproduce` by name.
    """
    how = find_budget(asked["budget"])
    check_numbers(asked)
    rows, groups = chosen(table, asked, how)
    for group in groups:
        for row in rows:
            check_config_data(table.config_of(row, group, values_of(table, asked, how)))
    if (folder / SCHEDULE).exists():
        read_begun(folder, table, asked)
    else:
        check_free(folder)


def check_facts(name: str, folder: Path, asked: dict[str, Any]) -> None:
    """Refuses options that a table without training does not have."""
    usual = {"budget": "smoke", "jobs": 1, "rows": [], "columns": []}
    given = [key for key, value in asked.items() if value != usual.get(key)]
    ignored = [key for key in given if key not in FACTS[name]]
    if ignored:
        names = ", ".join(f"--{key.replace('_', '-')}" for key in ignored)
        raise UserError(f"table {name} trains nothing and takes no {names}")
    check_numbers(asked)
    check_some_data(name, asked["data_path"])
    check_free(folder)


def check_numbers(asked: dict[str, Any]) -> None:
    """Refuses numbers of graphs, epochs and seeds that no table is trained with."""
    for key, most in MOST.items():
        value = asked.get(key)
        if value is not None and not (isinstance(value, int) and 1 <= value <= most):
            raise UserError(f"--{key} takes a whole number from 1 to {most:,}, got {value!r}")


def check_some_data(name: str, path: str | None) -> None:
    """Refuses a table without training none of whose data sets is there.

    Args:
        name: One of :data:`ogeaug.reproduce.table.FACTS`.
        path: The folder of the data, if one is named.
    """
    if "data_path" not in FACTS[name]:
        return
    names = [*PAPER] if name == "datasets" else [load_config(key).data.name for key in settings()]
    known = [find_set(name) for name in dict.fromkeys(names)]
    needs = "; ".join(f"{one.name}: {', or '.join(map(str, one.layouts))}" for one in known)
    folder = named_folder(path, f"the files of one of the data sets at least ({needs})")
    for one in known:
        with suppress(UserError):
            one.check_there(DataConfig(name=one.name, path=path))
            return
    assert folder is not None  # without one, some sets are generated
    raise UserError(
        f"{folder} has the files of no data set of table {name}, which needs those of one at least "
        f"({needs}). Found: {list_content(folder)}"
    )
