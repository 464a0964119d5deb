"""Which models a folder means: finished ones, and those of one plan together."""

import re
from collections.abc import Sequence
from pathlib import Path

from ogeaug.errors import UserError
from ogeaug.files.json_text import read_json
from ogeaug.model.folder import MODEL, check_folder, find_folder
from ogeaug.training.plan import ComparisonPlan, EnsemblePlan, read_plan
from ogeaug.training.result import read_result
from ogeaug.training.run_folder import CHECKPOINT, RUN_CONFIG, STARTED
from ogeaug.training.started import Started

MOST_SHOWN = 20


def find_models(paths: Sequence[str | Path], *, allow_unfinished: bool = False) -> list[Path]:
    """The folders of the models to predict with.

    A folder is that of a model, or of an ensemble (folds included), whose models are meant all
    together. The model of a run that was interrupted is the best of some first epochs, and would
    predict without a word: it counts only if that is allowed.

    Args:
        paths: Folders of models or ensembles, or names of shipped models.
        allow_unfinished: Whether models of runs that are not finished are taken, too.

    Raises:
        UserError: A folder has no model, an unfinished one, or models that do not belong together.
    """
    found = [model for path in paths for model in _models_at(find_folder(path), allow_unfinished)]
    known: set[Path] = set()
    for model in found:
        if model.resolve() in known:
            raise UserError(f"the model in {model} is named twice; name each folder once")
        known.add(model.resolve())
    return found


def find_model(path: str | Path, *, allow_unfinished: bool = False) -> Path:
    """The folder of a single model; see :func:`find_models`."""
    found = _models_at(find_folder(path), allow_unfinished)
    if len(found) > 1:
        raise UserError(f"{path} holds {len(found)} models; choose one of {_shown(found)}")
    return found[0]


def is_finished(folder: Path) -> bool:
    """Whether a model is complete: saved from Python without a run, or by one that has ended."""
    if not (folder / MODEL).is_file():
        return False
    of_a_run = (RUN_CONFIG, STARTED, str(Path(CHECKPOINT).parent))
    return read_result(folder) is not None or not any((folder / n).exists() for n in of_a_run)


def _models_at(path: Path, allow: bool) -> list[Path]:
    check_folder(path)
    plan = read_plan(path)
    if isinstance(plan, ComparisonPlan):
        raise UserError(
            f"{path} holds a comparison, whose models are no ensemble; choose one of "
            f"{_shown(_below(path)) or 'its runs, when the first is finished'}"
        )
    if plan is not None:
        return _members(path, [place for _, _, place in plan.places(path)], allow)
    fold = _of_fold(path)
    if fold:
        return _members(path, fold, allow)
    if not (path / MODEL).is_file():
        below = _below(path)
        if below:
            raise UserError(
                f"{path} is neither a model nor an ensemble; name the models in it that you mean: "
                f"{_shown(below)}"
            )
        raise UserError(
            f"there is no trained model in {path}. If its training was interrupted, continue it "
            f"by  ogeaug train --resume {path}"
        )
    if not allow and not is_finished(path):
        raise UserError(
            f"the run in {path} is not finished: its model is the best of the first epochs only. "
            f"Continue it by  ogeaug train --resume {path}, or use the model as it is by "
            "--allow-unfinished"
        )
    return [path]


def _members(path: Path, places: list[Path], allow: bool) -> list[Path]:
    """Half an ensemble would predict without a word."""
    there = [place for place in places if (place / MODEL).is_file()]
    _check_one_table(path, there)
    if allow and there:
        return there
    finished = [place for place in there if is_finished(place)]
    if len(finished) < len(places):
        names = f" ({_shown(finished)})" if finished else ""
        raise UserError(
            f"{path} has {len(finished)} of {len(places)} models; train the others by  ogeaug "
            f"train --resume {path}, or name the folders of those that are finished{names}, or use "
            "all as they are by --allow-unfinished"
        )
    return finished


def _check_one_table(path: Path, models: list[Path]) -> None:
    """Refuses members that learned from different data, as version 0.1.0 let them."""
    records = [place / STARTED for place in models]
    sums = {
        file.parent: read_json(file, Started, "restore it, or name the models one by one").checksum
        for file in records
        if file.is_file()
    }
    first = next(iter(sums), None)
    for place in sums:
        if first is not None and sums[place] != sums[first]:
            raise UserError(
                f"the models in {path} are no ensemble: {place} was trained on other data than "
                f"{first}. Train them anew, or name the folders of those that you mean"
            )


def _of_fold(path: Path) -> list[Path]:
    """The members of a fold, if that is what the folder is."""
    path = path.resolve()
    if not re.fullmatch(r"fold_\d+", path.name):
        return []
    plan = read_plan(path.parent)
    if not isinstance(plan, EnsemblePlan) or plan.folds == 1 or plan.ensemble_size == 1:
        return []
    return [place for _, _, place in plan.places(path.parent) if place.parent == path]


def _below(path: Path) -> list[Path]:
    files = (*path.glob(f"*/{MODEL}"), *path.glob(f"*/*/{MODEL}"))
    return sorted(file.parent for file in files)


def _shown(paths: list[Path]) -> str:
    more = f" and {len(paths) - MOST_SHOWN} more" if len(paths) > MOST_SHOWN else ""
    return ", ".join(map(str, paths[:MOST_SHOWN])) + more
