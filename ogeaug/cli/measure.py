"""``ogeaug measure``: parse, call, print."""

from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ogeaug.cli.measure_arguments import (
    CSV,
    DELTA,
    ENCODINGS,
    FIGURE,
    GRAPH,
    NODE_ENCODINGS,
    OTHER_ENCODING,
    SEED,
    SIZE,
    find_graph,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import nn

    from ogeaug.measure.pairs import Pair

app = typer.Typer(
    help="Measure encodings: invariance, stability, expressivity, cost.",
    no_args_is_help=True,
    add_completion=False,
)


@app.command()
def invariance(
    encoding: ENCODINGS = None, graph: GRAPH = "cycle:12", seed: SEED = 0, csv: CSV = None
) -> None:
    """Error under renumbering, change of basis and signs, in float64."""
    import torch

    from ogeaug.measure.invariance import basis_error, permutation_error, sign_error
    from ogeaug.measure.named_graphs import from_networkx

    data, rows = from_networkx(find_graph(graph)()), []
    for name in encoding or ["oge_aug", "vanilla"]:
        model = _encoding(name, seed)
        errors = [
            error(model, data, torch.Generator().manual_seed(seed))
            for error in (permutation_error, basis_error, sign_error)
        ]
        rows.append([name, graph, *(f"{error:.1e}" for error in errors)])
    _table(["encoding", "graph", "permutation", "basis", "sign"], rows, csv)


@app.command()
def stability(
    encoding: NODE_ENCODINGS = None,
    graph: GRAPH = "cycle:12",
    draws: Annotated[int, typer.Option(min=1, help="Random directions.")] = 5,
    figure: FIGURE = None,
    seed: SEED = 0,
    csv: CSV = None,
) -> None:
    """Change of the output against changes of the Laplacian from 1e-8 to 1e-1, and of edges."""
    import torch

    from ogeaug.encodings.general import GeneralOGEAug
    from ogeaug.measure.bound import stability_bound
    from ogeaug.measure.figure import draw_curves
    from ogeaug.measure.named_graphs import from_networkx
    from ogeaug.measure.stability import SIZES, edge_changes, stability_curve

    data, rows, curves = from_networkx(find_graph(graph)()), [], {}
    for name in encoding or ["oge_aug", "general", "vanilla"]:
        model = _encoding(name, seed)
        generator = torch.Generator().manual_seed(seed)
        curve = curves[name] = stability_curve(model, data, draws=draws, generator=generator)
        numbers = [f"{x:.1e}" for x in (*curve.changes, max(edge_changes(model, data)))]
        rows.append([name, graph, *numbers, f"{curve.exponent:.2f}", f"{curve.half_power:.2g}"])
        if isinstance(model, GeneralOGEAug):
            bound = stability_bound(model, data)
            text = (
                f"{name}: the bound's terms, if f has Lipschitz constant 1: "
                f"{bound.linear(1.0):.2g} |dL| + {bound.root(1.0):.2g} |dL|^(1/2)  ({bound})"
            )
            _say(text, figure, csv)
    sizes = [f"|dL|={size:.0e}" for size in SIZES]
    _table(["encoding", "graph", *sizes, "one edge", "exponent", "half-power"], rows, csv, figure)
    if figure is not None:
        _save(draw_curves(curves, f"Random weights, seed {seed}, {graph}"), figure, csv)


@app.command()
def loop(
    encoding: NODE_ENCODINGS = None,
    graph: GRAPH = "cycle:12",
    size: SIZE = 1e-3,
    figure: FIGURE = None,
    seed: SEED = 0,
    csv: CSV = None,
) -> None:
    """How encodings move while edge weights go around a graph on a tiny loop: steadily, or not.

    Distances are in those to the nearest graph that differs: at 1, the loop looks like another one.
    """
    import torch

    from ogeaug.measure.figure import draw_loops
    from ogeaug.measure.loop import loop_path
    from ogeaug.measure.named_graphs import from_networkx
    from ogeaug.measure.resolution import distance_to_others

    data, rows, paths = from_networkx(find_graph(graph)()), [], {}
    for name in encoding or ["oge_aug", "signnet", "lap_pe"]:
        model, generator = _encoding(name, seed), torch.Generator().manual_seed(seed)
        moved = loop_path(model, data, size=size, generator=generator)
        apart = distance_to_others(model, data)
        paths[name] = [x / apart if apart else nan for x in moved]
        rows.append([name, *(f"{x:.1e}" for x in (max(moved), apart, max(paths[name])))])
    _table(["encoding", "largest change", "to another graph", "ratio"], rows, csv, figure)
    if figure is not None:
        title = f"Edge weights of {graph} changed by {size:g} in all directions"
        _save(draw_loops(paths, title), figure, csv)


@app.command()
def expressivity(
    source: Annotated[
        list[str], typer.Argument(help="Files of pairs (.g6, .csv, .gz), or families; see below.")
    ],
    order: Annotated[
        int | None, typer.Option(min=1, max=3, help="One network instead of the ladder.")
    ] = None,
    search: Annotated[
        int | None, typer.Option(min=1, help="Likewise, a search with so many marks at most.")
    ] = None,
    layers: Annotated[
        int | None, typer.Option(min=1, max=256, help="With --order (default 6) or --search (8).")
    ] = None,
    channels: Annotated[
        int | None, typer.Option(min=4, max=8192, help="With --order or --search; default 8.")
    ] = None,
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
    if sum(choice is not None for choice in (encoding, order, search)) > 1:
        raise typer.BadParameter("choose one of --order, --search (OGE-Aug) and --encoding")
    settings = {"layers": layers, "channels": channels, "delta": delta}
    given = {name: value for name, value in settings.items() if value is not None}
    if given and order is None and (search is None or "delta" in given):
        name = "delta" if "delta" in given else next(iter(given))
        needs = "--order" if name == "delta" else "--order or --search"
        raise typer.BadParameter(f"--{name} needs {needs}")
    pairs = _pairs(source, category or [])
    from rich.progress import Progress

    from ogeaug.measure.scoring import (
        LADDER,
        Candidate,
        by_category,
        oge_aug_candidate,
        score,
        search_candidate,
        write_csv,
    )

    if relabelled:
        pairs = _copies(pairs)
    candidates = list(LADDER)
    if encoding is not None:
        candidates = [Candidate(encoding, lambda _: _encoding(encoding, None))]
    elif order is not None:
        candidates = [oge_aug_candidate(order, **given)]  # type: ignore[arg-type]
    elif search is not None:
        candidates = [search_candidate(search, **given)]  # type: ignore[arg-type]
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
            _say(f"{word}: {result.pair} ({result.nodes} nodes): {result.reason}", csv)
    rows = [[name, str(a), str(n)] for name, (a, n) in by_category(results).items()]
    total = sum(r.distinguished for r in results)
    seconds = sum(r.seconds for r in results)
    total_row = ["all", str(total), str(len(results))]
    _show(["category", "told apart", "of"], [*rows, total_row], csv)
    _say(f"{seconds:.0f} s", csv)


@app.command()
def complexity(
    encoding: ENCODINGS = None,
    repeats: Annotated[int, typer.Option(min=1, help="Take the fastest of so many passes.")] = 3,
    seed: SEED = 0,
    csv: CSV = None,
    figure: FIGURE = None,
) -> None:
    """Time and memory against the number of nodes and against the largest multiplicity."""
    from ogeaug.measure.complexity import Cost, cost, growing_cycles, growing_multiplicity
    from ogeaug.measure.figure import draw_costs

    rows = []
    costs: dict[str, dict[str, list[Cost]]] = {"cycle": {}, "paths": {}}
    for name in encoding or ["oge_aug"]:
        model = _encoding(name, seed).float()
        for kind, graphs in (("cycle", growing_cycles()), ("paths", growing_multiplicity())):
            for data in graphs:
                c = cost(model, data, repeats=repeats)
                costs[kind].setdefault(name, []).append(c)
                numbers = [str(c.nodes), str(c.edges), str(c.multiplicity)]
                rows.append([name, kind, *numbers, f"{c.seconds:.4f}", f"{c.mebibytes:.1f}"])
    _table(["encoding", "graph", "nodes", "edges", "multiplicity", "s", "MiB"], rows, csv, figure)
    if figure is not None:
        _save(draw_costs(costs["cycle"], costs["paths"]), figure, csv)


def _encoding(name: str, seed: int | None) -> "nn.Module":
    import torch

    from ogeaug.encodings import make_encoding

    if seed is not None:
        torch.manual_seed(seed)
    return make_encoding(name, 16).double().eval()


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


def _save(picture: "Figure", path: Path, csv: Path | None) -> None:
    from ogeaug.files.output import save_figure

    save_figure(picture, path)
    _say(f"saved {path}", path, csv)


def _say(text: str, *files: Path | None) -> None:
    """Prints; not between the lines of a file that goes to the standard output."""
    from ogeaug.files.output import is_stdout

    typer.echo(text, err=any(file is not None and is_stdout(file) for file in files))


def _table(
    head: list[str], rows: list[list[str]], path: Path | None, figure: Path | None = None
) -> None:
    """Prints a table, and writes it to a file if there is one."""
    import csv

    from ogeaug.files.output import writing_text

    _show(head, rows, path, figure)
    if path is not None:
        with writing_text(path, make_folder=True) as file:
            csv.writer(file).writerows([head, *rows])


def _show(head: list[str], rows: list[list[str]], *files: Path | None) -> None:
    from rich.console import Console
    from rich.table import Table

    from ogeaug.files.output import is_stdout

    # Wide tables are printed on their side, so that a terminal of 80 columns shows all of them.
    lines = (
        [head, *rows] if len(head) <= 8 else [list(line) for line in zip(head, *rows, strict=True)]
    )
    table = Table(*lines[0])
    for line in lines[1:]:
        table.add_row(*line)
    aside = any(file is not None and is_stdout(file) for file in files)
    Console(stderr=aside).print(table)
