import math

import pytest
import torch

from ogeaug.spectrum.smoothing import SMOOTHINGS, Cosine, Custom, fade, make_smoothing

X = torch.linspace(0, 0.3, 30_001, dtype=torch.float64)


@pytest.mark.parametrize("name", SMOOTHINGS)
def test_shape(name):
    rho = make_smoothing(name, 0.2)
    values = rho(X)
    assert values[0] == 1
    assert (values[X >= 0.2] == 0).all()
    assert (values[X < 0.19] > 0).all()
    assert (values.diff() <= 0).all()
    assert rho(torch.tensor([math.inf])) == 0


@pytest.mark.parametrize("name", SMOOTHINGS)
def test_lipschitz_constant_is_tight(name):
    rho = make_smoothing(name, 0.2)
    steepest = float(rho(X).diff().abs().max() / X[1])
    assert steepest == pytest.approx(rho.lipschitz, rel=1e-3)
    assert Custom(0.2, rho).lipschitz == pytest.approx(rho.lipschitz, rel=1e-3)


def test_users_function():
    rho = make_smoothing(lambda x: 1 - (x / 0.2) ** 2, 0.2)
    assert rho(torch.tensor([0.0, 0.1, 5.0])).tolist() == pytest.approx([1, 0.75, 0])


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: torch.ones_like(x), "is 1 at delta = 0.2, not 0, so it would jump"),
        (lambda x: 0.5 - x / 0.4, "is 0.5 at distance 0, not 1"),
        (lambda x: 1 - 2 * x / 0.2, r"leaves \[0, 1\]"),
        (lambda x: x / 0, r"leaves \[0, 1\]"),
    ],
)
def test_users_function_is_checked(function, message):
    with pytest.raises(ValueError, match=message):
        make_smoothing(function, 0.2)


def test_bad_arguments():
    for delta in (0, -1, math.nan, math.inf):
        with pytest.raises(ValueError, match="delta must be positive and finite"):
            Cosine(delta)
    with pytest.raises(ValueError, match="unknown smoothing 'cos'; choose from cosine, hat, bump"):
        make_smoothing("cos", 0.1)
    with pytest.raises(ValueError, match="disagree"):
        make_smoothing(Cosine(0.2), 0.1)


def test_fade():
    weights = fade(torch.tensor([0.0, 0.9, 1.0]), torch.tensor([1.0, 1.0, 1.0]), Cosine(0.2))
    assert weights.tolist() == pytest.approx([1, 0.5, 0], abs=1e-6)
    assert fade(torch.tensor([5.0]), torch.tensor([math.inf]), Cosine(0.2)) == 1
