"""The command ``ogeaug predict``: parse, call, print. Heavy imports stand inside."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ogeaug.cli.options import Dask, MaxAtoms, Multiline, NoHeader, Quiet, Smiles, Unfinished
from ogeaug.cli.tables import about_lines, tidy_up_when_terminated
from ogeaug.data.limits import MAX_ATOMS

app = typer.Typer(add_completion=False)


@app.command()
def predict(
    test_path: Annotated[Path, typer.Option(help="CSV file.")],
    model_paths: Annotated[list[Path], typer.Option(help="Run folder; repeat for an ensemble.")],
    preds_path: Annotated[Path, typer.Option(help="CSV file to write (.csv or .csv.gz).")],
    smiles_columns: Smiles = "smiles",
    no_header_row: NoHeader = False,
    allow_multiline: Multiline = False,
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
        "multiline": allow_multiline,
        "allow_unfinished": allow_unfinished,
        "dask": dask,
    }
    files = check_prediction(test_path, list(model_paths), preds_path, **asked)
    from ogeaug.inference.predict import predict_table  # loads torch

    tidy_up_when_terminated()
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
    if allow_multiline:
        typer.echo(about_lines(test_path, files.rows, files.lines), err=aside)
    if counts["failed"]:
        typer.echo(f"{counts['failed']:,} without a prediction: see the column 'status'", err=aside)
