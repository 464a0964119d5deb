"""Curves of a comparison, drawn."""

import math

import numpy as np
import pytest

from ogeaug.compare.curves import best_so_far, plot


def curve(values, seconds=1.0):
    return [(i + 1, (i + 1) * seconds, value) for i, value in enumerate(values)]


def test_several_seeds_are_a_median_and_a_range():
    curves = {
        ("oge_aug", 0): curve([4.0, 2.0, 3.0], seconds=1.0),
        ("oge_aug", 1): curve([5.0, 4.0, 1.0], seconds=3.0),
        ("oge_aug", 2): curve([9.0, 8.0], seconds=2.0),  # it stopped early
        ("none", 0): curve([8.0, 7.0, 6.0]),
    }
    (axes,) = plot(curves, 1, "time", "validation mae", True).axes
    ours, none = axes.lines
    assert ours.get_label() == "oge_aug"
    assert list(ours.get_xdata()) == [2.0, 4.0, 6.0]
    assert list(ours.get_ydata()) == [5.0, 4.0, 2.0]
    assert list(none.get_ydata()) == [8.0, 7.0, 6.0]
    band = axes.collections[0].get_paths()[0].get_extents()
    assert (band.y0, band.y1) == (1.0, 9.0)
    assert axes.get_ylabel() == "validation mae, best so far"


def test_a_seed_without_a_value_hides_no_other():
    """AUROC is undefined where a part has one class."""
    curves = {("none", 0): curve([math.nan, math.nan]), ("none", 1): curve([0.5, 0.6])}
    (axes,) = plot(curves, 0, "epoch", "validation auroc", False).axes
    assert list(axes.lines[0].get_ydata()) == [0.5, 0.6]
    (axes,) = plot({("none", 0): curve([math.nan])}, 0, "epoch", "auroc", False).axes
    assert math.isnan(axes.lines[0].get_ydata()[0])


@pytest.mark.parametrize("lower", [True, False])
def test_what_is_undefined_counts_for_nothing(lower):
    found = best_so_far(curve([math.nan, 0.5, math.nan, 0.7, 0.2]), lower)
    assert math.isnan(found[0])
    assert found[1:] == ([0.5, 0.5, 0.5, 0.2] if lower else [0.5, 0.5, 0.7, 0.7])
    assert np.all(np.diff(found[1:]) <= 0 if lower else np.diff(found[1:]) >= 0)
