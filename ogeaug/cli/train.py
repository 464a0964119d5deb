"""The command ``ogeaug train``: parse, call, print. Heavy imports stand inside."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ogeaug.cli.options import Multiline, NoHeader, Overrides, Quiet
from ogeaug.cli.tables import about_lines
from ogeaug.encodings import ENCODINGS, about_edges
from ogeaug.errors import UserError

if TYPE_CHECKING:
    from ogeaug.training.config import Config
    from ogeaug.training.fitting import FitResult

app = typer.Typer(add_completion=False)


@app.command()
def train(
    data_path: Annotated[
        str | None, typer.Option(help="CSV file (or folder of a data set).")
    ] = None,
    dataset: Annotated[
        str | None, typer.Option(help="csv, or a data set by name: ogeaug data list.")
    ] = None,
    smiles_columns: Annotated[str | None, typer.Option(help="Column of SMILES.")] = None,
    target_columns: Annotated[
        list[str] | None, typer.Option(help="Target column; repeat, or use commas.")
    ] = None,
    task_type: Annotated[
        str | None, typer.Option(help="regression, classification (0/1) or multiclass.")
    ] = None,
    num_classes: Annotated[int | None, typer.Option(help="Of multiclass.")] = None,
    output_dir: Annotated[
        Path | None, typer.Option("--output-dir", "-o", help="New folder.")
    ] = None,
    config: Annotated[str, typer.Option(help="Shipped configuration or YAML file.")] = "default",
    set_: Overrides = None,
    epochs: Annotated[int | None, typer.Option(min=1)] = None,
    batch_size: Annotated[int | None, typer.Option(min=1)] = None,
    split_type: Annotated[str | None, typer.Option(help="random, scaffold or column.")] = None,
    split_sizes: Annotated[
        tuple[float, float, float] | None, typer.Option(help="Like 0.8 0.1 0.1.")
    ] = None,
    splits_column: Annotated[str | None, typer.Option(help="Says train, val, test.")] = None,
    num_folds: Annotated[int | None, typer.Option(help="Cross-validation.")] = None,
    start_from: Annotated[
        str | None, typer.Option(help="Model folder, or zinc: its weights, not random ones.")
    ] = None,
    freeze_encodings: Annotated[
        bool,
        typer.Option("--freeze-encodings", help="Those of --start-from stay; fast epochs."),
    ] = False,
    ensemble_size: Annotated[int, typer.Option(min=1, help="Models that differ by seed.")] = 1,
    seed: Annotated[int | None, typer.Option(help="Of split, weights, order, noise.")] = None,
    accelerator: Annotated[str | None, typer.Option(help="auto, cpu or gpu.")] = None,
    devices: Annotated[
        int,
        typer.Option(
            min=1, max=256, help="Processes (GPUs) of this machine that share each batch."
        ),
    ] = 1,
    no_header_row: NoHeader = False,
    allow_multiline: Multiline = False,
    ignore_stereo: Annotated[
        bool, typer.Option("--ignore-stereo", help="Stereoisomers are one molecule.")
    ] = False,
    max_atoms: Annotated[
        int | None, typer.Option(min=1, help="Larger graphs are left out: skipped.csv. (2000)")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="Continue the run in this folder.")] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Train on all columns of numbers; do not ask.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Train a model on a table of molecules (or graphs) and targets."""
    from ogeaug.training.config import load_config
    from ogeaug.training.early import check_resume, check_training
    from ogeaug.training.new_folder import check_free
    from ogeaug.training.processes import Processes, launch

    values = {
        "data.name": dataset,
        "data.path": data_path,
        "data.column": smiles_columns,
        "data.header": False if no_header_row else None,
        "data.multiline": True if allow_multiline else None,
        "data.max_atoms": max_atoms,
        "features.ignore_stereo": True if ignore_stereo else None,
        "task.targets": _names(target_columns),
        "task.type": task_type,
        "task.num_classes": num_classes,
        "training.epochs": epochs,
        "training.batch_size": batch_size,
        "split.type": "column" if splits_column and not split_type else split_type,
        "split.sizes": split_sizes,
        "split.column": splits_column,
        "split.num_folds": num_folds,
        "training.start_from": start_from,
        "training.freeze": True if freeze_encodings else None,
        "training.seed": seed,
        "training.accelerator": accelerator,
        "split.seed": seed,
    }
    given = {key: value for key, value in values.items() if value is not None}
    chosen = None
    if resume is None:
        chosen = load_config(config, set_, given)
    elif given or set_ or output_dir or config != "default" or ensemble_size > 1 or yes:
        raise UserError(
            f"--resume continues {resume} as it was started; leave out all other options but "
            "--devices and --quiet"
        )
    folder = resume or output_dir
    if folder is None:
        raise UserError("name a new folder for the run: --output-dir run1")
    if chosen is not None and Processes.current().first:
        check_free(folder)  # before a question is asked
    if chosen is not None and not chosen.task.targets:
        targets = _ask_for_targets(chosen, yes)
        chosen = load_config(config, set_, given | targets) if targets else chosen
    if Processes.current().first:  # the others would say the same
        if chosen is None:
            check_resume(folder)
        else:
            check_training(chosen, folder, models=ensemble_size, devices=devices)
    if chosen is not None and Processes.current().first:
        _tell_of_edges(chosen)
        _tell_of_lines(chosen)
    arguments = (chosen, folder, ensemble_size, not quiet)
    results = launch(devices, _train, *arguments) if devices > 1 else _train(*arguments)
    if Processes.current().first:
        from ogeaug.cli.result_table import print_results
        from ogeaug.training.pictures import draw_run

        print_results(results, folder)
        draw_run(results)


def _train(
    config: "Config | None", folder: Path, ensemble_size: int, progress: bool
) -> "list[FitResult]":
    """Trains, or resumes if there is no configuration; a process that only waits for others that
    train need not import anything for it."""
    from ogeaug.training.ensemble import fit_all, resume_all

    if config is None:
        return list(resume_all(folder, progress=progress))
    return list(fit_all(config, folder, ensemble_size=ensemble_size, progress=progress))


def _tell_of_edges(config: "Config") -> None:
    """An encoding of edges in place of one of nodes may not be what was meant."""
    names = [encoding.name for encoding in config.encodings]
    for name in names:
        if ENCODINGS.level(name) == "edge":
            alone = all(ENCODINGS.level(other) == "edge" for other in names)
            typer.echo(about_edges(name) + ("; the nodes have none" if alone else ""), err=True)


def _tell_of_lines(config: "Config") -> None:
    if config.data.multiline and config.data.path:
        from ogeaug.data.table import TableReader

        path, header = config.data.path, config.data.header
        counted = TableReader(path, header=header, multiline=True).count()
        typer.echo(about_lines(path, *counted), err=True)


def _ask_for_targets(config: "Config", yes: bool) -> dict[str, list[str]]:
    """Columns to train on, as a value of the configuration; none if nobody has said so."""
    from ogeaug.data.choose_targets import suggest_targets

    if not (yes or _can_ask()):
        return {}  # to be refused, with what to do
    found = suggest_targets(config.data, config.split, config.task)
    if found and (yes or typer.confirm(f"Train on targets: {', '.join(found)}?")):
        return {"task.targets": found}
    return {}


def _can_ask() -> bool:
    from ogeaug.training.processes import Processes

    there = sys.stdin is not None and sys.stdin.isatty()
    return there and Processes.current().count == 1


def _names(columns: list[str] | None) -> list[str] | None:
    return [name.strip() for part in columns for name in part.split(",")] if columns else None
