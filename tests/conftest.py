"""Every test that asks for ``dtype`` runs in both precisions, with one table of tolerances."""

import shutil

import pytest

from tests import machine

HOME = machine.settle()  # before torch, typer and Matplotlib are imported: they look around then

import torch  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

torch.set_num_threads(1)
# Timings say nothing on a busy machine; examples are the same in every run.
settings.register_profile(
    "repeatable",
    deadline=None,
    derandomize=True,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")

pytest_plugins = ["tests.trained"]

TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-9}


def pytest_unconfigure():
    if HOME is not None:
        shutil.rmtree(HOME, ignore_errors=True)


@pytest.fixture(params=[torch.float32, torch.float64], ids=["float32", "float64"])
def dtype(request):
    return request.param


@pytest.fixture
def tolerance(dtype):
    return TOLERANCE[dtype]


def pytest_collectstart():
    torch.manual_seed(0)  # for the networks that a file builds when it is imported


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch):
    torch.manual_seed(0)
    monkeypatch.setenv("COLUMNS", "1000")
    monkeypatch.delenv("LINES", raising=False)
    monkeypatch.delenv("OGEAUG_DATA", raising=False)  # tests/tables.py has read it
