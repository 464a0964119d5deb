"""``ogeaug measure brec``: parse, call, print."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ogeaug.cli.measure_arguments import SEED
from ogeaug.cli.measure_candidates import (
    CHANNELS,
    DELTA,
    LAYERS,
    ORDER,
    OTHER_ENCODING,
    SEARCH,
    AskedFor,
)
from ogeaug.cli.measure_output import say, show_table
from ogeaug.errors import UserError

if TYPE_CHECKING:
    from ogeaug.measure.brec.files import Sample
    from ogeaug.measure.scoring import Result


def brec(
    source: Annotated[Path, typer.Argument(help="Folder or file: brec_v3.npy, .npy, .g6, .g6.gz.")],
    protocol: Annotated[
        Literal["criterion", "rpc"],
        typer.Option(help="Random weights against noise, or the benchmark's own, trained."),
    ] = "criterion",
    order: ORDER = None,
    search: SEARCH = None,
    layers: LAYERS = None,
    channels: CHANNELS = None,
    delta: DELTA = None,
    encoding: OTHER_ENCODING = None,
    seed: SEED = 0,
    output_dir: Annotated[
        Path | None,
        typer.Option("--output-dir", "-o", help="Keep results here; a run goes on from them."),
    ] = None,
) -> None:
    """Which of BREC's 400 pairs are told apart, by category.

    criterion: as in ogeaug measure expressivity; by default the search, then order 2. rpc: 32 + 32
    relabelled copies, contrastive training, Hotelling's T2 and its reliability check; by default
    order 2.
    """
    choice = AskedFor(order, search, layers, channels, delta, encoding)
    if protocol == "rpc" and choice == AskedFor():
        choice = AskedFor(order=2)
    from ogeaug.measure.brec.files import read_brec

    try:
        samples = read_brec(source)
    except (UserError, ValueError) as error:
        raise typer.BadParameter(str(error)) from error
    from rich.progress import Progress

    from ogeaug.measure.brec.run import find_conditions, kept_results, run_brec
    from ogeaug.measure.brec.table import HEAD, to_rows

    candidates = choice.candidates()
    for candidate in candidates:
        candidate.make(None)  # what cannot be built is said now
    conditions = find_conditions(
        samples, protocol, ", then ".join(c.name for c in candidates), seed
    )
    kept = {} if output_dir is None else kept_results(output_dir, conditions)
    if kept:
        say(f"{len(kept)} of {len(samples)} pairs were done before")

    def score(some: "Iterable[Sample]") -> "Iterator[Result]":
        from ogeaug.measure.brec.rpc import score_rpc, to_pair
        from ogeaug.measure.scoring import score as score_pairs

        if protocol == "rpc":
            return score_rpc(some, candidates[0], seed)
        return score_pairs(map(to_pair, some), candidates, seeds=(seed,))

    apart = 0
    with Progress(transient=True) as progress:
        task = progress.add_task("pairs", total=len(samples))

        def done(result: "Result") -> None:
            nonlocal apart
            apart += result.distinguished
            progress.update(task, advance=1, description=f"{apart} told apart")

        results = run_brec(samples, conditions, score, output_dir, done)
    for result in results:
        if not result.distinguished:
            say(f"not told apart: {result.pair} ({result.nodes} nodes): {result.reason}")
    show_table(HEAD, to_rows(results))
    say(f"{protocol}, {conditions.by}, seed {seed}: {sum(r.seconds for r in results):.0f} s")
    if output_dir is not None:
        say(f"saved {output_dir / 'table.md'}")
