"""``ogeaug data``: parse, call, print. Heavy imports stand inside."""

from typing import TYPE_CHECKING, Annotated

import typer

from ogeaug.cli.options import Quiet

if TYPE_CHECKING:
    from ogeaug.data.sets.base import DataSet

app = typer.Typer(
    help="Data sets by name: which there are, and their statistics.",
    no_args_is_help=True,
    add_completion=False,
)
Folder = Annotated[
    str | None, typer.Option(help="Folder of the benchmark's files (or OGEAUG_DATA).")
]
ABSENT = "not here: needs "
BREC = "brec"
"""Pairs to tell apart: nothing is trained on it as on the others."""


@app.command("list")
def list_sets(data_path: Folder = None) -> None:
    """All data sets: what each is for, and where it would come from now."""
    from ogeaug.data.sets import DATASETS
    from ogeaug.data.sets.files import named_folder

    named_folder(data_path)  # one that is not there would hide what could be had
    lines = [["name", "task", "from"]]
    lines += [
        [name, known.task, _source(known, data_path)]
        for name, known in DATASETS.items()
        if name != "csv"
    ]
    lines.append([BREC, "pairs of graphs", "its own files: ogeaug measure brec FOLDER"])
    for line in align(lines):
        typer.echo(line)
    if any(source.startswith(ABSENT) for _, _, source in lines):
        typer.echo("ogeaug data stats NAME says which files are missing, and what was found")


def _source(known: "DataSet", path: str | None) -> str:
    """Where a set would come from now, or what it needs."""
    from ogeaug.data.config import DataConfig
    from ogeaug.data.sets.files import INSTALL
    from ogeaug.errors import UserError

    if not known.layouts:
        return "this package, or RDKit"
    data, needs = DataConfig(name=known.name, path=path), ", or ".join(map(str, known.layouts))
    try:
        found = known.find(data)
    except UserError:
        return f"{ABSENT}{needs}"
    if found is None and known.package is not None:
        try:
            known.package.find()
        except UserError:
            return f"{ABSENT}{needs}, or a stand-in by  {INSTALL}  (package {known.package.name})"
    stand_in = known.stand_in(data)
    return f"stand-in: {stand_in}" if stand_in else "its own files"


@app.command()
def stats(
    name: Annotated[str, typer.Argument(help="Of the data set: ogeaug data list.")],
    data_path: Folder = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Count only so many graphs.")] = None,
    quiet: Quiet = False,
) -> None:
    """Count graphs, nodes and edges of a data set, beside the paper's figures."""
    if name == BREC:
        _brec_stats(data_path, limit)
        return
    from ogeaug.data.sets import DATASETS
    from ogeaug.data.stats import describe_set
    from ogeaug.errors import UserError

    if name not in DATASETS:
        known = [*(other for other in DATASETS if other != "csv"), BREC]
        raise UserError(f"unknown data set {name!r}; choose from {', '.join(known)}")
    found = describe_set(name, data_path, limit=limit, progress=not quiet)
    for line in align(found.lines()):
        typer.echo(line)
    for note in found.notes():
        typer.echo(note)


def _brec_stats(data_path: str | None, limit: int | None) -> None:
    """Counts the pairs of BREC's files."""
    from ogeaug.data.sets.files import FOLDER, named_folder
    from ogeaug.errors import UserError
    from ogeaug.measure.brec.files import read_brec
    from ogeaug.measure.brec.stats import count_pairs

    if limit is not None:
        raise UserError("--limit is for sets that are trained on; of BREC all pairs are counted")
    content = "brec_v3.npy as published, or files of pairs of BREC"
    folder = named_folder(data_path, content)
    if folder is None:
        raise UserError(f"BREC is read from its files: --data-path FOLDER (or {FOLDER}): {content}")
    for line in align(count_pairs(read_brec(folder))):
        typer.echo(line)


def align(lines: list[list[str]]) -> list[str]:
    """Rows of cells as text in columns; figures to the right.

    Example:
        >>> align([["", "graphs"], ["zinc", "12,000"], ["paper", "7"]])
        ['       graphs', 'zinc   12,000', 'paper       7']
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    figures = [
        all(cell == "" or cell[0].isdigit() for cell in column[1:])
        for column in zip(*lines, strict=True)
    ]
    shown = []
    for line in lines:
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, figures, strict=True)
        ]
        shown.append("  ".join(cells).rstrip())
    return shown
