"""Draws the pictures of pages that need no training: ``make pictures`` (seconds).

Each function returns a figure; its name is that of the file. The others are drawn by the commands
that their pages name, and explore.png by explore.py.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import torch

from ogeaug.data.graphs import networkx_to_data
from ogeaug.data.sets.paper import PAPER
from ogeaug.encodings import make_encoding
from ogeaug.files.output import save_figure
from ogeaug.measure.families.cayley import EIGENSPACES, cayley_graph
from ogeaug.measure.shaking import Shake, shake
from ogeaug.pictures import (
    BLUE,
    FAINT,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PINK,
    RED,
    legend_beside,
    new_figure,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HERE = Path(__file__).parent
ROWS = [
    ("tell", ("explore", "reproduce", "compare", "inference", "measure"), PINK),
    ("learn", ("training", "model", "backbones", "tasks", "data"), BLUE),
    ("encode", ("encodings", "pointclouds", "tensors", "transforms"), GREEN),
    ("compute", ("walks", "spectrum", "graph", "native"), ORANGE),
]
"""Folders of the package, in the order in which they import."""
Step = tuple[str, str]
"""A name, and what it does."""


@styled()
def steps(chain: list[Step], colour: str) -> "Figure":
    """Boxes from left to right, joined by arrows."""
    figure = new_figure(7.4, 1.25)
    axes = _bare(figure)
    axes.set(xlim=(-0.5, len(chain) - 0.5), ylim=(-0.6, 0.6))
    for place, (name, does) in enumerate(chain):
        frame = {"boxstyle": "round,pad=0.5", "facecolor": "white", "edgecolor": colour}
        centre: dict[str, Any] = {"ha": "center", "va": "center"}
        axes.text(place, 0.22, name, bbox=frame, weight="bold", **centre)
        axes.text(place, -0.38, does, fontsize=8, color=GREY, **centre)
        if place:
            ends = {"xy": (place - 0.36, 0.22), "xytext": (place - 0.62, 0.22)}
            axes.annotate("", **ends, arrowprops={"arrowstyle": "->", "color": INK})
    return figure


def train() -> "Figure":
    """From a table to predictions."""
    return steps(
        [
            ("my.csv", "SMILES, targets"),
            ("train", "split, fit, judge"),
            ("run1", "model, figures, log"),
            ("predict", "new.csv in"),
            ("preds.csv", "every row, in order"),
        ],
        BLUE,
    )


def reproduce() -> "Figure":
    """From a table of the paper to ours beside it."""
    return steps(
        [
            ("table", "zinc, qm9, ..."),
            ("budget", "smoke, hour, paper"),
            ("rows", "a model, seeds"),
            ("train", "go on where it stopped"),
            ("two columns", "paper, ours"),
        ],
        GREEN,
    )


def comparing() -> "Figure":
    """From a list of encodings to a table."""
    return steps(
        [
            ("encodings", "as authors have them"),
            ("widths", "equal parameters"),
            ("runs", "seeds, same batches"),
            ("test part", "once per run"),
            ("table", "seed by seed"),
        ],
        PINK,
    )


@styled()
def encodings() -> "Figure":
    """How far another basis, or noise of a thousandth, moves each encoding of a ring."""
    ring = networkx_to_data(nx.cycle_graph(12))
    names = ("oge_aug", "spe", "vanilla", "signnet", "lap_pe")
    hows = {"another basis": (Shake(basis=1), "o"), "noise of 0.001": (Shake(noise=1e-3), "s")}
    figure = new_figure(6.6, 2.1)
    axes = figure.subplots()
    for label, (how, marker) in hows.items():
        moved = [max(shake(_untrained(name), ring, how).change, 1e-16) for name in names]
        axes.plot(moved, names, marker, color=BLUE if marker == "o" else RED, label=label, ms=7)
    axes.set(xscale="log", xlim=(1e-17, 10), xlabel="change of the features, relative")
    axes.invert_yaxis()
    legend_beside(figure, axes)
    return figure


def _untrained(name: str) -> torch.nn.Module:
    torch.manual_seed(0)
    wide: dict[str, Any] = {} if name == "lap_pe" else {"hidden_channels": 16}
    return make_encoding(name, 16, **wide).double().eval()


def reliability() -> "Figure":
    """What happens to a run that is killed."""
    return steps(
        [
            ("train", "epoch by epoch"),
            ("killed", "at any moment"),
            ("refused", "nothing predicts"),
            ("--resume", "same data, same state"),
            ("same bytes", "as if never killed"),
        ],
        RED,
    )


@styled()
def theory() -> "Figure":
    """The two circulants whose eigenspaces match one by one, but not together."""
    figure = new_figure(6.2, 3.1)
    for axes, number, colour in zip(figure.subplots(1, 2), (0, 1), (BLUE, RED), strict=True):
        graph = cayley_graph(*EIGENSPACES["Z20"][number])
        ring = nx.circular_layout(sorted(graph))
        axes.set_axis_off()
        axes.set_aspect("equal")
        axes.set_title(f"steps {'1, 3, 4, 6' if number == 0 else '1, 4, 6, 7'}")
        nx.draw_networkx_edges(graph, ring, ax=axes, edge_color=FAINT, width=0.8)
        nx.draw_networkx_nodes(graph, ring, ax=axes, node_color=colour, node_size=26)
    return figure


@styled()
def data() -> "Figure":
    """Sizes of the benchmark sets, as the paper gives them."""
    figure = new_figure(6.2, 2.9)
    axes = figure.subplots()
    colours = {"graph": BLUE, "node": RED, "inductive link": GREEN}
    seen = set()
    for name, row in PAPER.items():
        label = None if row.level in seen else f"{row.level} tasks"
        seen.add(row.level)
        axes.plot(row.nodes, row.graphs, "o", color=colours[row.level], label=label, markersize=7)
        beside = {"textcoords": "offset points", "va": "center"}
        down = {"cluster": -6, "pattern": 6}.get(name, 0)
        axes.annotate(name, (row.nodes, row.graphs), (8, down), **beside)
    axes.set(xscale="log", yscale="log", xlabel="nodes of a graph, mean", ylabel="graphs")
    axes.set(xlim=(8, 250), ylim=(7e3, 1.2e6))
    axes.set_xticks([10, 20, 50, 100, 200], ["10", "20", "50", "100", "200"])
    axes.minorticks_off()
    axes.legend(loc="upper right")
    return figure


@styled()
def layers() -> "Figure":
    """Which folder may import which: those above those below, and some beside them."""
    figure = new_figure(7.0, 2.4)
    axes = _bare(figure)
    axes.set(xlim=(-0.95, 4.6), ylim=(-0.5, 3.5))
    for height, (title, names, colour) in enumerate(reversed(ROWS)):
        axes.text(-0.9, height, title, weight="bold", va="center")
        for place, name in enumerate(names):
            frame = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": colour}
            axes.text(place + 0.1, height, name, ha="center", va="center", bbox=frame)
    return figure


def _bare(figure: "Figure") -> Any:
    axes = figure.subplots()
    axes.set_axis_off()
    return axes


PICTURES = {
    found.__name__: found
    for found in (train, comparing, encodings, reproduce, reliability, theory, data, layers)
}


def main() -> None:
    for name, picture in PICTURES.items():
        path = HERE / f"{name}.svg"
        save_figure(picture(), path)
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
