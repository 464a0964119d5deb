"""``ogeaug measure``: parse, call, print."""

from math import nan
from typing import Annotated

import typer

from ogeaug.cli.measure_arguments import (
    CSV,
    ENCODING,
    FIGURE,
    GRAPH,
    NODE_ENCODINGS,
    SEED,
    SIZE,
    check_files,
    find_graph,
)
from ogeaug.cli.measure_brec import brec
from ogeaug.cli.measure_expressivity import expressivity
from ogeaug.cli.measure_output import make_named, print_table, save_picture
from ogeaug.cli.measure_stability import stability

app = typer.Typer(
    help="Measure encodings: invariance, stability, expressivity, cost.",
    no_args_is_help=True,
    add_completion=False,
)
app.command()(stability)
app.command()(expressivity)
app.command()(brec)


@app.command()
def invariance(
    encoding: ENCODING = None, graph: GRAPH = "cycle:12", seed: SEED = 0, csv: CSV = None
) -> None:
    """Error under renumbering, change of basis and signs, in float64."""
    import torch

    from ogeaug.measure.invariance import basis_error, permutation_error, sign_error
    from ogeaug.measure.named_graphs import from_networkx

    data, rows = from_networkx(find_graph(graph)()), []
    for name in encoding or ["oge_aug", "vanilla"]:
        model = make_named(name, seed)
        errors = [
            error(model, data, torch.Generator().manual_seed(seed))
            for error in (permutation_error, basis_error, sign_error)
        ]
        rows.append([name, graph, *(f"{error:.1e}" for error in errors)])
    print_table(["encoding", "graph", "permutation", "basis", "sign"], rows, csv)


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
    check_files(csv, figure)
    import torch

    from ogeaug.measure.figure import draw_loops
    from ogeaug.measure.loop import loop_path
    from ogeaug.measure.named_graphs import from_networkx
    from ogeaug.measure.resolution import distance_to_others

    data, rows, paths = from_networkx(find_graph(graph)()), [], {}
    for name in encoding or ["oge_aug", "signnet", "lap_pe"]:
        model, generator = make_named(name, seed), torch.Generator().manual_seed(seed)
        moved = loop_path(model, data, size=size, generator=generator)
        apart = distance_to_others(model, data)
        paths[name] = [x / apart if apart else nan for x in moved]
        rows.append([name, *(f"{x:.1e}" for x in (max(moved), apart, max(paths[name])))])
    print_table(["encoding", "largest change", "to another graph", "ratio"], rows, csv, figure)
    if figure is not None:
        title = f"Edge weights of {graph} changed by {size:g} in all directions"
        save_picture(draw_loops(paths, title), figure, csv)


@app.command()
def complexity(
    encoding: ENCODING = None,
    repeats: Annotated[int, typer.Option(min=1, help="Take the fastest of so many passes.")] = 3,
    seed: SEED = 0,
    csv: CSV = None,
    figure: FIGURE = None,
) -> None:
    """Time and memory against the number of nodes and against the largest multiplicity."""
    check_files(csv, figure)
    from ogeaug.measure.complexity import Cost, cost, growing_cycles, growing_multiplicity
    from ogeaug.measure.figure import draw_costs

    rows = []
    costs: dict[str, dict[str, list[Cost]]] = {"cycle": {}, "paths": {}}
    for name in encoding or ["oge_aug"]:
        model = make_named(name, seed).float()
        for kind, graphs in (("cycle", growing_cycles()), ("paths", growing_multiplicity())):
            for data in graphs:
                c = cost(model, data, repeats=repeats)
                costs[kind].setdefault(name, []).append(c)
                numbers = [str(c.nodes), str(c.edges), str(c.multiplicity), str(c.within)]
                rows.append([name, kind, *numbers, f"{c.seconds:.4f}", f"{c.mebibytes:.1f}"])
    head = ["encoding", "graph", "nodes", "edges", "multiplicity", "within", "s", "MiB"]
    print_table(head, rows, csv, figure)
    if figure is not None:
        save_picture(draw_costs(costs["cycle"], costs["paths"]), figure, csv)
