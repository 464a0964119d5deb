"""The command ``ogeaug reproduce``: parse, call, print. Heavy imports stand inside."""

from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(add_completion=False)


@app.command()
def reproduce(
    table: Annotated[str, typer.Argument(help="Table of the paper; an unknown one lists all.")],
    budget: Annotated[
        str, typer.Option(help="smoke (minutes), hour, night (of one core), or paper.")
    ] = "smoke",
    output_dir: Annotated[
        Path | None,
        typer.Option("--output-dir", "-o", help="New, or one to go on with (reproduce-TABLE)."),
    ] = None,
    data_path: Annotated[
        str | None, typer.Option(help="Folder of the benchmark's files, as downloaded.")
    ] = None,
    rows: Annotated[
        list[str] | None, typer.Option(help="Only rows with this word; may be repeated.")
    ] = None,
    columns: Annotated[
        list[str] | None, typer.Option(help="Only columns with this word; may be repeated.")
    ] = None,
    graphs: Annotated[int | None, typer.Option(min=1, help="At most so many.")] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Of each run.")] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="How many, from 0.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Runs at a time.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Train the rows of one of the paper's tables, and print its figures beside ours."""
    from ogeaug.reproduce.check import check_asked, check_facts
    from ogeaug.reproduce.table import FACTS, read_paper_table
    from ogeaug.training.interrupt import same_call_goes_on

    folder = output_dir or Path(f"reproduce-{table}")
    asked: dict[str, Any] = {"budget": budget, "data_path": data_path, "rows": rows or []}
    asked |= {"columns": columns or [], "graphs": graphs, "epochs": epochs, "seeds": seeds}
    if table in FACTS:
        check_facts(table, folder, asked | {"jobs": jobs})
        from ogeaug.reproduce.facts import write_facts  # loads torch

        file = write_facts(table, folder, {k: asked[k] for k in FACTS[table]}, progress=not quiet)
        typer.echo(file.read_text(encoding="utf-8"))
        return
    check_asked(read_paper_table(table), folder, asked)
    with same_call_goes_on():
        from ogeaug.reproduce.run import reproduce as run  # loads torch

        file = run(table, folder, **asked, jobs=jobs, progress=not quiet)
    typer.echo(file.read_text(encoding="utf-8"))
    typer.echo(f"table.md, table.csv and table.png are in {folder}")
