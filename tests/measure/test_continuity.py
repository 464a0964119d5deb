"""At eigenvalue crossings: who jumps and who does not."""

import pytest
import torch

from ogeaug import compute_spectrum
from ogeaug.encodings import make_encoding
from ogeaug.measure.continuity import crossing_error, crossing_graph


def error(name, step, **options):
    torch.manual_seed(0)
    return crossing_error(make_encoding(name, 8, hidden_channels=16, **options).double(), step)


def test_eigenvalues_cross_at_one():
    def eigvals(t):
        data = crossing_graph(t)
        return compute_spectrum(data.edge_index, 9, data.edge_weight).eigvals

    at_one = torch.tensor([0, 1, 1, 2, 3, 3, 4, 4, 6], dtype=torch.float64)
    torch.testing.assert_close(eigvals(1.0), at_one, atol=1e-9, rtol=0)
    assert eigvals(1.1).diff().min() > 0.05


@pytest.mark.parametrize(
    ("name", "options"),
    [("oge_aug", {}), ("oge_aug", {"k": 5}), ("spe", {}), ("peg", {"k": 6}), ("rwse", {})],
)
def test_continuous(name, options):
    long, short = (error(name, step, **options) for step in (1e-4, 1e-6))
    assert short < 1e-5
    assert short < long / 50  # it goes to zero with the step


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("basisnet", {}),
        ("lap_pe", {}),
        ("signnet", {}),
        ("hodge1_lap", {}),
        ("spe", {"k": 5}),  # the cut parts the two that cross
        ("peg", {"k": 5}),
    ],
)
def test_jumps(name, options):
    long, short = (error(name, step, **options) for step in (1e-4, 1e-5))
    assert short > 1e-4
    assert short > long / 2  # it does not go to zero with the step
