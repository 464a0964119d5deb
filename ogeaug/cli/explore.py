"""The command ``ogeaug explore``: parse, call, print. Heavy imports stand inside."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from ogeaug.cli.options import Unfinished
from ogeaug.errors import UserError

app = typer.Typer(add_completion=False)
NEEDED = ("dash", "dash_cytoscape", "dash_ag_grid", "plotly")


@app.command()
def explore(
    model: Annotated[
        Path | None, typer.Option(help="Run folder of a model (or ensemble) to predict with.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="To listen on. Others than 127.0.0.1 need the token of the address.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8050,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print it.")] = False,
    allow_unfinished: Unfinished = False,
) -> None:
    """Open a page in the browser that shows what an encoding sees."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise UserError(
            f"the page needs {', '.join(missing)}, which is not installed:  "
            "pip install 'ogeaug[explore]'"
        )
    from ogeaug.explore.server import explore as serve
    from ogeaug.explore.work import find_explored

    if model is None and allow_unfinished:
        raise UserError("--allow-unfinished is about a model; name one by --model")
    found = None if model is None else find_explored(model, allow_unfinished=allow_unfinished)
    typer.echo("starting ...", err=True)
    serve(found, host=host, port=port, browser=not no_browser, say=typer.echo)
