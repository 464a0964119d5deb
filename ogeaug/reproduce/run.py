"""reproduce: the runs of a table of the paper, and the paper's figures beside them."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from ogeaug.checks import check_counts
from ogeaug.errors import CannotWrite, TrainingStopped, UserError
from ogeaug.reproduce.begun import check_figures, check_own_run, read_begun
from ogeaug.reproduce.budget import find_budget
from ogeaug.reproduce.check import check_asked
from ogeaug.reproduce.last_data import LastData
from ogeaug.reproduce.measuring import make_schedule
from ogeaug.reproduce.report import write_report
from ogeaug.reproduce.schedule import (
    SCHEDULE,
    Schedule,
    Training,
    read_schedule,
    write_schedule,
)
from ogeaug.reproduce.table import read_paper_table
from ogeaug.training import run_folder
from ogeaug.training.begun_folder import begun_folder
from ogeaug.training.fitting import FitResult, fit_prepared, resume
from ogeaug.training.interrupt import SAME_CALL
from ogeaug.training.jobs import run_jobs
from ogeaug.training.processes import Processes
from ogeaug.training.run_lock import locked
from ogeaug.training.started import data_changed, read_start


def reproduce(
    name: str,
    output_dir: str | Path,
    *,
    budget: str = "smoke",
    data_path: str | None = None,
    rows: list[str] | None = None,
    columns: list[str] | None = None,
    graphs: int | None = None,
    epochs: int | None = None,
    seeds: int | None = None,
    jobs: int = 1,
    progress: bool = True,
) -> Path:
    """Trains the rows of a table of the paper, and writes them beside the paper's figures.

    First it measures an epoch of each row on a few batches, and says what the whole will take. An
    interrupted call goes on where it was when it is made again with the same arguments.

    Args:
        name: Of the table, like ``zinc``; see :func:`ogeaug.reproduce.table.table_names`.
        output_dir: A new folder, or that of an interrupted call.
        budget: ``smoke``, ``hour``, ``night`` or ``paper``.
        data_path: Folder of the benchmark's files; absent: stand-in data, if there are any.
        rows: Words that are in the labels of the rows to train; all if absent.
        columns: The same for columns.
        graphs: At most so many; else as the budget has it.
        epochs: Of each run; else as many as fit.
        seeds: How many; else as many as fit.
        jobs: Runs at a time, each in a process of one thread.
        progress: Whether to show progress.

    Returns:
        The file of the table, ``table.md``; ``table.csv`` and ``table.png`` are beside it.
    """
    check_counts(jobs=jobs)
    if Processes.current().count > 1:
        raise UserError("a table is reproduced from one process; call it without torchrun")
    table, how, folder = read_paper_table(name), find_budget(budget), Path(output_dir)
    asked: dict[str, Any] = {"table": name, "budget": budget, "data_path": data_path}
    asked |= {"rows": rows or [], "columns": columns or []}
    asked |= {"graphs": graphs, "epochs": epochs, "seeds": seeds}
    check_asked(table, folder, asked)
    console = Console(stderr=True, quiet=not progress)
    with ExitStack() as stack:
        if (folder / SCHEDULE).exists():
            stack.enter_context(locked(folder))
            schedule = read_begun(folder, table, asked)
        else:
            stack.enter_context(begun_folder(folder))
            schedule = make_schedule(table, asked, how, console)
            write_schedule(folder, schedule)
        console.print(schedule.describe(), markup=False, highlight=False)
        done: dict[int, FitResult] = {}
        stopped: dict[int, TrainingStopped] = {}
        for number, result in _results(schedule, folder, jobs, progress and jobs == 1):
            one, total = schedule.trainings[number], len(schedule.trainings)
            if isinstance(result, TrainingStopped):
                stopped[number] = result
                console.print(f"{one} was stopped: {result}", markup=False, highlight=False)
                continue
            done[number] = result
            console.print(f"run {len(done)} of {total} done: {one}", markup=False, highlight=False)
            runs = [(schedule.trainings[i], done[i]) for i in sorted(done)]
            write_report(folder, table, schedule, runs)  # those so far: days may be left
        if stopped:
            raise _some_stopped(schedule, stopped, folder)
    return folder / "table.md"


def _results(
    schedule: Schedule, folder: Path, jobs: int, progress: bool
) -> Iterator[tuple[int, FitResult | TrainingStopped]]:
    """The number and the result of each run, as they end."""
    if jobs > 1:
        yield from run_jobs(partial(_job, root=folder), schedule.trainings, jobs, _begin)
        return
    data = LastData()
    for number, training in enumerate(schedule.trainings):
        yield number, _attempt(training, folder, data, progress)


def _attempt(
    training: Training, root: Path, data: LastData, progress: bool
) -> FitResult | TrainingStopped:
    """A loss that is no number ends its own run only; other errors name theirs."""
    try:
        result = _train(training, root, data, progress)
        check_figures(result)
        return result
    except TrainingStopped as stop:
        return stop
    except CannotWrite:
        raise  # it names the file
    except UserError as error:
        raise UserError(f"{training}: {error}") from error


def _some_stopped(
    schedule: Schedule, stopped: dict[int, TrainingStopped], folder: Path
) -> TrainingStopped:
    listed = "; ".join(f"{schedule.trainings[i]}: {stopped[i]}" for i in sorted(stopped))
    total = len(schedule.trainings)
    others = f", {folder / 'table.md'} has the others" if len(stopped) < total else ""
    return TrainingStopped(
        f"{len(stopped)} of {total} runs were stopped{others}. {listed}. The same call tries them "
        "again; without these rows (--rows), a table in another folder (-o) is whole"
    )


def _train(training: Training, root: Path, data: LastData, progress: bool) -> FitResult:
    folder = training.folder(root)
    if (folder / run_folder.RUN_CONFIG).is_file():
        check_own_run(training, folder)
        return resume(folder, progress=progress, go_on=SAME_CALL)
    prepared = data.of(training.parsed(), progress)
    _check_unchanged(root, training.group, prepared.checksum)
    return fit_prepared(prepared, folder, progress=progress, go_on=SAME_CALL)


def _check_unchanged(root: Path, group: str, checksum: str) -> None:
    """Refuses to put runs on other data into the same table."""
    for other in read_schedule(root).trainings:
        there = other.folder(root)
        if other.group == group and (there / run_folder.RUN_CONFIG).is_file():
            if read_start(there, given=False)[1].checksum != checksum:
                raise data_changed(there)
            return


_OF_WORKER: list[LastData] = []


def _begin() -> None:
    """What a worker process keeps between runs."""
    _OF_WORKER.append(LastData())


def _job(training: Training, root: Path) -> FitResult | TrainingStopped:
    return _attempt(training, root, _OF_WORKER[0], progress=False)
