"""The trainings of a comparison: one after another, or several at a time."""

import pickle
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console

from ogeaug.errors import TrainingStopped
from ogeaug.files.output import writing
from ogeaug.training import run_folder
from ogeaug.training.config import Config
from ogeaug.training.fitting import FitResult, fit, resume
from ogeaug.training.jobs import run_jobs
from ogeaug.training.prepare import Parts


@dataclass(frozen=True)
class Planned:
    """A training.

    Attributes:
        config: What is trained.
        folder: Of the run; one that was begun goes on.
        may_diverge: Whether a loss that becomes NaN is a result, without figures, and no error.
    """

    config: Config
    folder: Path
    may_diverge: bool = False


def train_all(
    planned: Sequence[Planned], parts: Parts, jobs: int, console: Console
) -> Iterator[tuple[int, FitResult]]:
    """The number and the result of each training, as they end.

    Args:
        planned: The trainings.
        parts: Graphs, the same for all.
        jobs: How many at a time; more than one in processes of their own, without progress bars.
        console: For progress; none if it is quiet.
    """
    if jobs == 1 or len(planned) == 1:
        for number, one in enumerate(planned):
            console.print(f"{one.folder.name}, {number + 1} of {len(planned)}", highlight=False)
            yield number, _train(one, parts, progress=not console.quiet)
        return
    # Not as they are: torch would hand over each tensor by a file, more than may be open at once.
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "graphs"
        with writing(file) as opened:
            pickle.dump(parts, opened)
        yield from run_jobs(_job, planned, min(jobs, len(planned)), partial(_begin, file))


def _train(one: Planned, parts: Parts, progress: bool) -> FitResult:
    try:
        if (one.folder / run_folder.RUN_CONFIG).is_file():
            return resume(one.folder, parts=parts, progress=progress)
        return fit(one.config, one.folder, parts=parts, progress=progress)
    except TrainingStopped as stop:
        if one.may_diverge:
            return FitResult(str(one.folder), 0, 0, 0, {"val": {}}, {}, 0.0, {})
        raise TrainingStopped(f"{one.folder.name}: {stop}") from stop


_OF_WORKER: list[Parts] = []
"""The graphs of this process, if it is a worker."""


def _begin(file: Path) -> None:
    _OF_WORKER.append(pickle.loads(file.read_bytes()))


def _job(one: Planned) -> FitResult:
    return _train(one, _OF_WORKER[0], progress=False)
