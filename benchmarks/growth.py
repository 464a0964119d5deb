"""Time and memory of a forward and backward pass as graphs, bands and multiplicities grow.

    python -m benchmarks.growth [--out benchmarks/growth.png] [--redraw]

One graph at a time, 64 channels, 4 layers, float32. The paper counts O((n^2 mu + m) mu) operations
a layer, where mu is the largest multiplicity: here the most eigenpairs that an eigenpair sees. With
K of n eigenpairs kept, n^2 becomes n K. Messages of order 2 cost m K mu, not m mu: an edge carries
a matrix of bands. Dashed lines are the paper's count, dotted ones the count with m K mu, each
scaled to the middle case of its curve: a curve that runs below its line to the right of the middle
grows more slowly.
"""

import argparse
import csv
import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import networkx as nx
import torch
from matplotlib.ticker import NullFormatter
from rich.progress import track
from torch_geometric.data import Data
from torch_geometric.utils import from_networkx

from benchmarks.encoder import train_once
from benchmarks.history import FILE, record
from benchmarks.memory import peak_bytes, peak_resident
from ogeaug import OGEAug
from ogeaug.files.output import save_figure
from ogeaug.native.build import load_core
from ogeaug.pictures import GREY, looks, new_figure, styled
from ogeaug.spectrum.bands import find_bands


def molecule_like(n: int) -> nx.Graph:
    """A random tree with a ring closure for every eighth node."""
    graph = nx.random_labeled_tree(n, seed=0)
    distances = dict(nx.all_pairs_shortest_path_length(graph, cutoff=5))
    ends = [(u, v) for u in graph for v, d in distances[u].items() if u < v and d in (4, 5)]
    graph.add_edges_from(ends[:: max(1, 8 * len(ends) // n)])
    return graph


def grid(n: int) -> nx.Graph:
    side = max(1, round(n**0.5))
    return nx.grid_2d_graph(side, (n + side - 1) // side)


KINDS: dict[str, Callable[[int], nx.Graph]] = {
    "random regular": lambda n: nx.random_regular_graph(3, n, seed=0),
    "grid": grid,
    "molecule-like": molecule_like,
    "cycle": nx.cycle_graph,
    "star": lambda n: nx.star_graph(n - 1),
    "complete": nx.complete_graph,
}
Case = tuple[str, str, int, float, int | None]  # panel, kind, nodes, delta, k


@dataclass(frozen=True)
class Result:
    """What a forward and backward pass of one graph takes.

    Attributes:
        milliseconds: Of processor time.
        mebibytes: By which the process grows.
        resident: Mebibytes of the whole process at its peak, libraries included.
        mu: The most eigenpairs that an eigenpair sees.
        operations: (n K mu + m) mu, the paper's count.
        corrected: (n K mu + m K) mu: an edge carries the K mu numbers of order 2, not mu of them.
    """

    milliseconds: float
    mebibytes: float
    resident: float
    mu: int
    operations: float
    corrected: float


def cases() -> list[Case]:
    sizes = [16, 32, 64, 128, 200]
    found: list[Case] = []
    for kind in ("random regular", "grid", "molecule-like"):
        found += [("full spectrum", kind, n, 0.05, None) for n in sizes]
        found += [("k = 64", kind, n, 0.05, 64) for n in (128, 256, 512, 1000)]
    found += [("multiplicity", kind, n, 0.05, None) for kind in ("cycle", "star", "complete")
              for n in (8, 16, 32, 48)]  # fmt: skip
    found += [("delta", "molecule-like", 32, d, None) for d in (0.005, 0.05, 0.2, 0.5, 1.0, 2.0)]
    return found


def measure(case: Case) -> Result:
    """In a process of its own: memory freed by others would hide some."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(_measure, (case,))


def _measure(case: Case) -> Result:
    _, kind, n, delta, k = case
    torch.manual_seed(0)
    model = OGEAug(28, delta=delta, k=k, kernel="compiled")
    data = _data(KINDS[kind](n), model)
    train_once(model, _data(nx.path_graph(4), model))
    peak = peak_bytes(lambda: train_once(model, data))
    resident = peak_resident()
    seconds: list[float] = []
    while len(seconds) < 3 and sum(seconds) < 10:
        start = time.process_time()
        train_once(model, data)
        seconds.append(time.process_time() - start)
    return Result(min(seconds) * 1e3, peak / 2**20, resident / 2**20, *_counts(model, data))


def _counts(model: OGEAug, data: Data) -> tuple[int, float, float]:
    """mu, the paper's count, and the corrected one."""
    spectra = model.read_spectra(data)
    mu = int(torch.bincount(find_bands(spectra, model.smoothing).left).max())
    n, kept, m = int(data.num_nodes or 0), len(spectra.eigvals), data.edge_index.size(1) / 2
    return mu, (n * kept * mu + m) * mu, (n * kept * mu + m * kept) * mu


def recorded(case: Case) -> Result:
    """The last figures in the history, with the counts of today."""
    found = {}
    with FILE.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["benchmark"] == "growth":
                found[row["case"], row["unit"]] = float(row["value"])
    _, kind, n, delta, k = case
    model, line = OGEAug(28, delta=delta, k=k), _line(case)
    figures = [found[line, "ms"], found[line, "MiB"], found[f"{line}, whole process", "MiB"]]
    return Result(*figures, *_counts(model, _data(KINDS[kind](n), model)))


def _line(case: Case) -> str:
    _, kind, n, delta, k = case
    return f"{kind}, {n} nodes, delta {delta}, k {k}"


def _data(graph: nx.Graph, model: OGEAug) -> Data:
    data = from_networkx(nx.convert_node_labels_to_integers(graph))
    spectra = model.read_spectra(Data(edge_index=data.edge_index, num_nodes=data.num_nodes))
    data.eigvals, data.eigvecs = spectra.eigvals, spectra.eigvecs.view(data.num_nodes, -1)
    data.eigval_cutoff = spectra.cutoff
    return data


@styled()
def draw(results: dict[Case, Result], path: Path) -> None:
    panels = list(dict.fromkeys(case[0] for case in results))
    figure, look = new_figure(4 * len(panels), 7), looks(KINDS)
    axes = figure.subplots(2, len(panels), squeeze=False)
    for column, panel in enumerate(panels):
        axis = 3 if panel == "delta" else 2
        ticks = sorted({case[axis] for case in results if case[0] == panel})
        for row, unit in enumerate(("milliseconds", "mebibytes")):
            ax = axes[row, column]
            for kind in dict.fromkeys(case[1] for case in results if case[0] == panel):
                mine = [case for case in results if case[:2] == (panel, kind)]
                x = [case[axis] for case in mine]
                y = [getattr(results[case], unit) for case in mine]
                line = look[kind].line() | {"linestyle": "-"}
                ax.loglog(x, y, label=kind, **line)
                for count, dashes in (("operations", "--"), ("corrected", ":")):
                    bound = [getattr(results[case], count) for case in mine]
                    scale = y[len(y) // 2] / bound[len(y) // 2]
                    scaled = [scale * b for b in bound]
                    ax.loglog(x, scaled, dashes, color=look[kind].colour, linewidth=1)
            ax.set(title=panel, xlabel="delta" if panel == "delta" else "nodes", ylabel=unit)
            ax.xaxis.set_minor_formatter(NullFormatter())
            ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
            ax.legend()
    for dashes, label in (("--", "paper's count"), (":", "with m n mu for messages")):
        axes[0, 0].plot([], [], dashes, color=GREY, linewidth=1, label=label)
    axes[0, 0].legend()
    save_figure(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("benchmarks/growth.png"))
    parser.add_argument("--redraw", action="store_true", help="the figures of the history")
    args = parser.parse_args()
    torch.set_num_threads(1)
    if args.redraw:
        draw({case: recorded(case) for case in track(cases(), "counting")}, args.out)
        print(f"drawn in {args.out}")
        return
    load_core()
    results: dict[Case, Result] = {}
    for case in track(cases(), "measuring"):
        results[case] = r = measure(case)
        line = _line(case)
        print(
            f"{case[0]:14s} {line:46s} mu {r.mu:3d} {r.milliseconds:9.1f} ms "
            f"{r.mebibytes:8.1f} MiB, whole process {r.resident:6.0f} MiB",
            flush=True,
        )
        record("growth", line, r.milliseconds, "ms")
        record("growth", line, r.mebibytes, "MiB")
        record("growth", f"{line}, whole process", r.resident, "MiB")
    draw(results, args.out)
    print(f"drawn in {args.out}")


if __name__ == "__main__":
    main()
