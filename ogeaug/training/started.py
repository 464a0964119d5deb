"""What a run was started with: a configuration that was edited since is not resumed."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from ogeaug.errors import UserError
from ogeaug.files.json_text import check_record, read_json, read_text
from ogeaug.training.config import Config, dump_config, parse_config
from ogeaug.training.run_folder import (
    FORMAT,
    GIVEN,
    RUN_CONFIG,
    SKIPPED,
    SPLIT,
    STARTED,
    write_json,
    write_table,
)

if TYPE_CHECKING:
    from ogeaug.training.prepare import Prepared

MAY_CHANGE = ("data.path", "data.multiline")
"""A table may move, or be read by another rule: its checksum says whether it is the same."""
RESTORE = "restore it, or start a new run"


class Started(BaseModel):
    """started.json.

    Attributes:
        checksum: Of the data.
        run: A name by which checkpoints know their run; runs of version 0.1.0 have none.
        format: See :data:`ogeaug.training.run_folder.FORMAT`; runs before 3 have none.
    """

    checksum: str
    run: str | None = None
    format: int = 2


class _Kept(BaseModel):
    config: dict[str, Any] | None = None


def plain_config(config: Config) -> dict[str, Any]:
    """A configuration as the record of a start keeps it."""
    return config.model_dump(mode="json")


def name_run(config: Config, checksum: str) -> str:
    """The same for runs that would give the same."""
    return hashlib.sha256(f"{checksum}\n{dump_config(config)}".encode()).hexdigest()[:32]


def write_start(prepared: "Prepared", folder: Path, run: str) -> None:
    """Writes what is known before training: split, rows left out, the record of the start."""
    from ogeaug.data.splits import write_split  # loads NumPy

    if prepared.split is not None:
        write_split(prepared.split, folder / SPLIT)
    if prepared.skipped:
        rows = [[s.row, s.text, s.reason] for s in prepared.skipped]
        write_table(folder / SKIPPED, ["row", "text", "reason"], rows)
    started = Started(checksum=prepared.checksum, run=run, format=FORMAT).model_dump()
    write_json(folder / STARTED, started | {"config": plain_config(prepared.config)})


def check_unchanged(record: Path, file: Path, how: str) -> None:
    """Refuses a configuration that is not the one which was started.

    Args:
        record: A JSON file with the configuration as ``config``; folders of version 0.1.0 have
            none, and are not checked.
        file: The YAML file to check.
        how: To start a new run from it.
    """
    if not (record.is_file() and file.is_file()):
        return
    kept = read_json(record, _Kept, RESTORE).config
    if kept is None:
        return
    then = check_record(kept, Config, str(record), RESTORE)
    changes = differences(then, parse_config(read_text(file, RESTORE), [], str(file)))
    if changes:
        raise UserError(
            f"{file} was edited after the start of the run: {'; '.join(changes)}. Undo that to go "
            f"on with the run, or start a new one from it by  {how}"
        )


def data_changed(folder: Path) -> UserError:
    """A run, or several of one plan, cannot go on with other data than they were started with."""
    return UserError(
        f"the data of {folder} has changed since it was started; restore it, or start a new run"
    )


def read_start(folder: Path, *, given: bool) -> tuple[Config, Started]:
    """What a run that is to go on was started with.

    Args:
        folder: Of the run.
        given: Whether its graphs are given now, if they were given to it.
    """
    file = folder / RUN_CONFIG
    if not file.is_file():
        raise UserError(f"{folder} holds no run to resume: it has no {RUN_CONFIG}")
    config = parse_config(read_text(file, RESTORE), [], str(file))
    started = read_json(folder / STARTED, Started, RESTORE)
    if started.checksum.startswith(GIVEN) and not given:
        raise UserError(
            f"{folder} is a run on graphs that were given to it; continue it by  resume(folder, "
            "parts=...)  from Python, or, if it is of a comparison, by the same  ogeaug compare"
        )
    return config, started


def differences(then: Config, now: Config) -> list[str]:
    """What differs between two configurations.

    Example:
        >>> differences(Config(), Config.model_validate({"training": {"epochs": 3}}))
        ['training.epochs was 100, now 3']
    """
    old, new = (_flat(plain_config(config)) for config in (then, now))
    missing = "absent"
    return [
        f"{key} was {old.get(key, missing)}, now {new.get(key, missing)}"
        for key in dict.fromkeys([*old, *new])
        if key not in MAY_CHANGE and old.get(key, missing) != new.get(key, missing)
    ]


def _flat(value: Any, place: str = "") -> dict[str, Any]:
    """Nested containers by the keys that ``--set`` takes."""
    if not isinstance(value, dict | list) or not value:
        return {place: value}
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return {
        key: leaf
        for name, item in items
        for key, leaf in _flat(item, f"{place}.{name}" if place else str(name)).items()
    }
