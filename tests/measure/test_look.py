"""What the page looks at does not depend on the choice of eigenvectors."""

import pytest
import torch

from ogeaug import OGEAug
from ogeaug.measure.invariance import change_basis, own_spectrum, with_spectrum
from ogeaug.measure.look import look_at
from tests.graphs import HARD


def make(**options):
    torch.manual_seed(0)
    return OGEAug(8, hidden_channels=8, **options).double().eval()


@pytest.mark.parametrize("name", ["complete", "rook", "star"])
def test_clusters_and_projectors_of_another_basis_are_the_same(name):
    data, encode = HARD[name], make()
    turned = with_spectrum(data, change_basis(own_spectrum(encode, data)))
    one, other = look_at(encode, data), look_at(encode, turned)
    assert torch.equal(one.cluster, other.cluster)
    assert (one.eigvecs - other.eigvecs).abs().max() > 0.1
    for cluster in range(one.num_clusters):
        torch.testing.assert_close(one.projector(cluster), other.projector(cluster))
    torch.testing.assert_close(one.features, other.features)


def test_projectors_add_up_to_one():
    data = HARD["rook"]
    found = look_at(make(), data)
    total = sum(found.projector(c) for c in range(found.num_clusters))
    torch.testing.assert_close(total, torch.eye(16, dtype=torch.float64))


def test_a_wide_window_makes_one_cluster_and_sees_more():
    data = HARD["rook"]
    wide, narrow = look_at(make(delta=30.0), data), look_at(make(delta=0.01), data)
    assert wide.num_clusters == 1
    assert bool((wide.sees > 0).all())
    assert narrow.cluster.bincount().tolist() == [1, 6, 9]
    same = narrow.cluster[:, None] == narrow.cluster
    assert torch.equal(narrow.sees > 0, same)
    torch.testing.assert_close(narrow.sees[same], torch.ones(118, dtype=torch.float64))


def test_a_cluster_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="clusters 0 to 2, got 3"):
        look_at(make(), HARD["rook"]).projector(3)
