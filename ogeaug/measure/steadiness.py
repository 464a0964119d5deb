"""All about the stability of one encoding on one graph, beside what it can tell apart at all."""

import math
from dataclasses import dataclass

from torch import Generator, nn
from torch_geometric.data import Data

from ogeaug.encodings.general import GeneralOGEAug
from ogeaug.measure.bound import Bound, estimate_f, stability_bound
from ogeaug.measure.edits import Edit, edit_changes
from ogeaug.measure.resolution import distance_to_others
from ogeaug.measure.stability import Curve, random_direction, reweighted, stability_curve


@dataclass(frozen=True)
class Steadiness:
    r"""What :func:`measure_steadiness` finds. All changes are relative to :math:`\|Z\|_F`.

    Attributes:
        curve: Changes by perturbations of the edge weights.
        edits: Sizes and changes of the edits, in their order.
        edge, node: The largest change by an edge, or a node, less; NaN without edits of the kind.
        apart: The distance to the nearest graph that differs.
    """

    curve: Curve
    edits: tuple[tuple[float, float], ...]
    edge: float
    node: float
    apart: float

    def ratio(self, size: float) -> float:
        """How many times farther the nearest other graph is than a perturbation of this size moves.

        Below 1, a perturbed graph can be taken for another one. NaN where nothing moves.
        """
        change = dict(zip(self.curve.sizes, self.curve.changes, strict=True))[size]
        return self.apart / change if change > 0 else math.nan


@dataclass(frozen=True)
class Compared:
    """The paper's bound beside what was measured, both relative to the norm of the encoding.

    Attributes:
        bound: Its constants.
        f: The estimate of the Lipschitz constant of f.
        printed, proven: By size: the proposition's right-hand side, and that of its proof for the
            delta that the encoding has.
    """

    bound: Bound
    f: float
    printed: tuple[float, ...]
    proven: tuple[float, ...]


def measure_steadiness(
    encoding: nn.Module,
    data: Data,
    edits: list[Edit],
    *,
    draws: int = 5,
    generator: Generator | None = None,
) -> Steadiness:
    """Perturbs edge weights, leaves out edges and nodes, and looks for the nearest other graph.

    Args:
        encoding: In float64 and eval mode.
        data: One graph.
        edits: Of :func:`ogeaug.measure.edits.all_edits`.
        draws: Random directions.
        generator: Of the directions.
    """
    curve = stability_curve(encoding, data, draws=draws, generator=generator)
    changes = edit_changes(encoding, data, edits)
    largest = {
        kind: max(
            (c for c, e in zip(changes, edits, strict=True) if e.kind == kind), default=math.nan
        )
        for kind in ("edge", "node")
    }
    points = tuple((edit.size, change) for edit, change in zip(edits, changes, strict=True))
    return Steadiness(curve, points, apart=distance_to_others(encoding, data), **largest)


def compare_bound(
    encoding: GeneralOGEAug, data: Data, curve: Curve, generator: Generator | None = None
) -> Compared:
    """Proposition 3 beside a curve, with :math:`J_f` estimated at the graph and near it."""
    near = reweighted(data, curve.sizes[-1] * random_direction(data, generator))
    bound, f = stability_bound(encoding, data), estimate_f(encoding, [data, near])
    sides = [
        tuple(side(size, size * curve.spectral, f) / curve.scale for size in curve.sizes)
        for side in (bound.printed, bound.proven)
    ]
    return Compared(bound, f, *sides)
