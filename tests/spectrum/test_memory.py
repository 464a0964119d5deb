"""Large graphs: what they take is said before, and what cannot fit is refused."""

import pytest
import torch

import ogeaug.spectrum.memory as memory
from ogeaug import AddSpectrum, compute_spectrum
from ogeaug.transforms.add_hodge import AddHodge
from ogeaug.transforms.add_random_walk import AddRandomWalk
from tests.graphs import HARD

TRANSFORMS = [
    AddSpectrum(k=3),
    AddSpectrum(k=3, normalization="sym"),
    AddRandomWalk(3),
    AddHodge(2),
    AddRandomWalk(3, edges="uniform"),
]


@pytest.mark.parametrize("transform", TRANSFORMS, ids=str)
def test_what_large_graphs_take(monkeypatch, transform):
    monkeypatch.setattr(memory, "LARGE", 10)
    with pytest.warns(UserWarning, match=r"of a graph with \d+ (nodes|edges) needs about"):
        transform(HARD["grid"].clone())
    monkeypatch.setattr(memory, "memory_bytes", lambda: 100)
    with pytest.raises(MemoryError, match=r"needs about 0.0 GiB, .* Take a smaller graph"):
        transform(HARD["grid"].clone())


def test_a_graph_that_fits_nowhere_is_refused_at_once():
    with pytest.raises(MemoryError, match=r"with 3,000,000 nodes needs about 502\d{3}"):
        compute_spectrum(torch.empty(2, 0, dtype=torch.long), 3_000_000, noise=1e-5, permute=True)


def test_figures(monkeypatch):
    monkeypatch.setattr(memory, "memory_bytes", lambda: 2**40)
    with pytest.warns(UserWarning, match="20,000 nodes needs about 13.4 GiB of memory and 41 min"):
        memory.announce("a spectrum", [20_000], copies=1, work=3.5)
    with pytest.warns(UserWarning, match="2 graphs with 4,000 nodes needs about .* and 39 s"):
        memory.announce("a spectrum", [4_000, 4_000], copies=1, work=3.5)
    memory.announce("a spectrum", [4_999], copies=1, work=3.5)


def test_memory_of_a_container(monkeypatch, tmp_path):
    limit, there = tmp_path / "memory.max", tmp_path / "meminfo"
    monkeypatch.setattr(memory, "LIMITS", (limit,))
    monkeypatch.setattr(memory, "AVAILABLE", there)
    whole = memory.memory_bytes()
    assert whole > 2**24
    limit.write_text("max\n")
    assert memory.memory_bytes() == whole
    limit.write_text("8388608\n")
    assert memory.memory_bytes() == 2**23
    there.write_text("MemTotal:  9000 kB\nMemAvailable:    4096 kB\n")
    assert memory.memory_bytes() == 2**22
