"""``ogeaug measure``: parse, call, print."""

from math import nan
from typing import Annotated

import typer

from ogeaug.cli.measure_arguments import (
    CSV,
    ENCODINGS,
    FIGURE,
    GRAPH,
    NODE_ENCODINGS,
    SEED,
    SIZE,
    find_graph,
)
from ogeaug.cli.measure_expressivity import expressivity
from ogeaug.cli.measure_output import make_named, print_table, save_picture, say

app = typer.Typer(
    help="Measure encodings: invariance, stability, expressivity, cost.",
    no_args_is_help=True,
    add_completion=False,
)
app.command()(expressivity)


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
        model = make_named(name, seed)
        errors = [
            error(model, data, torch.Generator().manual_seed(seed))
            for error in (permutation_error, basis_error, sign_error)
        ]
        rows.append([name, graph, *(f"{error:.1e}" for error in errors)])
    print_table(["encoding", "graph", "permutation", "basis", "sign"], rows, csv)


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
        model = make_named(name, seed)
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
            say(text, figure, csv)
    sizes = [f"|dL|={size:.0e}" for size in SIZES]
    print_table(
        ["encoding", "graph", *sizes, "one edge", "exponent", "half-power"], rows, csv, figure
    )
    if figure is not None:
        save_picture(draw_curves(curves, f"Random weights, seed {seed}, {graph}"), figure, csv)


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
        model = make_named(name, seed).float()
        for kind, graphs in (("cycle", growing_cycles()), ("paths", growing_multiplicity())):
            for data in graphs:
                c = cost(model, data, repeats=repeats)
                costs[kind].setdefault(name, []).append(c)
                numbers = [str(c.nodes), str(c.edges), str(c.multiplicity)]
                rows.append([name, kind, *numbers, f"{c.seconds:.4f}", f"{c.mebibytes:.1f}"])
    print_table(
        ["encoding", "graph", "nodes", "edges", "multiplicity", "s", "MiB"], rows, csv, figure
    )
    if figure is not None:
        save_picture(draw_costs(costs["cycle"], costs["paths"]), figure, csv)
