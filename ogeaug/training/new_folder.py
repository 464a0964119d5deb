"""The folder of a new run: new or empty, writable, and for one run at a time."""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ogeaug.errors import UserError
from ogeaug.model.folder import MODEL
from ogeaug.training.plan import ComparisonPlan, read_plan
from ogeaug.training.run_folder import (
    CHECKPOINT,
    LOGS,
    PLAN,
    PLAN_CONFIG,
    RESULTS,
    RUN_CONFIG,
    SKIPPED,
    SPLIT,
    STARTED,
)
from ogeaug.training.run_lock import LOCK, locked

REMNANTS = {LOCK, STARTED, SPLIT, SKIPPED, PLAN, PLAN_CONFIG, LOGS, Path(CHECKPOINT).parts[0]}
"""What a run that could not start may leave behind; another attempt may follow."""
SIGNS = {LOCK, STARTED, PLAN}
"""One of these is there, then: a user's own split.csv is no remnant."""


@contextmanager
def new_folder(path: Path) -> Iterator[None]:
    """Makes the folder of a new run, and keeps other runs out of it until the end of the block.

    Raises:
        UserError: The folder holds something, is in use, or cannot be written to.
    """
    check_free(path)  # before anything is written, be it a lock
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(path, error.strerror or str(error)) from error
    with locked(path):
        check_free(path)  # nobody can come between now
        try:
            with tempfile.TemporaryFile(dir=path) as file:
                file.write(b"x" * 4096)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise _cannot_write(path, error.strerror or str(error)) from error
        yield


def check_free(path: Path) -> None:
    """Refuses a place that holds a run or anything else, or where no folder can be; makes none."""
    there = next((place for place in (path, *path.parents) if place.exists()), path)
    if there.exists() and not there.is_dir():
        raise _cannot_write(path, f"{there} is a file")
    if there != path:
        return
    try:
        names = {entry.name for entry in path.iterdir()}
    except OSError as error:
        raise _cannot_write(path, error.strerror or str(error)) from error
    plan = read_plan(path)
    if isinstance(plan, ComparisonPlan):
        raise UserError(
            f"{path} holds a comparison; choose another --output-dir, or continue it by calling  "
            "ogeaug compare  again with the same arguments"
        )
    started = plan is not None and any(
        (place / RUN_CONFIG).exists() for _, _, place in plan.places(path)
    )
    if started or names & {RUN_CONFIG, RESULTS, MODEL}:
        raise UserError(
            f"{path} already holds a run; choose another --output-dir, or continue it by  "
            f"ogeaug train --resume {path}"
        )
    ours = bool(names & SIGNS)
    foreign = sorted(name for name in names if not (ours and _is_remnant(name, plan is not None)))
    if foreign:
        shown = ", ".join(foreign[:3]) + (", ..." if len(foreign) > 3 else "")
        raise UserError(
            f"{path} is not empty: it holds {shown}; choose a new or an empty --output-dir, so "
            "that nothing in it is overwritten"
        )


def _is_remnant(name: str, several: bool) -> bool:
    if name in REMNANTS or (several and re.fullmatch(r"(fold|model)_\d+", name)):
        return True
    # Of a kill while the file was written; see ogeaug.files.temporary.
    return any(name.startswith(f".{known}.") for known in REMNANTS | {RUN_CONFIG})


def _cannot_write(path: Path, reason: str) -> UserError:
    return UserError(
        f"cannot write to {path}: {reason}; choose another --output-dir or make room there"
    )
