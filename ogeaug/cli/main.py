"""The command line: which commands there are, and what becomes of their errors."""

import errno
import importlib
import io
import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from ogeaug import __version__
from ogeaug.errors import UserError

COMMANDS = {
    "train": "Train a model on a table of molecules (or graphs) and targets.",
    "predict": "Add predictions to a table: all rows and columns stay, in order.",
    "encode": "Write node (or pooled) OGE-Aug features for other tools.",
    "compare": "Train the same model with several encodings at equal budget, and compare them.",
    "explore": "Open a page in the browser that shows what an encoding sees.",
    "data": "Data sets by name: which there are, and their statistics.",
    "measure": "Measure encodings: invariance, stability, expressivity, cost.",
    "reproduce": "Train the rows of one of the paper's tables, and print its figures beside ours.",
}
"""What ``ogeaug --help`` lists. The command NAME is the typer ``app`` of ``ogeaug/cli/NAME.py``,
loaded when it is called; the text is the first sentence of its own help. An app of one command is
that command, and one with a callback or several commands is a group."""


class Mounted(TyperCommand):
    """Stands for a command in the help text and loads the real one when it is called."""

    def make_context(self, info_name: Any, args: list[str], *rest: Any, **extra: Any) -> Any:
        return load_command(str(self.name)).make_context(info_name, args, *rest, **extra)


def load_command(name: str) -> Any:
    """A command by its name."""
    return typer.main.get_command(importlib.import_module(f"ogeaug.cli.{name}").app)


class Commands(TyperGroup):
    """Mounts the commands, and prints errors of the user without a traceback."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return Mounted(cmd_name, help=COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

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
    # Linux then gives PyTorch's large tensors pages of 2 MiB: on dense graphs most of a step were
    # faults of small ones. PyTorch reads it with its first tensor.
    os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
