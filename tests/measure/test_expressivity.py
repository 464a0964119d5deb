"""What OGE-Aug tells apart, and that it never tells a graph from itself."""

import networkx as nx
import pytest
import torch

from ogeaug import OGEAug
from ogeaug.measure.expressivity import distinguishes
from ogeaug.measure.families import FAMILIES
from ogeaug.measure.families.cfi import cfi_graph
from ogeaug.measure.invariance import permute_nodes
from ogeaug.measure.named_graphs import from_networkx
from ogeaug.measure.pairs import Pair, read_pairs
from ogeaug.measure.scoring import (
    Candidate,
    by_category,
    oge_aug_candidate,
    score,
    search_candidate,
    write_csv,
)
from ogeaug.pointclouds.tree import SearchTooLarge
from tests.tables import table


def members(family, *contains):
    return [p for p in FAMILIES[family]() if not contains or any(c in p.name for c in contains)]


@pytest.mark.parametrize("family", ["regular", "skip-links", "trees"])
def test_order_2_tells_families_apart(family):
    pairs = members(family)[::3]
    for result in score(pairs, [oge_aug_candidate(2, 6, 8)], copies=2):
        assert result.distinguished, result


def test_order_2_tells_strongly_regular_graphs_apart():
    pairs = members("strongly-regular", "(16", "(25", "0, 1")
    assert all(r.distinguished for r in score(pairs, [oge_aug_candidate(2, 6, 8)], copies=2))


def test_algorithm_1_tells_rook_and_shrikhande_apart():
    (pair,) = members("strongly-regular", "(16,6")
    assert distinguishes(OGEAug(8, hidden_channels=8, num_layers=6), pair.left, pair.right)
    shallow = OGEAug(8, hidden_channels=8, num_layers=2)
    assert not distinguishes(shallow, pair.left, pair.right).distinguished


def test_order_3_is_stronger_than_order_2():
    pairs = [*members("designs", "(16,6"), *members("cfi", "K3,3 compact")]
    second = list(score(pairs, [oge_aug_candidate(2, 6, 8)], copies=2))
    third = list(score(pairs, [oge_aug_candidate(3, 4, 4)], copies=2))
    assert not any(r.distinguished for r in second)
    assert all(r.distinguished for r in third)


def test_the_search_tells_cfi_graphs_apart():
    """Of treewidth 3 and 5 (96 nodes); order 2 does not see the first."""
    pairs = members("cfi", "K3,3 compact", "K6 compact")
    second = score(pairs[:1], [oge_aug_candidate()], copies=1)
    assert not any(r.distinguished for r in second)
    for result in score(pairs, [search_candidate()], copies=1):
        assert result.distinguished, result


def test_waves_bring_out_what_a_mean_over_symmetric_points_hides():
    """The smallest such pair that was found, 112 nodes: without waves, no more than the noise."""
    base = nx.circular_ladder_graph(8)
    left, right = (from_networkx(cfi_graph(base, t, edge_nodes=1)) for t in (False, True))
    pair = Pair("CFI", left, right)
    (result,) = score([pair], [search_candidate()], copies=1)
    assert result.distinguished, result

    def without(channels):
        network = search_candidate().make(channels)
        network.f.waves = 0.0
        return network

    (result,) = score([pair], [Candidate("no waves", without)], copies=1)
    assert not result.distinguished


@pytest.mark.parametrize("family", ["distance-regular", "four-vertex", "designs"])
def test_the_search_tells_regular_graphs_apart(family):
    for result in score(members(family)[-2:], [search_candidate()], copies=1):
        assert result.distinguished, result


CANDIDATES = {
    "order 2": oge_aug_candidate(2, 3, 4),
    "order 3": oge_aug_candidate(3, 3, 4),
    "search": search_candidate(),
}


@pytest.mark.parametrize("name", CANDIDATES)
def test_no_false_positive_on_relabelled_copies(name):
    """A hundred pairs of relabelled copies here; four hundred by the command in docs/measure.md."""
    generator = torch.Generator().manual_seed(0)
    graphs = [p.left for family in ("regular", "trees", "skip-links") for p in members(family)]
    graphs += [p.left for p in members("strongly-regular", "(16", "(25")]
    graphs = [g for g in graphs if name != "order 3" or g.num_nodes <= 25][:50]
    copies = [
        Pair("copy", g, permute_nodes(g, torch.randperm(g.num_nodes, generator=generator)))
        for g in graphs
        for _ in range(2)
    ]
    results = list(score(copies, [CANDIDATES[name]]))
    assert not any(r.distinguished for r in results)


def test_different_sizes_are_said_so():
    verdict = distinguishes(
        OGEAug(4, hidden_channels=4),
        from_networkx(nx.path_graph(3)),
        from_networkx(nx.path_graph(4)),
    )
    assert verdict.distinguished
    assert verdict.reason == "different sizes: 3 and 4 nodes"


def test_needs_copies_and_finite_features():
    path = from_networkx(nx.path_graph(3))
    with pytest.raises(ValueError, match="copies must be at least 1"):
        distinguishes(OGEAug(4, hidden_channels=4), path, path, copies=0)

    class Broken(torch.nn.Module):
        def forward(self, data):
            return torch.full((data.num_nodes, 1), float("nan"))

    with pytest.raises(ValueError, match="NaN or infinity"):
        distinguishes(Broken(), path, path)


def test_the_given_encoding_is_left_as_it_was():
    encoding = OGEAug(4, hidden_channels=4)
    path = from_networkx(nx.path_graph(3))
    distinguishes(encoding, path, path)
    assert encoding.training
    assert encoding.weight.dtype == torch.float32


def test_an_encoding_without_symmetry_is_judged_by_its_own_noise():
    """Noise as large as the difference: nothing may be claimed."""

    class Arbitrary(torch.nn.Module):
        def forward(self, data):
            return torch.rand(data.num_nodes, 4, dtype=torch.float64)

    left, right = from_networkx(nx.cycle_graph(6)), from_networkx(nx.path_graph(6))
    assert not distinguishes(Arbitrary(), left, right).distinguished


def test_score_climbs_the_ladder_and_repeats_itself(tmp_path):
    pairs = [*members("trees"), *members("designs", "(16,6")]
    ladder = [oge_aug_candidate(2, 3, 4), oge_aug_candidate(3, 4, 4)]
    first, second = (list(score(pairs, ladder, copies=1)) for _ in range(2))
    assert [r.by[:7] for r in first] == ["order 2"] * 3 + ["order 3"]
    assert [(r.distance, r.noise) for r in first] == [(r.distance, r.noise) for r in second]
    assert all(r.noise > 0 for r in first)
    assert by_category(first) == {"trees": (3, 3), "designs": (1, 1)}
    write_csv(first, tmp_path / "out.csv")
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert len(lines) == 5
    assert lines[0].startswith("category,pair,nodes,distinguished,by,seed,distance,noise")


@pytest.mark.parametrize("error", [MemoryError, SearchTooLarge])
def test_a_candidate_that_is_too_large_is_passed_over(error):
    def make(in_channels):
        class Hungry(torch.nn.Module):
            def forward(self, data):
                raise error("needs 900 GiB")

        return Hungry()

    (result,) = score(members("trees")[:1], [Candidate("hungry", make)])
    assert not result.distinguished
    assert "needs 900 GiB" in result.reason


@pytest.mark.parametrize(("file", "step"), [("brec_basic.g6", 3), ("brec_regular.g6", 10)])
def test_brec(file, step):
    pairs = read_pairs(table(file))[::step]
    assert all(r.distinguished for r in score(pairs, [oge_aug_candidate(2, 6, 8)], copies=2))


def test_exp():
    pairs = read_pairs(table("exp.csv.gz"))[::60]
    assert all(r.distinguished for r in score(pairs, [oge_aug_candidate(2, 6, 8)], copies=2))
