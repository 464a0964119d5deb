"""Counts cycles and tells strongly regular graphs apart, with OGE-Aug and without.

    python examples/demo.py [--graphs 800] [--epochs 15] [--seeds 3] [--output-dir out/demo]

Two networks of equal parameters learn from 800 graphs how many cycles of 3, 4 and 5 nodes a graph
has; message passing alone cannot count them. OGE-Aug is three roots there, and layers of tensors
where it tells strongly regular graphs apart. All graphs are generated. Ends with a table of test
errors and a picture.
"""

import argparse
import csv
import statistics
import time
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import torch
from matplotlib.axes import Axes
from rich.console import Console
from rich.table import Table
from torch import Tensor
from torch_geometric.data import Batch

import ogeaug
from ogeaug.compare import plan_configs
from ogeaug.data import networkx_to_data
from ogeaug.encodings import make_encoding
from ogeaug.measure import distinguishes, rook, shrikhande, strongly_regular_pairs
from ogeaug.pictures import looks, new_figure, styled
from ogeaug.training import FitResult, Parts, fit, load_config

NAMES = {"oge_aug": "with OGE-Aug", "none": "without"}
LOOKS = looks(NAMES)


def random_graph(generator: np.random.Generator) -> nx.Graph:
    """A random regular graph on 10 to 30 nodes, less as many edges as it has nodes."""
    n, degree = ((10, 6), (15, 6), (20, 5), (30, 5))[generator.integers(4)]
    graph = nx.random_regular_graph(degree, n, seed=int(generator.integers(2**31)))
    edges = sorted(graph.edges)
    graph.remove_edges_from([edges[i] for i in generator.permutation(len(edges))[:n]])
    return graph


def count_cycles(graph: nx.Graph) -> list[float]:
    """The cycles of 3, 4 and 5 nodes: closed walks, less those that are no cycles.

    Example:
        >>> count_cycles(nx.complete_graph(5))
        [10.0, 15.0, 12.0]
    """
    a = nx.to_numpy_array(graph)
    d, a2 = a.sum(0), a @ a
    a3, walks4 = np.diag(a2 @ a), float((a2 * a2).sum())
    walks5 = float((a2 @ a * a2).sum())
    cycles4 = (walks4 - 2 * (d**2).sum() + d.sum()) / 8
    cycles5 = (walks5 - 5 * a3.sum() - 5 * ((d - 2) * a3).sum()) / 10
    return [float(a3.sum() / 6), float(cycles4), float(cycles5)]


def make_parts(count: int) -> Parts:
    """Graphs with their counts to train on, a quarter as many to validate, half as many to test."""
    generator = np.random.default_rng(0)
    found = []
    for _ in range(count + count // 4 + count // 2):
        graph = random_graph(generator)
        data = networkx_to_data(graph)
        data.y = torch.tensor(count_cycles(graph))
        found.append(data)
    ends = count, count + count // 4
    return Parts(found[: ends[0]], found[ends[0] : ends[1]], found[ends[1] :])


def count_told_apart() -> dict[str, tuple[int, int]]:
    """Pairs of strongly regular graphs told apart by random weights: how many, of how many."""
    torch.manual_seed(0)
    pairs = list(strongly_regular_pairs())
    found = {}
    for name, layers in {"oge_aug": 6, "spe": 4, "rwse": None}.items():
        own: dict[str, Any] = {} if layers is None else {"hidden_channels": 8, "num_layers": layers}
        encode = make_encoding(name, 16, **own)
        found[name] = sum(distinguishes(encode, p.left, p.right).distinguished for p in pairs)
    return {name: (count, len(pairs)) for name, count in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", type=int, default=800)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--output-dir", type=Path, default=Path("out/demo"))
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    console, begun = Console(), time.perf_counter()
    parts = make_parts(options.graphs)
    base = options.output_dir / time.strftime("%Y%m%d-%H%M%S")
    results: dict[str, list[FitResult]] = {name: [] for name in NAMES}
    for seed in range(options.seeds):
        values = {"training.epochs": options.epochs, "training.seed": seed}
        config = load_config("demo", [], values)
        for name, planned in plan_configs(config, list(NAMES)).items():
            console.print(f"Counting cycles {NAMES[name]}, seed {seed} ...")
            folder = base / f"{name}_{seed}"
            results[name].append(fit(planned, folder, parts=parts, progress=not options.quiet))
    console.print("Telling strongly regular graphs apart ...")
    apart = count_told_apart()
    table = Table("network", "parameters", "test MAE (cycles)", "R2", "seconds per run")
    for name, runs in results.items():
        cells = [_mean([r.metrics["test"][key] for r in runs]) for key in ("mae", "r2")]
        seconds = statistics.mean(r.seconds for r in runs)
        table.add_row(NAMES[name], f"{runs[0].parameters:,}", *cells, f"{seconds:.0f}")
    console.print(table)
    console.print(
        "Strongly regular graphs told apart by random weights, oge_aug with layers of tensors: "
        + ", ".join(f"{name} {n} of {total} pairs" for name, (n, total) in apart.items())
    )
    picture = draw(results, parts, apart, base / "demo.png")
    console.print(f"Picture: {picture}; models and records beside it.")
    console.print(f"{time.perf_counter() - begun:.0f} s")


@styled()
def draw(
    results: dict[str, list[FitResult]], parts: Parts, apart: dict[str, tuple[int, int]], path: Path
) -> Path:
    """Predicted against true counts, learning curves, a pair that message passing cannot tell."""
    figure = new_figure(14, 4.4)
    left, middle, right = figure.subplots(1, 3)
    true = torch.stack([data.y for data in parts.test])[:, -1]
    for name in reversed(NAMES):
        runs = results[name]
        predicted = _predict(runs[0], parts)[:, -1]
        left.scatter(true, predicted, s=10, alpha=0.6, color=LOOKS[name].colour, label=NAMES[name])
        _draw_curves(middle, name, runs)
    ends = [float(true.min()), float(true.max())]
    left.plot(ends, ends, color="grey", linewidth=0.8)
    left.set(xlabel="cycles of 5 nodes", ylabel="predicted", title="Graphs it has never seen")
    middle.set(xlabel="epoch", ylabel="validation MAE (cycles)", yscale="log")
    middle.set(title=f"Learning curves, {len(runs)} seeds")
    left.legend()
    middle.legend()
    _draw_pair(right, apart)
    figure.savefig(path)
    return path


def _draw_curves(axis: Axes, name: str, runs: list[FitResult]) -> None:
    curves, colour = [], LOOKS[name].colour
    for run in runs:
        with (Path(run.folder) / "metrics.csv").open() as file:
            curves.append([float(row["val_mae"]) for row in csv.DictReader(file)])
    epochs = range(1, len(curves[0]) + 1)
    low, high = np.min(curves, 0), np.max(curves, 0)
    axis.fill_between(epochs, low, high, color=colour, alpha=0.25, linewidth=0)
    axis.plot(epochs, np.mean(curves, 0), color=colour, label=NAMES[name])


def _draw_pair(axis: Axes, apart: dict[str, tuple[int, int]]) -> None:
    """The rook's graph and Shrikhande's: alike to message passing and to walks, not to OGE-Aug."""
    for shift, (name, graph) in enumerate({"rook": rook(), "Shrikhande": shrikhande()}.items()):
        graph = nx.convert_node_labels_to_integers(graph, ordering="sorted")
        place = {
            v: (2.5 * shift + np.cos(np.pi * v / 8), np.sin(np.pi * v / 8)) for v in graph.nodes
        }
        nx.draw_networkx_edges(graph, place, ax=axis, alpha=0.4, width=0.8)
        colours = [v // 4 for v in graph.nodes]
        nx.draw_networkx_nodes(graph, place, ax=axis, node_size=45, node_color=colours)
        axis.text(2.5 * shift, -1.35, name, ha="center")
    said = ", ".join(f"{name} {n} of {total}" for name, (n, total) in apart.items())
    axis.text(1.25, -1.8, f"such pairs told apart: {said}", ha="center")
    axis.set_title("Each node 6 neighbours, each two nodes 2 in common")
    axis.set(aspect="equal")
    axis.axis("off")


@torch.no_grad()
def _predict(run: FitResult, parts: Parts) -> Tensor:
    found: Tensor = ogeaug.load_model(run.folder)(Batch.from_data_list(parts.test))
    return found


def _mean(values: list[float]) -> str:
    spread = f" ± {statistics.stdev(values):.3f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.3f}{spread}"


if __name__ == "__main__":
    main()
