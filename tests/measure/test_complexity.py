"""Costs are of the graphs that they claim to be of."""

import math

import pytest

from ogeaug import OGEAug
from ogeaug.encodings.rwse import RWSE
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


def test_counts():
    """mu counts eigenvalues within delta, and an edge carries n mu numbers of order 2."""
    (path,) = growing_multiplicity(12, (1,))
    narrow, wide = (
        cost(OGEAug(4, hidden_channels=4, num_layers=1, delta=delta).eval(), path, repeats=1)
        for delta in (1e-3, 10.0)
    )
    assert (narrow.multiplicity, narrow.within) == (1, 1)
    assert (wide.multiplicity, wide.within) == (1, 12)
    assert narrow.paper == wide.paper == 12**2 + 11
    assert narrow.counted == 12**2 + 11 * 12
    assert wide.counted == (12**2 * 12 + 11 * 12) * 12
    assert cost(RWSE(4).eval(), path, repeats=1).within == 1
