"""The definition: both its forms agree; bad arguments are refused."""

import pytest
import torch
from torch import nn

from ogeaug import GeneralOGEAug
from ogeaug.pointclouds import InnerProductCloud, VectorCloud
from tests.graphs import HARD


@pytest.mark.parametrize("graph", ["star", "cycle", "complete", "rook", "grid", "no edges"])
@pytest.mark.parametrize("delta", [0.05, 1.0])
def test_distinct_form_equals_repeated_form(graph, delta):
    repeated = GeneralOGEAug(6, f=InnerProductCloud(8), delta=delta).double()
    distinct = GeneralOGEAug(6, f=InnerProductCloud(8), delta=delta, distinct=True).double()
    distinct.load_state_dict(repeated.state_dict())
    data = HARD[graph]
    torch.testing.assert_close(distinct(data), repeated(data), rtol=1e-8, atol=1e-8)


def test_is_the_definition():
    data = HARD["grid"]
    model = GeneralOGEAug(6, f=VectorCloud(8), delta=1.0).double()
    (spectrum,) = model.read_spectra(data)
    total = 0
    for value in spectrum.eigvals:
        smooth = spectrum.eigvecs * model.smoothing((spectrum.eigvals - value).abs())
        column = value.expand(data.num_nodes, 1)
        total = total + model.phi(torch.cat([column, model.f(smooth)], 1))
    torch.testing.assert_close(model(data), model.psi(total), rtol=1e-10, atol=1e-10)


def test_own_slots():
    class Norm(nn.Module):
        def forward(self, points):
            return points.square().sum(1, keepdim=True)

    with pytest.raises(ValueError, match="pass phi"):
        GeneralOGEAug(3, f=Norm())
    model = GeneralOGEAug(3, f=Norm(), phi=nn.Linear(2, 5), psi=nn.Linear(5, 3)).double()
    assert model(HARD["path"]).shape == (9, 3)


def test_everything_truncated():
    model = GeneralOGEAug(3, k=2).double()
    assert model(HARD["complete"]).shape == (8, 3)
    assert GeneralOGEAug(3, k=2)(HARD["no edges"]).shape == (5, 3)


def test_window_is_a_factor_of_phi():
    data, window = HARD["grid"], 3.0
    model = GeneralOGEAug(6, f=VectorCloud(8), delta=1.0, window=window).double()
    (spectrum,) = model.read_spectra(data)
    total = 0
    for value in spectrum.eigvals[spectrum.eigvals < window]:
        smooth = spectrum.eigvecs * model.smoothing((spectrum.eigvals - value).abs())
        column = value.expand(data.num_nodes, 1)
        factor = (1 + torch.cos(torch.pi * value / window)) / 2
        total = total + factor * model.phi(torch.cat([column, model.f(smooth)], 1))
    torch.testing.assert_close(model(data), model.psi(total), rtol=1e-10, atol=1e-10)
