"""What can be refused before torch is loaded: arguments, configurations, folders, first lines.

The command line calls these before it imports what takes seconds. The functions behind it call
the same ones, so that Python callers get the same messages.
"""

from pathlib import Path
from typing import Any

from ogeaug.data import check
from ogeaug.encodings import ENCODINGS
from ogeaug.errors import UserError
from ogeaug.training.asked import check_kekule, check_kept, check_noise_used
from ogeaug.training.config import Config, check_seed
from ogeaug.training.new_folder import check_free
from ogeaug.training.plan import read_ensemble
from ogeaug.training.result import read_result
from ogeaug.training.started import read_start


def check_training(config: Config, folder: Path, *, models: int = 1, devices: int = 1) -> None:
    """Refuses a training that cannot start.

    Args:
        config: The experiment.
        folder: Where to.
        models: Members of the ensemble, whose seeds follow each other.
        devices: Processes that share each batch.
    """
    check_task_options(config)
    filled = check_config_data(config)  # a data set may have its own features and task
    check_task_options(filled)
    check_seed(config.training.seed + models - 1)
    if devices > 1 and config.training.batch_size < 2 * devices:
        raise UserError(
            f"--devices {devices} needs batches of at least {2 * devices} graphs, two per process; "
            f"the batch size is {config.training.batch_size}"
        )
    for encoding in config.encodings:
        ENCODINGS.check(encoding.name)
    check_kept(config)
    check_noise_used(config)
    check_kekule(filled)
    check_free(folder)


def check_resume(folder: Path) -> None:
    """Refuses to continue what was never started."""
    if read_ensemble(folder) is None and read_result(folder) is None:
        config, _ = read_start(folder, given=False)
        check_config_data(config)


def check_config_data(config: Config) -> Config:
    """Refuses data that are not there, or lack a column; reads the first line at most.

    Returns:
        The configuration, with what the data set says of features and task filled in.
    """
    features, task = check.check_data(config.data, config.split, config.features, config.task)
    return config.model_copy(update={"features": features, "task": task})


def check_task_options(config: Config) -> None:
    """Refuses options that the task would not look at."""
    task, pooling, loss = config.task, config.head.pooling, config.training.loss
    if _was_set(config, "training", "loss") and loss not in task.facts.losses:
        raise UserError(
            f"training.loss={loss} is not used by task type {task.type}, whose loss is "
            f"{task.facts.loss}; leave it out"
        )
    if _was_set(config, "head", "pooling", "sum") and not task.facts.pools:
        raise UserError(
            f"head.pooling={pooling} is not used by task type {task.type}, which predicts for "
            "nodes and not for whole graphs; leave it out"
        )


def _was_set(config: Config, section: str, key: str, former: Any = None) -> bool:
    """Whether somebody asked for a value.

    The configuration that a run writes down has every section and every key: there, only what is
    not the default, now or in a former release, was asked for.
    """
    part = getattr(config, section)
    written = config.model_fields_set >= set(Config.model_fields)
    usual = (type(part).model_fields[key].default, former)
    return key in part.model_fields_set and not (written and getattr(part, key) in usual)
