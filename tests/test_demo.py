"""What `make demo` shows, on few graphs."""

import importlib.util
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

FILE = Path(__file__).parents[1] / "examples" / "demo.py"


@pytest.fixture(scope="module")
def demo():
    spec = importlib.util.spec_from_file_location("demo", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_cycles_are_counted(demo):
    generator = np.random.default_rng(0)
    for _ in range(4):
        graph = demo.random_graph(generator)
        lengths = [len(cycle) for cycle in nx.simple_cycles(graph, length_bound=5)]
        assert demo.count_cycles(graph) == [lengths.count(n) for n in (3, 4, 5)]


def test_strongly_regular_graphs(demo):
    assert demo.count_told_apart() == {"oge_aug": (10, 10), "spe": (0, 10), "rwse": (0, 10)}


def test_it_runs(demo, tmp_path, monkeypatch, capsys):
    options = "--graphs 16 --epochs 1 --seeds 1 --quiet --output-dir"
    monkeypatch.setattr(sys, "argv", ["demo.py", *options.split(), str(tmp_path)])
    demo.main()
    (picture,) = tmp_path.glob("*/demo.png")
    assert picture.stat().st_size > 10_000
    shown = capsys.readouterr().out
    assert "with OGE-Aug" in shown
    assert "10 of 10" in shown
