"""What is drawn for a batch."""

import torch

from ogeaug.spectrum.noise import draw

SIZES = [5, 1, 0, 7, 3]


def test_each_graph_is_renumbered_on_its_own():
    seen = set()
    for seed in range(20):
        torch.manual_seed(seed)
        place = draw(SIZES, 0.0, True).place
        for part, n in zip(place.split(SIZES), SIZES, strict=True):
            assert sorted(part.tolist()) == list(range(n))
        seen.add(tuple(place.tolist()))
    assert len(seen) == 20


def test_all_orders_are_equally_likely():
    torch.manual_seed(0)
    place = draw([3] * 6000, 0.0, True).place.view(-1, 3)
    counts = torch.unique(place, dim=0, return_counts=True)[1]
    assert len(counts) == 6
    assert (counts - 1000).abs().max() < 150  # five standard deviations
