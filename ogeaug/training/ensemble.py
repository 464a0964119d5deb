"""Several runs of one configuration: folds, and ensembles that differ by seed."""

import json
from collections.abc import Iterator
from pathlib import Path

from ogeaug.errors import UserError
from ogeaug.output_file import write_text
from ogeaug.training import run_folder
from ogeaug.training.config import Config, dump_config, parse_config
from ogeaug.training.fit import FitResult, fit, resume
from ogeaug.training.processes import Processes
from ogeaug.training.run_folder import PLAN, write_json
from ogeaug.training.started import check_unchanged, plain_config

PLAN_CONFIG = "plan.yaml"


def fit_all(
    config: Config, output_dir: str | Path, *, ensemble_size: int = 1, progress: bool = True
) -> Iterator[FitResult]:
    """Trains each member of each fold, one after another.

    One model goes into the folder itself, several into ``model_0``, ... or ``fold_0/model_0``, ...
    Members of an ensemble share the split and differ by the seed.
    """
    if ensemble_size < 1:
        raise UserError(f"--ensemble-size must be at least 1, got {ensemble_size}")
    folder = Path(output_dir)
    folds = config.split.num_folds
    if folds == 1 and ensemble_size == 1:
        yield fit(config, folder, progress=progress)
        return
    if Processes.current().first:
        _write_plan(config, folder, ensemble_size)
    yield from _members(config, folder, folds, ensemble_size, progress)


def resume_all(output_dir: str | Path, *, progress: bool = True) -> Iterator[FitResult]:
    """Continues a run, or all runs of an ensemble that are not complete."""
    folder = Path(output_dir)
    if not (folder / PLAN).is_file():
        yield resume(folder, progress=progress)
        return
    plan = json.loads((folder / PLAN).read_text(encoding="utf-8"))
    if "ensemble_size" not in plan:
        raise UserError(
            f"{folder} holds a comparison; continue it by calling  ogeaug compare  again with the "
            "same arguments"
        )
    again = (
        f"ogeaug train --config {folder / PLAN_CONFIG} --ensemble-size {plan['ensemble_size']} "
        "--output-dir NEW"
    )
    check_unchanged(folder / PLAN, folder / PLAN_CONFIG, again)
    config = parse_config((folder / PLAN_CONFIG).read_text(encoding="utf-8"), [], str(folder))
    yield from _members(config, folder, plan["folds"], plan["ensemble_size"], progress)


def _write_plan(config: Config, folder: Path, ensemble_size: int) -> None:
    run_folder.new_folder(folder)
    write_text(folder / PLAN_CONFIG, dump_config(config))
    plan = {"folds": config.split.num_folds, "ensemble_size": ensemble_size}
    write_json(folder / PLAN, plan | {"config": plain_config(config)})


def _members(
    config: Config, folder: Path, folds: int, size: int, progress: bool
) -> Iterator[FitResult]:
    for fold in range(folds):
        for member in range(size):
            place = folder / f"fold_{fold}" if folds > 1 else folder
            place = place / f"model_{member}" if size > 1 else place
            if (place / run_folder.CONFIG).exists():
                yield resume(place, progress=progress)
                continue
            seed = config.training.seed + member
            changed = config.model_copy(
                update={
                    "split": config.split.model_copy(update={"fold": fold}),
                    "training": config.training.model_copy(update={"seed": seed}),
                }
            )
            yield fit(changed, place, progress=progress)
