"""Options that several commands have."""

from typing import Annotated

import typer

Smiles = Annotated[str, typer.Option(help="Column of SMILES (or graph6 strings).")]
NoHeader = Annotated[
    bool, typer.Option("--no-header-row", help="The first line is data: column_1, column_2, ...")
]
Multiline = Annotated[
    bool, typer.Option("--allow-multiline", help="Cells in quotes may have line breaks.")
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
Overrides = Annotated[
    list[str] | None, typer.Option("--set", help="Override, like backbone.layers=6.")
]
