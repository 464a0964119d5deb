"""Every test that asks for ``dtype`` runs in both precisions, with one table of tolerances."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
# Messages are looked for in what commands print: where a line breaks must not depend on the
# terminal, nor on how long a temporary path is. (Typer's own variable, read at its import.)
os.environ["TERMINAL_WIDTH"] = "1000"

import pytest
import torch
from hypothesis import settings

torch.set_num_threads(1)
# Timings say nothing on a busy machine; examples are the same in every run.
settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("repeatable")

TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-9}


@pytest.fixture(params=[torch.float32, torch.float64], ids=["float32", "float64"])
def dtype(request):
    return request.param


@pytest.fixture
def tolerance(dtype):
    return TOLERANCE[dtype]


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch):
    torch.manual_seed(0)
    monkeypatch.setenv("COLUMNS", "1000")
