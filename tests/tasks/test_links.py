"""Link ranks: by hand, and against a plain loop."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ogeaug.tasks import link_metrics


def by_loop(scores, links):
    pairs = list(zip(*links.tolist(), strict=True))
    sums = dict.fromkeys(
        ("mrr", "mrr_filtered", "mrr_extended", "hits@1", "hits@3", "hits@10"), 0.0
    )
    for i, j in pairs:
        for name in ("mrr", "mrr_filtered", "mrr_extended"):
            rank = 1.0
            for k in range(len(scores)):
                if k == j:
                    continue
                if name != "mrr" and (i, k) in pairs:
                    continue
                if name == "mrr_extended" and k == i:
                    continue
                if scores[i, k] > scores[i, j]:
                    rank += 1
                elif scores[i, k] == scores[i, j]:
                    rank += 0.5
            sums[name] += 1 / rank
            if name == "mrr":
                for most in (1, 3, 10):
                    sums[f"hits@{most}"] += rank <= most
    return {name: total / max(1, len(pairs)) for name, total in sums.items()}


def test_by_hand():
    """Node 0 scores itself 5, then 3 at 4, 2 at 9 and 1 at 1; its links are 1 and 2."""
    scores = torch.full((4, 4), -1.0)
    scores[0] = torch.tensor([5.0, 1.0, 9.0, 4.0])
    found = link_metrics(scores, torch.tensor([[0, 0], [1, 2]]))
    # node 1: behind 2, 0, 3 -> 4; without 2 -> 3; without 0 -> 2. Node 2: first in all.
    assert found["mrr"] == pytest.approx((1 / 4 + 1) / 2)
    assert found["mrr_filtered"] == pytest.approx((1 / 3 + 1) / 2)
    assert found["mrr_extended"] == pytest.approx((1 / 2 + 1) / 2)
    assert (found["hits@1"], found["hits@3"], found["hits@10"]) == (0.5, 0.5, 1.0)


@given(st.integers(1, 7), st.integers(0, 9), st.integers(0, 1000), st.booleans())
def test_against_a_loop(n, count, seed, ties):
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(n, n, generator=generator, dtype=torch.float64)
    scores = scores.round() if ties else scores
    links = torch.randint(0, n, (2, count), generator=generator).unique(dim=1)
    assert link_metrics(scores, links) == pytest.approx(by_loop(scores, links))


def test_a_graph_without_links_counts_nothing():
    found = link_metrics(torch.eye(3), torch.empty(2, 0, dtype=torch.long))
    assert set(found.values()) == {0.0}


@pytest.mark.parametrize(
    ("scores", "links", "message"),
    [
        (torch.zeros(2, 3), torch.zeros(2, 1, dtype=torch.long), r"\[n, n\]"),
        (torch.zeros(2, 2), torch.zeros(1, 2, dtype=torch.long), r"\[2, P\]"),
        (torch.zeros(2, 2), torch.tensor([[0], [2]]), "there are 2"),
        (torch.full((2, 2), torch.nan), torch.tensor([[0], [1]]), "NaN"),
    ],
)
def test_bad_input_is_refused(scores, links, message):
    with pytest.raises(ValueError, match=message):
        link_metrics(scores, links)
