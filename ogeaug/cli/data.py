"""``ogeaug data``: parse, call, print. Heavy imports stand inside."""

from typing import Annotated

import typer

from ogeaug.cli.options import Quiet

app = typer.Typer(
    help="Data sets by name: which there are, and their statistics.",
    no_args_is_help=True,
    add_completion=False,
)
Folder = Annotated[
    str | None, typer.Option(help="Folder of the benchmark's files (or OGEAUG_DATA).")
]


@app.command("list")
def list_sets(data_path: Folder = None) -> None:
    """All data sets: what each is for, and where it would come from now."""
    from ogeaug.data.config import DataConfig
    from ogeaug.data.sets import DATASETS
    from ogeaug.errors import UserError

    lines = [["name", "task", "from"]]
    for name, known in DATASETS.items():
        if name == "csv":
            continue
        data = DataConfig(name=name, path=data_path if known.layouts else None)
        try:
            found = known.find(data) if known.layouts else None
            if found is None and known.package is not None:
                known.package.find()
            stand_in = known.stand_in(data)
            source = f"stand-in: {stand_in}" if stand_in else "its own files"
            source = source if known.layouts else "this package, or RDKit"
        except UserError:
            source = f"not here: needs {', or '.join(map(str, known.layouts))}"
        lines.append([name, known.task, source])
    for line in align(lines):
        typer.echo(line)


@app.command()
def stats(
    name: Annotated[str, typer.Argument(help="Of the data set: ogeaug data list.")],
    data_path: Folder = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Count only so many graphs.")] = None,
    quiet: Quiet = False,
) -> None:
    """Count graphs, nodes and edges of a data set, beside the paper's figures."""
    from ogeaug.data.sets import find_set
    from ogeaug.data.stats import describe_set

    find_set(name)
    found = describe_set(name, data_path, limit=limit, progress=not quiet)
    for line in align(found.lines()):
        typer.echo(line)
    for note in found.notes():
        typer.echo(note)


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
