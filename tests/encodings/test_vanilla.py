"""Multiplicities: own networks, unseen ones, and the jump that the stable encodings avoid."""

import pytest
import torch
from torch_geometric.data import Data

from ogeaug import VanillaOGEAug
from ogeaug.errors import UserError
from ogeaug.model.config import ModelConfig
from ogeaug.pointclouds import InnerProductCloud
from ogeaug.training.from_data import fill_in_options
from tests.graphs import HARD


def make(**options):
    return VanillaOGEAug(6, make_f=lambda: InnerProductCloud(8), **options).double()


def test_multiplicities_never_seen_in_training_use_the_shared_network():
    model = make(max_multiplicity=8)
    model(HARD["path"])  # in training; all eigenvalues of a path are simple
    assert model.seen.tolist() == [True] + [False] * 7
    model.eval()
    points = torch.randn(8, 3, dtype=torch.float64)
    torch.testing.assert_close(model.f(points), model.shared(points))
    one = torch.randn(8, 1, dtype=torch.float64)
    torch.testing.assert_close(model.f(one), model.shared(one) + model.own[0](one))
    assert model(HARD["complete"]).isfinite().all()


def test_untrained_networks_use_all_of_their_parts():
    model = make(max_multiplicity=3).eval()
    points = torch.randn(8, 3, dtype=torch.float64)
    assert (model.f(points) - model.shared(points)).abs().max() > 1e-3


def test_large_multiplicities_use_the_shared_network():
    model = make(max_multiplicity=1)
    points = torch.randn(8, 3, dtype=torch.float64)
    torch.testing.assert_close(model.f(points), model.shared(points))


def test_seen_multiplicities_are_saved():
    model, other = make(), make()
    model(HARD["cycle"])
    other.load_state_dict(model.state_dict())
    assert other.seen.tolist() == [True, True, False, False]


def test_jumps_where_an_eigenspace_splits():
    cycle = HARD["cycle"]
    weight = torch.ones(cycle.num_edges, dtype=torch.float64)
    weight[(cycle.edge_index.sum(0) == 1)] += 1e-4  # the edge 0 - 1
    split = Data(edge_index=cycle.edge_index, edge_weight=weight, num_nodes=12)
    model = make().eval()
    assert (model(split) - model(cycle)).abs().max() > 1e-2


def test_bad_arguments():
    with pytest.raises(ValueError, match="max_multiplicity"):
        make(max_multiplicity=-1)
    with pytest.raises(ValueError, match="positive"):
        make(tolerance=0.0)


def test_every_multiplicity_of_the_training_data_has_its_own_network():
    """K8 has eigenvalues of multiplicity 1 and 7: two networks, and the shared one for all else."""
    graphs = [HARD["complete"], HARD["path"]]
    options = VanillaOGEAug.options_from_data({"multiplicities": "data"}, graphs)
    assert options == {"multiplicities": [1, 7]}
    model = make(**options)
    assert len(model.own) == 2
    for p, own in ((1, model.own[0]), (7, model.own[1])):
        points = torch.randn(8, p, dtype=torch.float64)
        torch.testing.assert_close(model.f(points), model.shared(points) + own(points))
    points = torch.randn(8, 2, dtype=torch.float64)
    torch.testing.assert_close(model.f(points), model.shared(points))


def test_the_configuration_is_written_with_what_the_data_have():
    encoding = {"name": "vanilla", "out_channels": 4, "multiplicities": "data", "tolerance": 1e-5}
    config = ModelConfig(encodings=[encoding])
    filled = fill_in_options(config, [HARD["cycle"]])
    assert filled.encodings[0].options == {"multiplicities": [1, 2], "tolerance": 1e-5}
    assert fill_in_options(filled, [HARD["complete"]]) is filled


@pytest.mark.parametrize(
    ("given", "message"), [("data", "is for training"), ([0], "at least 1"), ([1.5], "at least 1")]
)
def test_bad_multiplicities(given, message):
    with pytest.raises(UserError, match=message):
        make(multiplicities=given)
