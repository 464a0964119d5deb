"""The benchmark's protocol: its statistic, its verdict, and that weak encodings fail it."""

import math

import networkx as nx
import numpy as np
import pytest
import torch
from scipy.stats import f as f_distribution

from ogeaug.encodings import make_encoding
from ogeaug.measure.brec import rpc
from ogeaug.measure.brec.files import Sample
from ogeaug.measure.scoring import Candidate


def text(graph):
    return nx.to_graph6_bytes(graph, header=False).strip().decode()


PRISM, K33 = text(nx.circular_ladder_graph(3)), text(nx.complete_bipartite_graph(3, 3))
APART = Sample("prism, K3,3", "Basic", (PRISM, K33))


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(rpc, "EPOCHS", 1)


def encoding(name, **options):
    return Candidate(name, lambda _: make_encoding(name, 16, **options))


def test_the_threshold_is_a_quantile():
    """Of Hotelling's T2 for q = 32 differences of d = 16 numbers, at 95 %."""
    quantile = 16 * 31 / 16 * f_distribution.ppf(0.95, 16, 16)
    assert quantile == pytest.approx(rpc.THRESHOLD, abs=0.01)


def test_the_statistic_by_hand():
    generator = np.random.default_rng(0)
    x, y = generator.normal(size=(2, 32, 16))
    d = x - y
    mean = d.mean(0)
    centred = d - mean
    expected = mean @ np.linalg.inv(centred.T @ centred / 31) @ mean
    assert rpc.t_squared(torch.tensor(x), torch.tensor(y)) == pytest.approx(expected, rel=1e-9)


def test_a_difference_without_any_spread():
    """As exactly invariant encodings give it, where the processor rounds all copies alike."""
    x = torch.linspace(-1, 1, 16, dtype=torch.float64).expand(32, 16)
    assert rpc.t_squared(x, x + 1) == math.inf
    assert rpc.t_squared(x, x) == 0
    assert rpc.t_squared(x, x * (1 + 1e-15)) == 0
    assert rpc.judge(math.inf, 0.0).distinguished
    assert not rpc.judge(math.inf, math.inf).distinguished


def test_told_apart_and_reliable():
    (result,) = rpc.score_rpc([APART], encoding("rwse", steps=6), seed=0)
    assert result.distinguished, result
    assert result.distance > 1e3
    assert result.noise < rpc.THRESHOLD
    (again,) = rpc.score_rpc([APART], encoding("rwse", steps=6), seed=0)
    assert (again.distance, again.noise) == (result.distance, result.noise)


def test_nothing_to_see():
    """Without an encoding all nodes are alike: T2 of rounding."""
    (result,) = rpc.score_rpc([APART], encoding("none"), seed=0)
    assert not result.distinguished


def test_copies_of_one_graph_are_not_told_apart():
    same = Sample("K3,3 twice", "Basic", (K33, K33))
    (result,) = rpc.score_rpc([same], encoding("rwse", steps=6), seed=0)
    assert not result.distinguished


@pytest.mark.parametrize(
    ("test", "reliability", "apart"),
    [(100.0, 10.0, True), (72.0, 10.0, False), (100.0, 72.4, False), (np.nan, 1.0, False)],
)
def test_verdict(test, reliability, apart):
    assert rpc.judge(test, reliability).distinguished == apart
    assert rpc.judge(test, np.nan).reason.startswith("reliability failed")


def test_published_copies_are_used():
    """Here they are other graphs than the pair, so that it shows."""
    path, star = text(nx.path_graph(5)), text(nx.star_graph(4))
    sample = Sample("given", "Basic", (PRISM, K33), (path, star) * 32, (path,) * 64)
    copies = rpc.make_copies(sample, torch.Generator())
    assert [g.num_nodes for g in copies.compared] == [5] * 64
    assert len(copies.reliability) == 64
    drawn = rpc.make_copies(APART, torch.Generator().manual_seed(0))
    assert len(drawn.compared) == len(drawn.reliability) == 64
    assert [g.num_edges for g in drawn.compared] == [18] * 64


def test_edges_are_pooled_too():
    (result,) = rpc.score_rpc([APART], encoding("edge_rwse", steps=4), seed=0)
    assert result.threshold == rpc.THRESHOLD


def test_a_search_that_is_too_large_is_passed_over():
    f = {"name": "search", "depth": 9, "width": 10.0, "limit": 2}
    (result,) = rpc.score_rpc([APART], encoding("general", f=f), seed=0)
    assert not result.distinguished
    assert "not tried: more than 2 branches" in result.reason
