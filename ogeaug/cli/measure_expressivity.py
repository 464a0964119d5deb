"""``ogeaug measure expressivity``: parse, call, print."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ogeaug.cli.measure_arguments import CSV, check_files
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

if TYPE_CHECKING:
    from ogeaug.measure.pairs import Pair


def expressivity(
    source: Annotated[
        list[str], typer.Argument(help="Files of pairs (.g6, .csv, .gz), or families; see below.")
    ],
    order: ORDER = None,
    search: SEARCH = None,
    layers: LAYERS = None,
    channels: CHANNELS = None,
    delta: DELTA = None,
    encoding: OTHER_ENCODING = None,
    category: Annotated[
        list[str] | None, typer.Option(help="NAME:PAIRS, in the order of the file; repeatable.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Try this many seeds.")] = 1,
    copies: Annotated[int, typer.Option(min=1, help="Relabelled copies to measure noise.")] = 2,
    relabelled: Annotated[
        bool, typer.Option(help="Compare each graph with a copy of itself: none may pass.")
    ] = False,
    csv: CSV = None,
) -> None:
    """Which pairs of graphs are told apart, in float64, by networks with random weights.

    Without --order, --search or --encoding, the definition with a search for f is tried first, then
    order 2. What does not fit into memory, or would search for too long, is passed over.

    Families: regular, strongly-regular, four-vertex, distance-regular, designs, cfi, large-cfi,
    extensions, skip-links, trees.
    """
    check_files(csv, sources=source)
    choice = AskedFor(order, search, layers, channels, delta, encoding)
    pairs = _pairs(source, category or [])
    from rich.progress import Progress

    from ogeaug.measure.scoring import by_category, score, write_csv

    if relabelled:
        pairs = _copies(pairs)
    candidates = choice.candidates()
    results = []
    with Progress(transient=True) as progress:
        task = progress.add_task("pairs", total=len(pairs))
        for result in score(pairs, candidates, seeds=range(seeds), copies=copies):
            results.append(result)
            apart = sum(r.distinguished for r in results)
            progress.update(task, advance=1, description=f"{apart} of {len(results)} told apart")
    if csv is not None:
        write_csv(results, csv)
    for result in results:
        if result.distinguished == relabelled or result.reason.startswith("different sizes"):
            word = "told apart" if result.distinguished else "not told apart"
            say(f"{word}: {result.pair} ({result.nodes} nodes): {result.reason}", csv)
    rows = [[name, str(a), str(n)] for name, (a, n) in by_category(results).items()]
    total = sum(r.distinguished for r in results)
    seconds = sum(r.seconds for r in results)
    total_row = ["all", str(total), str(len(results))]
    show_table(["category", "told apart", "of"], [*rows, total_row], csv)
    say(f"{seconds:.0f} s", csv)


def _pairs(sources: list[str], categories: list[str]) -> "list[Pair]":
    from ogeaug.measure.families import FAMILIES
    from ogeaug.measure.pairs import read_pairs

    named = []
    for text in categories:
        name, _, count = text.rpartition(":")
        if not name or not count.isdigit():
            raise typer.BadParameter(f"--category {text!r} is not NAME:PAIRS")
        named.append((name, int(count)))
    for source in sources:  # all of them, before the first one is generated
        if source not in FAMILIES and not Path(source).is_file():
            raise typer.BadParameter(
                f"{source!r} is neither a file nor one of the families {', '.join(FAMILIES)}"
            )
    pairs: list[Pair] = []
    for source in sources:
        if source in FAMILIES:
            pairs.extend(FAMILIES[source]())
        else:
            try:
                pairs.extend(read_pairs(source, named or None))
            except ValueError as error:
                raise typer.BadParameter(str(error)) from error
    return pairs


def _copies(pairs: "list[Pair]") -> "list[Pair]":
    import torch

    from ogeaug.measure.invariance import permute_nodes
    from ogeaug.measure.pairs import Pair

    generator = torch.Generator().manual_seed(0)
    copies = []
    for pair in pairs:
        for side, data in (("left", pair.left), ("right", pair.right)):
            perm = torch.randperm(int(data.num_nodes or 0), generator=generator)
            copy = permute_nodes(data, perm)
            copies.append(Pair(f"{pair.name} {side}", data, copy, pair.category))
    return copies
