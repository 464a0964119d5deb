"""compare: one experiment with several encodings, at equal budget."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rich.console import Console

from ogeaug.compare.early import check_comparison
from ogeaug.compare.entries import read_entries
from ogeaug.compare.equal import equal_configs, within
from ogeaug.compare.report import Run, write_report
from ogeaug.errors import UserError
from ogeaug.files.output import write_text
from ogeaug.training import run_folder
from ogeaug.training.config import Config, dump_config, parse_config
from ogeaug.training.digest import digest_parts
from ogeaug.training.fitting import FitResult, fit, resume
from ogeaug.training.new_folder import new_folder
from ogeaug.training.plan import ComparisonPlan, read_plan
from ogeaug.training.prepare import Parts, prepare
from ogeaug.training.processes import Processes
from ogeaug.training.run_folder import PLAN
from ogeaug.training.run_lock import locked
from ogeaug.training.started import RESTORE, differences


def compare(
    config: Config,
    encodings: list[str],
    output_dir: str | Path,
    *,
    seeds: list[int] | None = None,
    minutes: float | None = None,
    options: dict[str, dict[str, Any]] | None = None,
    parts: Parts | None = None,
    progress: bool = True,
) -> list[Run]:
    """Trains the same model with each encoding, and writes tables and plots of how they did.

    All runs have the same data, split, backbone, order of batches (for a seed) and, to 10 %, number
    of parameters; see :func:`ogeaug.compare.equal.equal_configs`. They have equal epochs,
    or, with ``minutes``, as many as fit into equal wall time. An interrupted comparison goes on
    where it was when it is called again with the same arguments.

    Args:
        config: The experiment, with one encoding, the model for the others.
        encodings: Names of the encodings; the same one more than once by labels, like
            ``small=oge_aug(delta=0.005)`` (:func:`ogeaug.compare.entries.read_entries`).
        output_dir: A new folder, or that of an interrupted comparison.
        seeds: Training seeds; the configuration's if absent.
        minutes: Wall time of each run; absent: the configuration's epochs.
        options: Further options by encoding (by label).
        parts: Graphs, if they are not to be read from ``config.data``; see :func:`fit`.
        progress: Whether to show progress.

    Returns:
        All runs; ``output_dir`` holds ``compare.csv``, ``curves.csv``, ``table.md``,
        ``error_by_epoch.png``, ``error_by_time.png`` and the folder of each run.
    """
    if Processes.current().count > 1:
        raise UserError("a comparison runs in one process; call it without torchrun")
    seeds = [config.training.seed] if seeds is None else seeds
    folder = Path(output_dir)
    check_comparison(config, encodings, folder, seeds=seeds, minutes=minutes, options=options or {})
    if parts is None:
        prepared = prepare(config, progress=progress)
        config, parts = prepared.config, prepared.parts
    asked = {"encodings": encodings, "seeds": seeds, "minutes": minutes, "options": options or {}}
    asked |= {"data": digest_parts(parts), "config": dump_config(config)}
    console = Console(stderr=True, quiet=not progress)
    with ExitStack() as stack:
        if (folder / PLAN).exists():
            stack.enter_context(locked(folder))
            configs = _read_plan(folder, asked, config, console)
        else:
            configs = equal_configs(config, encodings, options)
            if minutes is not None:
                configs = within(configs, parts, minutes)
            stack.enter_context(new_folder(folder))
            _write_plan(folder, asked, configs)
        runs: list[Run] = []
        total = len(seeds) * len(configs)
        for seed in seeds:  # all encodings with one seed first, so that an early look is fair
            for name, planned in configs.items():
                console.print(f"run {len(runs) + 1} of {total}: {name}, seed {seed}")
                training = planned.training.model_copy(update={"seed": seed})
                seeded = planned.model_copy(update={"training": training})
                result = _run(seeded, folder / f"{name}-seed{seed}", parts, progress)
                runs.append(Run(name, seed, result))
                # The runs so far: days may be left.
                write_report(folder, config, runs, configs, total)
    return runs


def _run(config: Config, folder: Path, parts: Parts, progress: bool) -> FitResult:
    if (folder / run_folder.RUN_CONFIG).is_file():
        return resume(folder, parts=parts, progress=progress)
    return fit(config, folder, parts=parts, progress=progress)


def _read_plan(
    folder: Path, asked: dict[str, Any], config: Config, console: Console
) -> dict[str, Config]:
    """The plan of an interrupted comparison, which must have been asked for the same."""
    file = folder / PLAN
    plan = read_plan(folder)
    if not isinstance(plan, ComparisonPlan):
        raise UserError(
            f"{folder} holds an ensemble, or the folds of a cross-validation; choose another "
            "folder for a comparison"
        )
    if "data" not in plan.asked:
        console.print(
            f"{folder} was begun by version 0.1.0, which took no checksum of the data: make sure "
            "that they are the same"
        )
    for key, value in asked.items():
        before = plan.asked.get(key)
        if key == "data" and before not in (None, value):
            raise UserError(
                f"the data have changed since the comparison in {folder} was begun; restore them, "
                "or choose another folder"
            )
        if key not in ("data", "config") and before != value:
            raise UserError(
                f"{folder} holds a comparison with other {key} ({_short(before)}, now "
                f"{_short(value)}); choose another folder, or call it with the same arguments to "
                "go on"
            )
    changes = differences(parse_config(str(plan.asked.get("config")), [], str(file)), config)
    if changes:
        raise UserError(
            f"{folder} holds a comparison with another configuration: {'; '.join(changes)}; choose "
            "another folder, or call it with the same configuration to go on"
        )
    if set(plan.configs) != set(read_entries(asked["encodings"])):
        raise UserError(f"{file} is damaged: its configs are not those of its encodings; {RESTORE}")
    return {name: parse_config(text, [], str(file)) for name, text in plan.configs.items()}


def _write_plan(folder: Path, asked: dict[str, Any], configs: dict[str, Config]) -> None:
    texts = {name: dump_config(config) for name, config in configs.items()}
    plan = ComparisonPlan(asked=asked, configs=texts)
    write_text(folder / PLAN, json.dumps(plan.model_dump(), indent=2) + "\n")


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) < 80 else f"{text[:77]}..."
