"""The command ``ogeaug encode``: parse, call, print. Heavy imports stand inside."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ogeaug.cli.options import Dask, MaxAtoms, Multiline, NoHeader, Quiet, Smiles, Unfinished
from ogeaug.cli.tables import about_lines, tidy_up_when_terminated
from ogeaug.data.limits import MAX_ATOMS

app = typer.Typer(add_completion=False)


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
    allow_multiline: Multiline = False,
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
        "multiline": allow_multiline,
        "graph6": graph6,
        "seed": seed,
        "allow_unfinished": allow_unfinished,
        "dask": dask,
    }
    files = check_encoding(data_path, output, **asked)
    from ogeaug.inference.encode import encode_table  # loads torch

    tidy_up_when_terminated()
    counts = encode_table(data_path, output, **asked, max_atoms=max_atoms, progress=not quiet)
    weights = f"trained, of {model_path}" if model_path else f"random, seed {seed or 0}"
    aside = is_stdout(output)
    typer.echo(f"{counts['read']:,} graphs in {output} (weights: {weights})", err=aside)
    if allow_multiline:
        typer.echo(about_lines(data_path, files.rows, files.lines), err=aside)
    if counts["failed"]:
        typer.echo(f"{counts['failed']:,} could not be read: see the column 'status'", err=aside)
