"""Costs are of the graphs that they claim to be of."""

import math

import pytest

from ogeaug import OGEAug
from ogeaug.measure.complexity import cost, growing_cycles, growing_multiplicity


def test_costs():
    encoding = OGEAug(4, hidden_channels=4, num_layers=2).eval()
    cycles = [cost(encoding, data, repeats=1) for data in growing_cycles((6, 9))]
    assert [(c.nodes, c.edges, c.multiplicity) for c in cycles] == [(6, 6, 2), (9, 9, 2)]
    paths = [cost(encoding, data, repeats=1) for data in growing_multiplicity(12, (1, 3, 12))]
    assert [(c.nodes, c.multiplicity) for c in paths] == [(12, 1), (12, 3), (12, 12)]
    assert all(c.seconds > 0 for c in [*cycles, *paths])
    assert all(c.mebibytes >= 0 or math.isnan(c.mebibytes) for c in [*cycles, *paths])


def test_paths_must_share_the_nodes():
    with pytest.raises(ValueError, match="cannot be shared by 5"):
        next(growing_multiplicity(12, (5,)))
