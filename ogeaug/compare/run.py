"""compare: one experiment with several encodings, at equal budget."""

import itertools
import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rich.console import Console

from ogeaug.checks import check_counts
from ogeaug.compare.curves import Run
from ogeaug.compare.early import check_comparison
from ogeaug.compare.entries import read_entries
from ogeaug.compare.hold_out import hold_out
from ogeaug.compare.plan import plan_configs
from ogeaug.compare.report import write_report
from ogeaug.compare.rules import Rules, describe
from ogeaug.compare.search import Cell, best_cells, make_cells
from ogeaug.compare.search_report import chosen_text, write_search
from ogeaug.compare.training import Planned, train_all
from ogeaug.compare.wall_time import within
from ogeaug.errors import UserError
from ogeaug.files.output import write_text
from ogeaug.training.begun_folder import begun_folder
from ogeaug.training.config import Config, dump_config, parse_config
from ogeaug.training.digest import digest_parts
from ogeaug.training.fitting import FitResult
from ogeaug.training.plan import ComparisonPlan, read_plan
from ogeaug.training.prepare import Parts, prepare
from ogeaug.training.processes import Processes
from ogeaug.training.run_folder import PLAN
from ogeaug.training.run_lock import locked
from ogeaug.training.started import RESTORE, differences

SEARCH = "search"
"""The folder of the cells."""
EARLIER = {"rules": Rules().model_dump()}
"""What plans of earlier versions say nothing of: the same command goes on with them."""


def compare(
    config: Config,
    encodings: list[str],
    output_dir: str | Path,
    *,
    seeds: list[int] | None = None,
    minutes: float | None = None,
    options: dict[str, dict[str, Any]] | None = None,
    rules: Rules | None = None,
    parts: Parts | None = None,
    jobs: int = 1,
    progress: bool = True,
) -> list[Run]:
    """Trains the same model with each encoding, and writes tables and plots of how they did.

    All runs have the same data, split, order of batches (for a seed) and, to 2 %, number of
    parameters, or else the same width; see :func:`ogeaug.compare.plan.plan_configs`. They have
    equal epochs, or, with ``minutes``, as many as fit into equal wall time. With ``rules.grid``,
    the same cells are tried for each encoding first, with a seed that is none of the others and
    without the test part; the best on validation data is what the seeds train. An interrupted
    comparison goes on where it was when it is called again with the same arguments; a finished one
    is added to by more seeds.

    Args:
        config: The experiment, with one encoding, the model for the others.
        encodings: Names of the encodings; the same one more than once by labels, like
            ``small=oge_aug(delta=0.005)`` (:func:`ogeaug.compare.entries.read_entries`).
        output_dir: A new folder, or that of an interrupted comparison.
        seeds: Training seeds; the configuration's if absent.
        minutes: Wall time of each run; absent: the configuration's epochs.
        options: Further options by encoding (by label).
        rules: What is alike for all, and what is searched for each; see :class:`Rules`.
        parts: Graphs, if they are not to be read from ``config.data``; see :func:`fit`.
        jobs: Runs at a time, each in a process of its own. They share the cores: with ``minutes``,
            no more than there are idle ones.
        progress: Whether to show progress.

    Returns:
        All runs; ``output_dir`` holds ``compare.csv``, ``curves.csv``, ``table.md``,
        ``error_by_epoch.png``, ``error_by_time.png``, the folder of each run and, after a search,
        ``search.csv``, ``search.md`` and the folders of all cells.
    """
    check_counts(jobs=jobs)
    if Processes.current().count > 1:
        raise UserError("a comparison runs in one process; call it without torchrun")
    seeds = [config.training.seed] if seeds is None else seeds
    folder, rules, options = Path(output_dir), rules or Rules(), options or {}
    check_comparison(
        config, encodings, folder, seeds=seeds, minutes=minutes, options=options, rules=rules
    )
    if parts is None:
        prepared = prepare(config, progress=progress)
        config, parts = prepared.config, prepared.parts
    asked = {"encodings": encodings, "seeds": seeds, "minutes": minutes, "options": options}
    asked |= {"rules": rules.model_dump()}
    asked |= {"data": digest_parts(parts), "config": dump_config(config)}
    if rules.hold_out is not None:
        parts = hold_out(parts, rules.hold_out, config.split.seed)
    console, entries = Console(stderr=True, quiet=not progress), read_entries(encodings, options)
    with ExitStack() as stack:
        if (folder / PLAN).exists():
            stack.enter_context(locked(folder))
            configs, about = _read_plan(folder, asked, config, console)
            cells = make_cells(configs, rules, entries)
        else:
            stack.enter_context(begun_folder(folder))
            configs = plan_configs(config, encodings, options, rules)
            if minutes is not None:
                configs = within(configs, parts, minutes)
            cells = make_cells(configs, rules, entries)
            _write_plan(folder, asked, configs)
            about = describe(rules)
        if rules.grid is not None:
            configs, chosen = _search(folder, cells, seeds, rules, parts, jobs, console)
            about += chosen
        # All encodings with one seed first, so that an early look is fair.
        pairs = [(name, seed) for seed in seeds for name in configs]
        planned = [
            Planned(_seeded(configs[name], seed), folder / f"{name}-seed{seed}")
            for name, seed in pairs
        ]
        done: dict[int, Run] = {}
        for number, result in train_all(planned, parts, jobs, console):
            done[number] = Run(*pairs[number], result)
            name, seed = pairs[number]
            console.print(f"run {len(done)} of {len(pairs)} done: {name}, seed {seed}")
            runs = [done[i] for i in sorted(done)]
            write_report(folder, config, runs, configs, len(pairs), about)  # days may be left
    return runs


def _search(
    folder: Path,
    cells: list[Cell],
    seeds: list[int],
    rules: Rules,
    parts: Parts,
    jobs: int,
    console: Console,
) -> tuple[dict[str, Config], str]:
    """Trains all cells without the test part; what was chosen, and in words."""
    seed = _search_seed(seeds)
    blind = Parts(parts.train, parts.val)
    planned = [
        Planned(
            _seeded(cell.config, seed, rules.search_epochs),
            folder / SEARCH / f"{cell.label}-{cell.number}",
            may_diverge=True,
        )
        for cell in cells
    ]
    done: dict[int, FitResult] = {}
    for number, result in train_all(planned, blind, jobs, console):
        done[number] = result
        cell, count = cells[number], f"{len(done)} of {len(cells)}"
        console.print(f"search, cell {count} done: {cell.label}, {cell.values}")
    chosen, records = best_cells([(cell, done[i]) for i, cell in enumerate(cells)])
    write_search(folder, records, seed)
    return chosen, chosen_text(records, seed)


def _search_seed(seeds: list[int]) -> int:
    """One that no run has."""
    return next(i for i in itertools.count() if i not in seeds)


def _seeded(config: Config, seed: int, epochs: int | None = None) -> Config:
    t = config.training if epochs is None else config.training.with_epochs(epochs)
    return config.model_copy(update={"training": t.model_copy(update={"seed": seed})})


def _read_plan(
    folder: Path, asked: dict[str, Any], config: Config, console: Console
) -> tuple[dict[str, Config], str]:
    """The plan of an interrupted comparison, which must have been asked for the same; and its
    rules in words."""
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
        before = plan.asked.get(key, EARLIER.get(key))
        if key == "data" and before not in (None, value):
            raise UserError(
                f"the data have changed since the comparison in {folder} was begun; restore them, "
                "or choose another folder"
            )
        if key == "seeds" and isinstance(before, list) and set(before) < set(value):
            _check_more_seeds(before, value, asked["rules"], folder)
        elif key not in ("data", "config") and before != value:
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
    configs = {name: parse_config(text, [], str(file)) for name, text in plan.configs.items()}
    if plan.asked["seeds"] != asked["seeds"]:
        _write_plan(folder, plan.asked | {"seeds": asked["seeds"]}, configs)
    if "rules" not in plan.asked:
        return configs, "\nPlanned by an earlier version: hidden widths matched to 10 %.\n"
    return configs, describe(Rules.model_validate(plan.asked["rules"]))


def _check_more_seeds(
    before: list[int], seeds: list[int], rules: dict[str, Any], folder: Path
) -> None:
    """Seeds may be added; but not the one with which a search has chosen."""
    if rules["grid"] is not None and (used := _search_seed(before)) in seeds:
        raise UserError(
            f"the search in {folder} was made with seed {used}, so no run may have it; add others"
        )


def _write_plan(folder: Path, asked: dict[str, Any], configs: dict[str, Config]) -> None:
    texts = {name: dump_config(config) for name, config in configs.items()}
    plan = ComparisonPlan(asked=asked, configs=texts)
    write_text(folder / PLAN, json.dumps(plan.model_dump(), indent=2) + "\n")


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) < 80 else f"{text[:77]}..."
