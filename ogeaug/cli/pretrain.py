"""The command ``ogeaug pretrain``: parse, call, print. Heavy imports stand inside."""

from pathlib import Path
from typing import Annotated

import typer

from ogeaug.cli.options import Quiet

app = typer.Typer(add_completion=False)


@app.command()
def pretrain(
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write: .safetensors.")],
    data_path: Annotated[
        str | None, typer.Option(help="CSV file of SMILES; if absent, 5,000 NCI molecules.")
    ] = None,
    smiles_columns: Annotated[str, typer.Option(help="Column of SMILES.")] = "smiles",
    out_channels: Annotated[int, typer.Option(min=1, help="Features of a node.")] = 64,
    hidden_channels: Annotated[int, typer.Option(min=4)] = 64,
    num_layers: Annotated[int, typer.Option(min=1)] = 4,
    k: Annotated[int, typer.Option(min=1, help="Eigenpairs to keep.")] = 40,
    epochs: Annotated[int, typer.Option(min=1)] = 40,
    seed: Annotated[int, typer.Option(min=0, help="Of weights and order.")] = 0,
    quiet: Quiet = False,
) -> None:
    """Teach an OGE-Aug the structure of molecules without labels, for oge_pretrained."""
    from ogeaug.training.early import check_pretraining

    options = {"hidden_channels": hidden_channels, "num_layers": num_layers, "k": k}
    sizes = options | {"out_channels": out_channels}
    check_pretraining(output, data_path, smiles_columns, sizes, seed)
    from ogeaug.training.pretrain_molecules import pretrain_molecules  # loads torch

    found = pretrain_molecules(
        output,
        data_path,
        smiles_columns,
        out_channels=out_channels,
        options=options,
        epochs=epochs,
        seed=seed,
        progress=not quiet,
    )
    typer.echo(str(found))
