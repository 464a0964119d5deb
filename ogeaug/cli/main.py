"""The command line: parse, call, print. Heavy imports stand inside the commands."""

import errno
import importlib
import io
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from ogeaug import __version__
from ogeaug.data.limits import MAX_ATOMS
from ogeaug.encodings import ENCODINGS, about_edges
from ogeaug.errors import UserError

if TYPE_CHECKING:
    from ogeaug.training.config import Config
    from ogeaug.training.fitting import FitResult

MOUNTED = {
    "measure": ("ogeaug.cli.measure", "Measure stability and expressivity of an encoding."),
    "compare": (
        "ogeaug.cli.compare",
        "Train several encodings alike and compare them.",
    ),
}
"""Commands of other modules, each with a typer ``app``, loaded when called: ``ogeaug --help`` takes
170 ms (of one core), 190 ms with these two registered the plain way."""


class Mounted(TyperCommand):
    """Stands for a command in the help text and loads the real one when it is called."""

    def make_context(self, info_name: Any, args: list[str], *rest: Any, **extra: Any) -> Any:
        module = importlib.import_module(MOUNTED[str(self.name)][0])
        return typer.main.get_command(module.app).make_context(info_name, args, *rest, **extra)


class Commands(TyperGroup):
    """Mounts commands of other modules, and prints errors of the user without a traceback."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *MOUNTED]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in MOUNTED:
            return Mounted(cmd_name, help=MOUNTED[cmd_name][1])
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as error:
            typer.secho(f"Error: {error}", fg="red", err=True)
        except OSError as error:
            hint = ""
            if error.errno == errno.ENOSPC:
                hint = "; make room, then call it again (training: ogeaug train --resume FOLDER)"
            typer.secho(f"Error: {error}{hint}", fg="red", err=True)
        except (typer.Exit, typer.Abort):  # RuntimeErrors by their class only
            raise
        except (MemoryError, RuntimeError) as error:
            from ogeaug.tensors.memory import NO_MEMORY, out_of_memory

            if not out_of_memory(error):
                raise
            typer.secho(
                f"Error: {NO_MEMORY}: {str(error) or type(error).__name__}", fg="red", err=True
            )
        except KeyboardInterrupt as stop:
            typer.secho(f"Interrupted {stop}", fg="red", err=True)
            raise typer.Exit(130) from stop
        raise typer.Exit(1)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    help="Stable, expressive graph features from Laplacian eigenvectors: train, predict, encode.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ogeaug {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print it."),
    ] = False,
) -> None:
    # Spinners, tables and names of files may hold what a terminal without UTF-8 cannot show.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


Columns = Annotated[list[str] | None, typer.Option(help="Target column; repeat, or use commas.")]
Smiles = Annotated[str, typer.Option(help="Column of SMILES (or graph6 strings).")]
NoHeader = Annotated[
    bool, typer.Option("--no-header-row", help="The first line is data: column_1, column_2, ...")
]
Dask = Annotated[
    str | None, typer.Option(help="Address of a Dask scheduler, or a number of local processes.")
]
Unfinished = Annotated[
    bool, typer.Option("--allow-unfinished", help="Use models of interrupted runs as they are.")
]
MaxAtoms = Annotated[
    int, typer.Option(min=1, help="Larger graphs are not computed; their status says so.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress bars.")]


@app.command()
def train(
    data_path: Annotated[
        str | None, typer.Option(help="CSV file (or folder of a data set).")
    ] = None,
    dataset: Annotated[
        str | None, typer.Option(help="csv, nci, zinc, qm9, pattern or cluster.")
    ] = None,
    smiles_columns: Annotated[str | None, typer.Option(help="Column of SMILES.")] = None,
    target_columns: Columns = None,
    task_type: Annotated[
        str | None, typer.Option(help="regression, classification (0/1) or multiclass.")
    ] = None,
    num_classes: Annotated[int | None, typer.Option(help="Of multiclass.")] = None,
    output_dir: Annotated[
        Path | None, typer.Option("--output-dir", "-o", help="New folder.")
    ] = None,
    config: Annotated[str, typer.Option(help="Shipped configuration or YAML file.")] = "default",
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="Override, like backbone.layers=6.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1)] = None,
    batch_size: Annotated[int | None, typer.Option(min=1)] = None,
    split_type: Annotated[str | None, typer.Option(help="random, scaffold or column.")] = None,
    split_sizes: Annotated[
        tuple[float, float, float] | None, typer.Option(help="Like 0.8 0.1 0.1.")
    ] = None,
    splits_column: Annotated[str | None, typer.Option(help="Says train, val, test.")] = None,
    num_folds: Annotated[int | None, typer.Option(help="Cross-validation.")] = None,
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
    arguments = (chosen, folder, ensemble_size, not quiet)
    results = launch(devices, _train, *arguments) if devices > 1 else _train(*arguments)
    if Processes.current().first:
        from ogeaug.cli.result_table import print_results

        print_results(results, folder)


@app.command()
def predict(
    test_path: Annotated[Path, typer.Option(help="CSV file.")],
    model_paths: Annotated[list[Path], typer.Option(help="Run folder; repeat for an ensemble.")],
    preds_path: Annotated[Path, typer.Option(help="CSV file to write (.csv or .csv.gz).")],
    smiles_columns: Smiles = "smiles",
    no_header_row: NoHeader = False,
    allow_unfinished: Unfinished = False,
    max_atoms: MaxAtoms = MAX_ATOMS,
    dask: Dask = None,
    quiet: Quiet = False,
) -> None:
    """Add predictions to a table: all rows and columns stay, in order."""
    from ogeaug.files.output import is_stdout
    from ogeaug.inference.early import check_prediction

    asked: Any = {
        "column": smiles_columns,
        "header": not no_header_row,
        "allow_unfinished": allow_unfinished,
        "dask": dask,
    }
    check_prediction(test_path, list(model_paths), preds_path, **asked)
    from ogeaug.inference.predict import predict_table  # loads torch

    _tidy_up_when_terminated()
    counts = predict_table(
        test_path,
        list(model_paths),
        preds_path,
        **asked,
        max_atoms=max_atoms,
        progress=not quiet,
    )
    aside = is_stdout(preds_path)
    typer.echo(f"{counts['read']:,} rows in {preds_path}", err=aside)
    if counts["failed"]:
        typer.echo(f"{counts['failed']:,} without a prediction: see the column 'status'", err=aside)


@app.command()
def encode(
    data_path: Annotated[Path, typer.Option(help="CSV file.")],
    output: Annotated[Path, typer.Option(help="File to write (.parquet or .csv).")],
    model_path: Annotated[
        Path | None, typer.Option(help="Use its trained encoding; else random weights.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="Name of an encoding (without a model: oge_aug).")
    ] = None,
    out_channels: Annotated[
        int | None, typer.Option(min=1, help="Width (without a model: 28).")
    ] = None,
    pooling: Annotated[str, typer.Option(help="none (a line per node), sum or mean.")] = "none",
    smiles_columns: Smiles = "smiles",
    graph6: Annotated[bool, typer.Option("--graph6", help="The column holds graph6.")] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="Of random weights (0).")] = None,
    no_header_row: NoHeader = False,
    allow_unfinished: Unfinished = False,
    max_atoms: MaxAtoms = MAX_ATOMS,
    dask: Dask = None,
    quiet: Quiet = False,
) -> None:
    """Write node (or pooled) OGE-Aug features for other tools."""
    from ogeaug.files.output import is_stdout
    from ogeaug.inference.early import check_encoding

    asked: Any = {
        "model_path": model_path,
        "encoding": encoding,
        "out_channels": out_channels,
        "pooling": pooling,
        "column": smiles_columns,
        "header": not no_header_row,
        "graph6": graph6,
        "seed": seed,
        "allow_unfinished": allow_unfinished,
        "dask": dask,
    }
    check_encoding(data_path, output, **asked)
    from ogeaug.inference.encode import encode_table  # loads torch

    _tidy_up_when_terminated()
    counts = encode_table(data_path, output, **asked, max_atoms=max_atoms, progress=not quiet)
    weights = f"trained, of {model_path}" if model_path else f"random, seed {seed or 0}"
    aside = is_stdout(output)
    typer.echo(f"{counts['read']:,} graphs in {output} (weights: {weights})", err=aside)
    if counts["failed"]:
        typer.echo(f"{counts['failed']:,} could not be read: see the column 'status'", err=aside)


def _tidy_up_when_terminated() -> None:
    """SIGTERM becomes an exception, so that temporary files are removed. (Lightning has its own
    way to stop a training.)"""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


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


if __name__ == "__main__":
    app()
