"""The command ``ogeaug compare``: parse, call, print. Heavy imports stand inside."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ogeaug.cli.options import Overrides, Quiet
from ogeaug.errors import UserError

app = typer.Typer(add_completion=False)
EPOCHS = "training.epochs"


@app.command()
def compare(
    config: Annotated[str, typer.Option(help="Shipped configuration or YAML file.")],
    output_dir: Annotated[
        Path | None,
        typer.Option(
            "--output-dir", "-o", help="New folder, or that of one to go on with (compare-CONFIG)."
        ),
    ] = None,
    encodings: Annotated[
        str,
        typer.Option(
            help="Names, with commas; the same one twice by labels: small=oge_aug(delta=0.005)."
        ),
    ] = "oge_aug,spe,signnet,basisnet,peg,lap_pe,rwse,none",
    seeds: Annotated[str, typer.Option(help="Training seeds, with commas.")] = "0",
    minutes: Annotated[
        float | None, typer.Option(help="Equal wall time for each run, not equal epochs.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1)] = None,
    data_path: Annotated[str | None, typer.Option(help="File or folder of the data.")] = None,
    set_: Overrides = None,
    option: Annotated[
        list[str] | None, typer.Option(help="Of one encoding (label), like basisnet.k=8.")
    ] = None,
    preset: Annotated[
        str,
        typer.Option(
            help="authors: encodings as theirs have them, equal parameters by the backbone's width;"
            " equal-width: options and backbone of the configuration."
        ),
    ] = "authors",
    parameters: Annotated[
        int | None, typer.Option(min=1, help="Of each model; those of the largest.")
    ] = None,
    noise: Annotated[
        str, typer.Option(help="Noise on the Laplacian for none, all, or own: whose authors do.")
    ] = "own",
    standardize: Annotated[
        str | None, typer.Option(help="A batch norm after all or none of the encodings.")
    ] = None,
    hold_out: Annotated[
        float | None,
        typer.Option(help="Without a test part: validate on this fraction of the training part."),
    ] = None,
    search: Annotated[
        bool, typer.Option("--search", help="Try lr, norm and standardize for each first.")
    ] = False,
    grid: Annotated[
        list[str] | None, typer.Option(help="Try these instead, like training.lr=1e-3,2e-3.")
    ] = None,
    search_epochs: Annotated[int | None, typer.Option(min=1, help="Of each try.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Runs at a time.")] = 1,
    quiet: Quiet = False,
) -> None:
    """Train the same model with several encodings at equal budget, and compare them."""
    from ogeaug.compare.early import check_comparison, check_noise_is_used
    from ogeaug.compare.entries import read_entries, split_entries
    from ogeaug.compare.rules import make_rules, standard_grid
    from ogeaug.training.config import load_config
    from ogeaug.training.early import check_config_data
    from ogeaug.training.interrupt import same_call_goes_on

    epochs_set = [text for text in set_ or [] if text.partition("=")[0].strip() == EPOCHS]
    if minutes is not None and (epochs is not None or epochs_set):
        raise UserError(
            "--minutes says how many epochs each run has, so epochs would be ignored; leave one out"
        )
    folder = output_dir or Path(f"compare-{Path(config).stem}")
    values = {EPOCHS: epochs, "data.path": data_path}
    given = {key: value for key, value in values.items() if value is not None}
    chosen = load_config(config, set_, given)
    names = split_entries(encodings)
    asked: Any = {
        "seeds": _seeds(seeds),
        "minutes": minutes,
        "options": _options(option or []),
        "rules": make_rules(
            preset=preset,
            parameters=parameters,
            noise=noise,
            standardize=standardize,
            hold_out=hold_out,
            grid=_grid(grid) if grid else standard_grid(chosen, standardize) if search else None,
            search_epochs=search_epochs,
        ),
    }
    check_comparison(chosen, names, folder, **asked)
    if chosen.training.noise or chosen.training.permute:
        entries = read_entries(names, asked["options"])
        check_noise_is_used(set_ or [], entries.values(), asked["rules"])
    check_config_data(chosen)
    with same_call_goes_on():
        from ogeaug.compare.run import compare as run_comparison  # loads torch

        run_comparison(chosen, names, folder, **asked, jobs=jobs, progress=not quiet)
    typer.echo((folder / "table.md").read_text(encoding="utf-8"))
    typer.echo(f"compare.csv, curves.csv, table.md and plots are in {folder}")


def _seeds(text: str) -> list[int]:
    seeds = [seed.strip() for seed in text.split(",")]
    digits = [seed.removeprefix("-") for seed in seeds]  # out of range is told elsewhere
    if not all(d.isascii() and d.isdigit() and len(d) < 20 for d in digits):  # int() takes 1_0
        raise UserError(f"--seeds takes numbers with commas, like 0,1,2; got {text!r}")
    return [int(seed) for seed in seeds]


def _grid(given: list[str]) -> dict[str, list[Any]]:
    from ogeaug.compare.entries import split_entries
    from ogeaug.training.config import parse_value

    out: dict[str, list[Any]] = {}
    for text in given:
        key, separator, values = text.partition("=")
        if not (separator and values) or key in out:
            raise UserError(
                f"--grid takes a key and values, each key once, like training.lr=1e-3,2e-3; got "
                f"{text!r}"
            )
        out[key] = [parse_value(value, f"--grid {text}") for value in split_entries(values)]
    return out


def _options(given: list[str]) -> dict[str, dict[str, Any]]:
    from ogeaug.training.config import parse_value

    out: dict[str, dict[str, Any]] = {}
    for text in given:
        place, separator, value = text.partition("=")
        name, dot, key = place.partition(".")
        if not (separator and dot and key):
            raise UserError(f"--option takes encoding.option=value, like spe.k=8; got {text!r}")
        if key in out.get(name, {}):
            raise UserError(f"--option {place} is given twice; leave one out")
        out.setdefault(name, {})[key] = parse_value(value, f"--option {text}")
    return out
