"""What encodings need is stored on the graphs of a run once."""

import pytest
import torch

from ogeaug import AddSpectrum
from ogeaug.model.config import ModelConfig
from ogeaug.model.graph_model import GraphModel
from ogeaug.spectrum.options import Disturbance
from ogeaug.training.add_spectra import add_spectra
from ogeaug.training.config import TrainingConfig
from ogeaug.training.prepare import Parts
from tests.graphs import HARD

PARTS = Parts([HARD["grid"], HARD["star"]], [HARD["complete"]], [HARD["one node"]])
OGE = {"name": "oge_aug", "out_channels": 4, "hidden_channels": 4, "num_layers": 1, "k": 5}


def model(*encodings):
    return GraphModel.from_config(
        ModelConfig.model_validate(
            {"features": {"kind": "own"}, "encodings": encodings, "backbone": {"channels": 32}}
        )
    )


def rwse(**options):
    return {"name": "rwse", "out_channels": 4} | options


def test_exact_and_noisy():
    parts, noisy = add_spectra(PARTS, model(OGE, rwse()), TrainingConfig(noise=1e-5), False)
    assert repr(noisy) == repr(AddSpectrum(5, noise=1e-5))
    for name in ("train", "val", "test"):
        for data, before in zip(parts.part(name), PARTS.part(name), strict=True):
            assert ("eigvals" in data) == (name != "train")
            assert "random_walk" in data
            assert "random_walk" not in before
    parts, noisy = add_spectra(PARTS, model(OGE), TrainingConfig(), False)
    assert noisy is None
    assert torch.equal(parts.train[0].eigvals, AddSpectrum(5)(HARD["grid"]).eigvals)
    assert "random_walk" not in parts.train[0]


@pytest.mark.parametrize("steps", [(4, 9), (9, 4)])
def test_walks_of_two_lengths(steps):
    made = model(*(rwse(steps=s) for s in steps))
    parts, _ = add_spectra(PARTS, made, TrainingConfig(), False)
    assert parts.train[0].random_walk.shape == (16, 9)
    assert made.eval()(parts.train[0]).equal(made(HARD["grid"]))


def test_walks_on_the_data_are_kept():
    own = HARD["grid"].clone()
    own.random_walk = torch.ones(16, 20)
    parts, _ = add_spectra(Parts([own], [], []), model(rwse()), TrainingConfig(), False)
    assert torch.equal(parts.train[0].random_walk, own.random_walk)


@pytest.mark.parametrize("asked", [{"noise": 1e-5}, {"permute": True}, {}])
def test_noise_reaches_a_learned_laplacian(asked):
    latent = {"name": "latent", "out_channels": 4, "hidden_channels": 4, "features": True}
    made = model(latent)
    parts, noisy = add_spectra(PARTS, made, TrainingConfig(**asked), False)
    assert noisy is None
    assert "eigvals" not in parts.train[0]
    assert made.encodings[0].disturbance == Disturbance(**asked)
