"""Time and memory of a forward and backward pass as graphs, bands and multiplicities grow.

    python -m benchmarks.growth [--out out/growth.png]

One graph at a time, 64 channels, 4 layers. The paper counts O((n^2 mu + m) mu) operations a layer,
mu being how many eigenpairs an eigenpair sees; with all n eigenpairs kept and mu constant that is a
slope of 2 in n.
"""

import argparse
import multiprocessing
import time
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import torch
from matplotlib.figure import Figure
from rich.progress import track
from torch_geometric.data import Data
from torch_geometric.utils import from_networkx

from benchmarks.encoder import train_once
from benchmarks.history import record
from benchmarks.memory import peak_bytes
from ogeaug import OGEAug
from ogeaug.native.build import load_core


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


def measure(case: Case) -> tuple[float, float]:
    """Seconds and peak bytes, in a process of its own: memory freed by others would hide some."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(_measure, (case,))


def _measure(case: Case) -> tuple[float, float]:
    _, kind, n, delta, k = case
    torch.manual_seed(0)
    model = OGEAug(28, delta=delta, k=k, kernel="compiled")
    data = _data(KINDS[kind](n), model)
    train_once(model, _data(nx.path_graph(4), model))
    peak = peak_bytes(lambda: train_once(model, data))
    seconds = []
    for _ in range(3):
        start = time.process_time()
        train_once(model, data)
        seconds.append(time.process_time() - start)
    return min(seconds), peak


def _data(graph: nx.Graph, model: OGEAug) -> Data:
    data = from_networkx(nx.convert_node_labels_to_integers(graph))
    spectra = model.read_spectra(Data(edge_index=data.edge_index, num_nodes=data.num_nodes))
    data.eigvals, data.eigvecs = spectra.eigvals, spectra.eigvecs.view(data.num_nodes, -1)
    data.eigval_cutoff = spectra.cutoff
    return data


def draw(results: dict[Case, tuple[float, float]], path: Path) -> None:
    panels = list(dict.fromkeys(case[0] for case in results))
    figure = Figure(figsize=(4 * len(panels), 7), layout="constrained")
    axes = figure.subplots(2, len(panels), squeeze=False)
    for column, panel in enumerate(panels):
        for row, unit in enumerate(("seconds", "MiB")):
            ax = axes[row, column]
            for kind in dict.fromkeys(case[1] for case in results if case[0] == panel):
                mine = [case for case in results if case[:2] == (panel, kind)]
                x = [case[3] if panel == "delta" else case[2] for case in mine]
                y = [results[case][row] / (1, 2**20)[row] for case in mine]
                ax.loglog(x, y, "o-", label=kind)
            ax.set(title=panel, xlabel="delta" if panel == "delta" else "nodes", ylabel=unit)
            ax.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out/growth.png"))
    args = parser.parse_args()
    torch.set_num_threads(1)
    load_core()
    results = {}
    for case in track(cases(), "measuring"):
        results[case] = seconds, peak = measure(case)
        panel, kind, n, delta, k = case
        line = f"{kind}, {n} nodes, delta {delta}, k {k}"
        print(f"{panel:14s} {line:46s} {seconds * 1e3:9.1f} ms {peak / 2**20:8.1f} MiB", flush=True)
        record("growth", line, seconds * 1e3, "ms")
        record("growth", line, peak / 2**20, "MiB")
    draw(results, args.out)
    print(f"drawn in {args.out}")


if __name__ == "__main__":
    main()
