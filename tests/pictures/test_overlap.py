"""No words of any figure lie over each other."""

import networkx as nx
import pytest

from ogeaug import OGEAug
from ogeaug.compare.curves import plot
from ogeaug.measure import draw_encoding
from ogeaug.measure.bound import Bound
from ogeaug.measure.complexity import Cost
from ogeaug.measure.figure import draw_costs, draw_curves, draw_loops
from ogeaug.measure.named_graphs import from_networkx
from ogeaug.measure.stability import Curve
from ogeaug.measure.steadiness import Compared, Steadiness
from ogeaug.pictures import new_figure, styled
from ogeaug.pictures.style import KNOWN
from ogeaug.training.pictures import Points, draw_parity
from tests.pictures.overlap import misplaced

SIZES = tuple(10.0**e for e in range(-8, 0))
CURVES = {
    name: Steadiness(Curve(SIZES, SIZES, 1.0, 0.1), ((2.0, 0.1), (3.0, 0.2)), 0.1, 0.2, 0.1 + i)
    for i, name in enumerate(KNOWN)
}
BOUND = Compared(Bound(12, 1.0, 1.0, 31.4, 2, 0.05), 1.0, SIZES, SIZES)
COSTS = {"oge_aug": [Cost(n, n, n // 8, n**2 / 1e6, float(n), n // 5) for n in (25, 50, 100, 200)]}
LEARNT = {
    (name, seed): [(e, 3.5 * e, 0.3 / e + seed / 99) for e in range(1, 41)]
    for name in KNOWN
    for seed in (0, 1)
}
VALUES = [0.01 * i**2 - 3 for i in range(30)]
POINTS = [
    Points("solubility", "log mol/L", VALUES, [-v / 2 for v in VALUES], [0.1] * 30),
    *(Points(f"target {i}", "", VALUES, VALUES, [0.0] * 30) for i in range(13)),
]
FIGURES = {
    "stability": lambda: draw_curves(CURVES, "Random weights, seed 0, cycle:12", BOUND),
    "loops": lambda: draw_loops({name: [1e-3, 1.0, 0.1, 0.0] for name in KNOWN}, "A title"),
    "costs": lambda: draw_costs(COSTS, COSTS),
    "comparison by epoch": lambda: plot(LEARNT, 0, "epoch", "validation mae", True),
    "comparison by time": lambda: plot(LEARNT, 1, "wall time of training, s", "accuracy", False),
    "parity": lambda: draw_parity(POINTS[:1]),
    "parity of many": lambda: draw_parity(POINTS),
    "a graph": lambda: draw_encoding(
        from_networkx(nx.petersen_graph()), OGEAug(8, hidden_channels=4, num_layers=1), "Petersen"
    ),
}


@pytest.mark.parametrize("name", FIGURES)
def test_no_words_overlap(name):
    assert misplaced(FIGURES[name]()) == []


def test_misplaced_words_are_found():
    with styled():
        figure = new_figure(3, 2)
        axes = figure.subplots()
    axes.text(0.5, 0.5, "one")
    axes.text(0.5, 0.51, "two")
    figure.text(0.9, 0.9, "far too long for its place")
    assert ("one", "two") in misplaced(figure)
    assert ("far too long for its place", "beyond the edge") in misplaced(figure)
