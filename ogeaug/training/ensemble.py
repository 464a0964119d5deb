"""Several runs of one configuration: folds, and ensembles that differ by seed."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from ogeaug.data.load import UnsplitData
from ogeaug.errors import UserError
from ogeaug.files.json_text import read_json, read_text
from ogeaug.files.output import write_text
from ogeaug.training import run_folder
from ogeaug.training.config import Config, check_seed, dump_config, parse_config
from ogeaug.training.fitting import FitResult, fit, fit_prepared, resume
from ogeaug.training.new_folder import new_folder
from ogeaug.training.plan import MOST_RUNS, EnsemblePlan, read_ensemble
from ogeaug.training.prepare import load, split_loaded
from ogeaug.training.processes import Processes, one_voice
from ogeaug.training.run_folder import PLAN, PLAN_CONFIG, write_json
from ogeaug.training.run_lock import locked
from ogeaug.training.started import RESTORE, Started, check_unchanged, data_changed, plain_config
from ogeaug.training.summary import summarise


def fit_all(
    config: Config, output_dir: str | Path, *, ensemble_size: int = 1, progress: bool = True
) -> Iterator[FitResult]:
    """Trains each member of each fold, one after another.

    One model goes into the folder itself, several into ``model_0``, ... or ``fold_0/model_0``, ...
    Members of an ensemble share the split and differ by the seed. When all are finished, the
    folder gets a results.json of them together; see :func:`ogeaug.training.summary.summarise`.
    """
    if ensemble_size < 1:
        raise UserError(f"--ensemble-size must be at least 1, got {ensemble_size}")
    check_seed(config.training.seed + ensemble_size - 1)
    folder = Path(output_dir)
    folds = config.split.num_folds
    if folds == 1 and ensemble_size == 1:
        yield fit(config, folder, progress=progress)
        return
    if folds * ensemble_size > MOST_RUNS:
        raise UserError(f"{folds} folds of {ensemble_size} models are too many")
    first = Processes.current().first
    with new_folder(folder) if first else nullcontext():
        with one_voice():
            loaded = load(config, progress=progress)
        plan = EnsemblePlan(folds=folds, ensemble_size=ensemble_size, checksum=loaded.checksum)
        if first:
            write_text(folder / PLAN_CONFIG, dump_config(config))
            write_json(folder / PLAN, plan.model_dump() | {"config": plain_config(config)})
        yield from _members(config, folder, plan, progress, loaded)


def resume_all(output_dir: str | Path, *, progress: bool = True) -> Iterator[FitResult]:
    """Continues a run, or all runs of an ensemble that are not complete.

    Raises:
        UserError: The data are not those that the first member was started with, among others.
    """
    folder = Path(output_dir)
    plan = read_ensemble(folder)
    if plan is None:
        yield resume(folder, progress=progress)
        return
    file = folder / PLAN_CONFIG
    again = f"ogeaug train --config {file} --ensemble-size {plan.ensemble_size} --output-dir NEW"
    check_unchanged(folder / PLAN, file, again)
    config = parse_config(read_text(file, RESTORE), [], str(file))
    with locked(folder) if Processes.current().first else nullcontext():
        plan = plan.model_copy(update={"checksum": _one_checksum(folder, plan)})
        yield from _members(config, folder, plan, progress)


def _one_checksum(folder: Path, plan: EnsemblePlan) -> str | None:
    """Of the data that plan and members were started with; None if nothing was started."""
    found = {plan.checksum: "its plan"} if plan.checksum else {}
    for _, _, place in plan.places(folder):
        if (place / run_folder.RUN_CONFIG).is_file():
            started = read_json(place / run_folder.STARTED, Started, RESTORE)
            found.setdefault(started.checksum, str(place))
    if len(found) > 1:
        raise UserError(
            f"{folder} holds models of different data: {' and '.join(found.values())} differ. "
            "Restore the data and remove the folders of models that were trained on others, or "
            "start a new run"
        )
    return next(iter(found), None)


def _members(
    config: Config,
    folder: Path,
    plan: EnsemblePlan,
    progress: bool,
    loaded: UnsplitData | None = None,
) -> Iterator[FitResult]:
    results = []
    for result in _each(config, folder, plan, progress, loaded):
        results.append(result)
        yield result
    if Processes.current().first:
        summarise(config, folder, results, plan.ensemble_size)


def _each(
    config: Config, folder: Path, plan: EnsemblePlan, progress: bool, loaded: UnsplitData | None
) -> Iterator[FitResult]:
    """Each member, on the same data: they are read once, and not if all members have ended."""
    for fold, member, place in plan.places(folder):
        if (place / run_folder.RUN_CONFIG).exists():
            yield resume(place, progress=progress)
            continue
        with one_voice():
            if loaded is None:
                loaded = load(config, progress=progress)
                if plan.checksum not in (None, loaded.checksum):
                    raise data_changed(folder)
            seed = config.training.seed + member
            changed = config.model_copy(
                update={
                    "split": config.split.model_copy(update={"fold": fold}),
                    "training": config.training.model_copy(update={"seed": seed}),
                }
            )
            prepared = split_loaded(loaded, changed)
        yield fit_prepared(prepared, place, progress=progress)
