"""What can be refused of a comparison before torch is loaded."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ogeaug.compare.entries import Entry, read_entries
from ogeaug.compare.rules import Rules, trains_with_noise
from ogeaug.errors import UserError
from ogeaug.presets import find_preset
from ogeaug.training import run_folder
from ogeaug.training.config import Config, check_seed
from ogeaug.training.early import check_task_options
from ogeaug.training.new_folder import check_free

MOST_MINUTES = 366 * 24 * 60


def check_comparison(
    config: Config,
    encodings: list[str],
    folder: Path,
    *,
    seeds: list[int],
    minutes: float | None,
    options: dict[str, dict[str, Any]],
    rules: Rules,
) -> None:
    """Refuses a comparison that cannot be planned."""
    if not seeds or len(set(seeds)) < len(seeds):
        raise UserError(f"give each seed once, got {seeds}")
    for seed in seeds:
        check_seed(seed)
    if minutes is not None and not 0 < minutes <= MOST_MINUTES:
        raise UserError(
            f"minutes must be positive, and at most {MOST_MINUTES:,} (a year), got {minutes:g}"
        )
    if minutes is not None and "training.epochs" in (rules.grid or {}):
        raise UserError(
            "--minutes says how many epochs each run has; leave training.epochs out of the search"
        )
    for key in ("start_from", "freeze", "keep_statistics"):
        if value := getattr(config.training, key):
            raise UserError(
                f"training.{key}={value}: a comparison trains models with several encodings, each "
                "from random weights; leave it out"
            )
    check_task_options(config)
    check_one_encoding(config)
    entries = read_entries(encodings, options)
    if rules.noise == "all" and not (config.training.noise or config.training.permute):
        raise UserError(
            "--noise all needs noise in the configuration; set training.noise, or leave it out"
        )
    for label, entry in entries.items():
        if "name" in entry.options:
            raise UserError(
                f"{label} is {entry.name}; it cannot be given another name by an option: write  "
                f"{label}=NAME(...)"
            )
        if "preset" in entry.options:
            try:
                find_preset(entry.name, entry.options["preset"])
            except UserError as error:
                raise UserError(f"{label}: {error}") from error
    if not (folder / run_folder.PLAN).is_file():
        check_free(folder)


def check_noise_is_used(given: list[str], entries: Iterable[Entry], rules: Rules) -> None:
    """Refuses noise that was asked for and that no encoding would train with.

    Args:
        given: Assignments on the command line, ``key=value``.
        entries: The encodings.
        rules: Say who trains with noise.
    """
    keys = [text.partition("=")[0].strip() for text in given]
    asked = [key for key in keys if key in ("training.noise", "training.permute")]
    names = [entry.name for entry in entries]
    if asked and not any(trains_with_noise(name, rules) for name in names):
        raise UserError(
            f"--set {asked[0]} has no effect: with --noise {rules.noise}, none of "
            f"{', '.join(names)} trains with noise on the Laplacian; leave it out, or compare "
            "encodings that do (--noise all: all that read a spectrum)"
        )


def check_one_encoding(config: Config) -> None:
    """Refuses a configuration whose encoding others cannot take the place of."""
    if len(config.encodings) != 1:
        raise UserError(
            f"a comparison replaces the one encoding of a configuration, this one has "
            f"{len(config.encodings)}"
        )
