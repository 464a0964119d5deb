"""``ogeaug measure stability``: parse, call, print."""

from typing import Annotated

import typer
from rich.console import Console

from ogeaug.cli.measure_arguments import (
    CSV,
    FIGURE,
    GRAPH,
    NODE_ENCODINGS,
    SEED,
    check_files,
    find_graph,
)
from ogeaug.cli.measure_output import make_named, print_table, save_picture, say
from ogeaug.encodings import ENCODINGS

STABILITY = [name for name in ENCODINGS if ENCODINGS.level(name) == "node" and name != "none"]
"""What is measured by default."""


def stability(
    encoding: NODE_ENCODINGS = None,
    graph: GRAPH = "cycle:12",
    draws: Annotated[int, typer.Option(min=1, help="Random directions.")] = 5,
    bound: Annotated[
        bool,
        typer.Option("--bound", help="Draw the paper's bound beside the definition (general)."),
    ] = False,
    figure: FIGURE = None,
    seed: SEED = 0,
    csv: CSV = None,
) -> None:
    """Change of the output against changes of the Laplacian from 1e-8 to 1e-1, of edges and nodes.

    "apart" is the distance to the nearest graph that differs, a ratio how many times farther that
    is than a change of the given size moves: below 1, noise can be taken for another graph.
    """
    check_files(csv, figure)
    import torch
    from rich.progress import track

    from ogeaug.encodings.general import GeneralOGEAug
    from ogeaug.measure.edits import all_edits
    from ogeaug.measure.figure import draw_curves
    from ogeaug.measure.named_graphs import from_networkx
    from ogeaug.measure.stability import SIZES
    from ogeaug.measure.steadiness import compare_bound, measure_steadiness

    names = encoding or list(STABILITY)
    if bound and "general" not in names:
        raise typer.BadParameter("--bound is of the definition: add  -e general")
    data = from_networkx(find_graph(graph)())
    data.x = torch.ones(data.num_nodes or 0, 1, dtype=torch.float64)  # for those that need features
    edits = all_edits(data)
    rows, found, compared = [], {}, None
    console = Console(stderr=True)
    for name in track(names, "measuring", console=console, transient=True):
        model, generator = (
            make_named(name, seed, features=True),
            torch.Generator().manual_seed(seed),
        )
        m = found[name] = measure_steadiness(model, data, edits, draws=draws, generator=generator)
        numbers = (*m.curve.changes, m.edge, m.node, m.apart, *map(m.ratio, (1e-4, 1e-2, 1e-1)))
        fit = f"{m.curve.exponent:.2f}", f"{m.curve.half_power:.2g}"
        rows.append([name, graph, *(f"{x:.1e}" for x in numbers), *fit])
        if bound and isinstance(model, GeneralOGEAug):
            compared = compare_bound(model, data, m.curve, generator)
    sizes = [f"{size:.0e}" for size in SIZES]
    ratios = ["ratio 1e-4", "ratio 1e-2", "ratio 1e-1"]
    head = ["encoding", "graph", *sizes, "edge", "node", "apart", *ratios, "exponent", "half"]
    changes = ["encoding", "1e-08", "1e-04", "1e-02", "1e-01", "edge", "node"]
    apart = ["encoding", "apart", *ratios, "exponent", "half"]
    print_table(head, rows, csv, figure, show=[changes, apart])
    inexact = sum(not edit.exact for edit in edits)
    proven = f"{inexact} of {len(edits)} found by a heuristic" if inexact else "proven to be best"
    say(f"edges and nodes left out are matched by permutations {proven}", figure, csv)
    if compared is not None:
        say(
            f"general: Proposition 3 with J_f estimated as {compared.f:.3g}: at 1e-08 "
            f"{compared.printed[0]:.1e}, at 1e-01 {compared.printed[-1]:.1e}; its proof with delta "
            f"fixed: {compared.proven[0]:.1e}, {compared.proven[-1]:.1e}  ({compared.bound})",
            *(figure, csv),
        )
    if figure is not None:
        save_picture(
            draw_curves(found, f"Random weights, seed {seed}, {graph}", compared), figure, csv
        )
