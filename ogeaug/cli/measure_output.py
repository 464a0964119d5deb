"""What the commands of ``ogeaug measure`` share: a named encoding, a table, a picture."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import nn


def make_named(name: str, seed: int | None, *, features: bool = False) -> "nn.Module":
    """With random weights; where it is asked for, with one node feature if it needs any."""
    import torch

    from ogeaug.encodings import make_encoding, needs_features

    if seed is not None:
        torch.manual_seed(seed)
    if features and needs_features(name):
        return make_encoding(name, 16, in_channels=1).double().eval()
    return make_encoding(name, 16).double().eval()


def save_picture(picture: "Figure", path: Path, csv: Path | None) -> None:
    from ogeaug.files.output import save_figure

    save_figure(picture, path)
    say(f"saved {path}", path, csv)


def say(text: str, *files: Path | None) -> None:
    """Prints; not between the lines of a file that goes to the standard output."""
    from ogeaug.files.output import is_stdout

    typer.echo(text, err=any(file is not None and is_stdout(file) for file in files))


def print_table(
    head: list[str],
    rows: list[list[str]],
    path: Path | None,
    figure: Path | None = None,
    *,
    show: list[list[str]] | None = None,
) -> None:
    """Prints a table (or some of its columns, in several), writes it to a file if there is one."""
    import csv

    from ogeaug.files.output import writing_text

    for columns in show or [head]:
        places = [head.index(name) for name in columns]
        show_table(columns, [[row[i] for i in places] for row in rows], path, figure)
    if path is not None:
        with writing_text(path, make_folder=True) as file:
            csv.writer(file).writerows([head, *rows])


def show_table(head: list[str], rows: list[list[str]], *files: Path | None) -> None:
    from rich.console import Console
    from rich.table import Table

    from ogeaug.files.output import is_stdout

    # Wide tables are printed on their side, so that a terminal of 80 columns shows all of them.
    lines = (
        [head, *rows] if len(head) <= 8 else [list(line) for line in zip(head, *rows, strict=True)]
    )
    table = Table(*lines[0])
    for line in lines[1:]:
        table.add_row(*line)
    aside = any(file is not None and is_stdout(file) for file in files)
    Console(stderr=aside).print(table)
