"""Which symmetries each encoding has, measured: ``python -m ogeaug.measure.properties``."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import networkx as nx
import torch
from rich.console import Console
from rich.progress import track
from torch_geometric.data import Data
from torch_geometric.utils import from_networkx

from ogeaug.encodings import ENCODINGS, encoding_options, make_encoding, needs_features
from ogeaug.encodings.base import Encoding
from ogeaug.measure.continuity import crossing_error
from ogeaug.measure.invariance import basis_error, permutation_error, sign_error

GRAPHS = {
    "path": nx.path_graph(9),
    "cycle": nx.cycle_graph(12),
    "star": nx.star_graph(9),
    "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(4, 4)),
    "rook": nx.convert_node_labels_to_integers(nx.line_graph(nx.complete_bipartite_graph(4, 4))),
    "random regular": nx.random_regular_graph(3, 20, seed=1),
}
ONES = torch.ones(20, 1, dtype=torch.float64)
"""Node features, for encodings that cannot be without: equal ones say nothing of the nodes."""
STEPS = (1e-4, 1e-5)
COLUMNS = ("permutation", "sign", "basis", "crossing", "crossing at the cut")


@dataclass(frozen=True)
class Measured:
    """The largest relative error found, and whether the encoding has the property."""

    error: float
    holds: bool

    def __str__(self) -> str:
        size = f"{self.error:.0e}" if self.error else "0"
        return f"{'yes' if self.holds else 'no'}, {size}"


def measure_properties(
    name: str, seeds: int = 3, graphs: dict[str, nx.Graph] = GRAPHS
) -> dict[str, Measured | None]:
    """The properties of an encoding with random weights, in double precision.

    Invariance to ``"permutation"`` (spectra computed anew), ``"sign"`` and ``"basis"`` holds where
    no error on any graph reaches 1e-9. Continuity at a ``"crossing"`` of eigenvalues
    (:func:`ogeaug.measure.continuity.crossing_error`) holds where a tenth of the step gives less
    than half of the change; at ``"crossing at the cut"`` the two eigenvalues lie on both sides of
    the cut of a truncated spectrum, and encodings that cannot be truncated have None.

    Args:
        name: A key of ``ENCODINGS``.
        seeds: Weights to try.
        graphs: Graphs to try, most of them with repeated eigenvalues.

    Example:
        >>> found = measure_properties("rwse", seeds=1)
        >>> found["basis"].holds, found["crossing"].holds, found["crossing at the cut"]
        (True, True, None)
    """
    made = [_make(name, seed) for seed in range(seeds)]
    data = [_to_data(graph) for graph in graphs.values()]
    out: dict[str, Measured | None] = {
        "permutation": _invariance(permutation_error, made, data),
        "sign": _invariance(sign_error, made, data),
        "basis": _invariance(basis_error, made, data),
        "crossing": _continuity(made),
        "crossing at the cut": None,
    }
    if "k" in encoding_options(name) and ENCODINGS.spectral(name):
        # LapPE leaves the first eigenvector out and counts k from the second.
        k = 4 if name == "lap_pe" else 5
        out["crossing at the cut"] = _continuity([_make(name, seed, k=k) for seed in range(seeds)])
    return out


def _make(name: str, seed: int, **options: Any) -> Encoding:
    torch.manual_seed(seed)
    if "hidden_channels" in encoding_options(name):
        options["hidden_channels"] = 16
    if needs_features(name):
        options["in_channels"] = 1
    return make_encoding(name, 8, **options).double().eval()


def _invariance(error: Callable[..., float], made: list[Encoding], data: list[Data]) -> Measured:
    generator = torch.Generator().manual_seed(0)
    worst = max(error(encoding, graph, generator) for encoding in made for graph in data)
    return Measured(worst, worst < 1e-9)


def _continuity(made: list[Encoding]) -> Measured:
    long, short = (max(crossing_error(encoding, h, ONES[:9]) for encoding in made) for h in STEPS)
    return Measured(short, short <= long / 2)


def _to_data(graph: nx.Graph) -> Data:
    plain = nx.Graph(graph.edges)
    plain.add_nodes_from(graph)
    data = from_networkx(plain)
    data.x = ONES[: len(plain)]
    return data


def main() -> None:
    """Prints the table as Markdown."""
    found = {
        name: measure_properties(name)
        for name in track(ENCODINGS, "measuring", console=Console(stderr=True), transient=True)
    }
    print("| encoding | on | " + " | ".join(COLUMNS) + " |")
    print("|---" * (len(COLUMNS) + 2) + "|")
    for name, row in found.items():
        cells = [str(row[column] or "-") for column in COLUMNS]
        print(f"| `{name}` | {ENCODINGS[name].level}s | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
