"""The encodings under test and what each of them promises: one table for all property tests."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import nn

from ogeaug import GeneralOGEAug, OGEAug, VanillaOGEAug
from ogeaug.pointclouds import CartesianCloud, VectorCloud


@dataclass(frozen=True)
class Case:
    """An encoding and the symmetries that it lacks by design, which the tests then require it to
    violate ("permutation", "basis", "sign")."""

    make: Callable[[], nn.Module]
    lacks: frozenset[str] = frozenset()


CASES = {
    "order 1": Case(lambda: OGEAug(8, hidden_channels=8, num_layers=3, order=1)),
    "order 2": Case(lambda: OGEAug(8, hidden_channels=8, num_layers=3)),
    "transposes": Case(lambda: OGEAug(8, hidden_channels=8, num_layers=3, transposes=True)),
    "order 3": Case(lambda: OGEAug(8, hidden_channels=4, num_layers=2, order=3, delta=1e-3)),
    "wide bands of order 3": Case(
        lambda: OGEAug(8, hidden_channels=4, num_layers=2, order=3, delta=0.5, k=12)
    ),
    "wide bands": Case(lambda: OGEAug(8, hidden_channels=8, num_layers=2, delta=0.5)),
    "batch norm": Case(lambda: OGEAug(8, hidden_channels=8, num_layers=2, norm="batch")),
    "bump": Case(lambda: OGEAug(8, hidden_channels=8, num_layers=2, smoothing="bump", delta=0.2)),
    "truncated": Case(lambda: OGEAug(8, hidden_channels=8, num_layers=2, k=6)),
    "sym": Case(lambda: OGEAug(8, hidden_channels=8, num_layers=2, normalization="sym")),
    "general": Case(lambda: GeneralOGEAug(8, f=CartesianCloud(4, order=2), distinct=True, k=8)),
    "general, vectors": Case(lambda: GeneralOGEAug(8, f=VectorCloud(8, num_layers=2), k=10)),
    "vanilla": Case(
        lambda: VanillaOGEAug(
            8, make_f=lambda: CartesianCloud(4, num_layers=2), max_multiplicity=2, k=8
        )
    ),
    "rw": Case(lambda: OGEAug(8, hidden_channels=8, num_layers=2, normalization="rw")),
}
