"""What moves an encoding, and what must not."""

import networkx as nx
import pytest
import torch

from ogeaug.encodings import make_encoding
from ogeaug.measure.named_graphs import from_networkx
from ogeaug.measure.shaking import Shake, shake

RING = from_networkx(nx.cycle_graph(12))


def moved(name, how, data=RING):
    torch.manual_seed(0)
    return shake(make_encoding(name, 8).double().eval(), data, how)


def test_nothing_done_nothing_moves():
    assert moved("lap_pe", Shake()).change == 0


@pytest.mark.parametrize("how", [Shake(basis=3), Shake(renumber=3), Shake(basis=1, renumber=2)])
def test_basis_and_numbers_move_lap_pe_and_not_oge_aug(how):
    assert moved("oge_aug", how).change < 1e-9
    assert moved("lap_pe", how).change > 0.01


def test_little_noise_moves_oge_aug_a_little_and_makes_the_others_jump():
    how = Shake(noise=1e-4)
    assert 0 < moved("oge_aug", how).change < 1e-2
    assert moved("spe", how).change < 1e-2
    for name in ("lap_pe", "vanilla"):
        assert moved(name, how).change > 0.01, name


def test_renumbered_features_stand_in_their_old_places():
    star = from_networkx(nx.star_graph(5))
    found = moved("oge_aug", Shake(renumber=1), star)
    torch.testing.assert_close(found.before, found.after)
    assert not torch.allclose(found.after[0], found.after[1])


def test_more_noise_in_the_same_direction_moves_further():
    sizes = [moved("oge_aug", Shake(noise=size)).change for size in (1e-6, 1e-4, 1e-2)]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("wrong", [{"noise": -1.0}, {"noise": float("nan")}, {"basis": -1}])
def test_nonsense_is_refused(wrong):
    with pytest.raises(ValueError, match="at least 0"):
        Shake(**wrong)
