"""What encodings need: declared by each, merged for all, added to graphs or batches alike."""

import pytest
import torch
from torch import nn
from torch_geometric.data import Batch
from torch_geometric.transforms import BaseTransform, Compose

from ogeaug import AddSpectrum
from ogeaug.encodings import RWSE, SPE, EdgeRWSE, Hodge1Lap, NoEncoding, OGEAug
from ogeaug.encodings.latent import LatentOGEAug
from ogeaug.transforms import AddHodge, AddRandomWalk
from ogeaug.transforms.needed import declared, needed, to_batch
from tests.encodings.cases import CASES
from tests.graphs import HARD

GRAPHS = [HARD[name] for name in ("grid", "one node", "no edges", "star", "complete")]


def test_equal_needs_count_once_and_the_largest_serves_all():
    found = needed(
        [
            *[SPE(4), OGEAug(4), RWSE(4, steps=4), RWSE(4, steps=9)],
            *[EdgeRWSE(4, steps=5), EdgeRWSE(4, steps=3), EdgeRWSE(4, steps=2, walk="endpoint")],
            *[Hodge1Lap(4, k=2), Hodge1Lap(4, k=5), NoEncoding(4)],
        ]
    )
    assert [repr(transform) for transform in found] == [
        repr(AddSpectrum()),
        repr(AddRandomWalk(9)),
        repr(AddRandomWalk(5, "uniform", nodes=False)),
        repr(AddRandomWalk(2, "endpoint", nodes=False)),
        repr(AddHodge(5)),
    ]


@pytest.mark.parametrize(
    "encodings",
    [
        (OGEAug(4), OGEAug(4, k=3)),
        (OGEAug(4), SPE(4, normalization="sym")),
        (RWSE(4), RWSE(4, directed="refuse")),
        (Hodge1Lap(4), Hodge1Lap(4, directed="refuse")),
    ],
)
def test_a_conflict_is_told_and_nothing_is_stored(encodings):
    (group,) = declared(encodings)
    assert len(group) == 2
    assert needed(encodings) == []
    assert len(needed([*encodings, EdgeRWSE(4)])) == 1


@pytest.mark.parametrize("name", CASES)
def test_a_batch_gets_what_its_graphs_would_bring(name, dtype):
    torch.manual_seed(0)
    encoding = CASES[name].make().to(dtype).eval()
    graphs = [data.clone() for data in GRAPHS]
    for data in graphs:
        data.x = torch.ones(data.num_nodes, 3, dtype=dtype)
    plain = encoding(Batch.from_data_list(graphs))
    before = Batch.from_data_list([Compose(encoding.transforms())(data) for data in graphs])
    batch = to_batch(graphs, needed([encoding]))
    assert torch.equal(encoding(batch), plain)
    assert torch.equal(encoding(before), plain)
    stored = {name for transform in needed([encoding]) for name in transform.stores}
    assert stored <= set(batch.keys())
    assert all("eigvals" not in data for data in graphs), "the graphs stay as they are"


def test_an_encoding_that_learns_its_laplacian_needs_nothing():
    assert LatentOGEAug(4, in_channels=3).transforms() == NoEncoding(4).transforms() == []


class Numbered(BaseTransform):
    """A transform that is not ours: of single graphs."""

    def forward(self, data):
        data.number = torch.arange(data.num_nodes)
        return data


class Own(nn.Module):
    def __init__(self, transform):
        super().__init__()
        self.transform = transform

    def transforms(self):
        return [self.transform]


def test_transforms_of_a_user_are_applied_to_each_graph():
    one, other = Numbered(), Numbered()
    assert needed([Own(one), Own(one), Own(other), nn.Identity()]) == [one, other]
    batch = to_batch(GRAPHS, needed([Own(one), OGEAug(4)]))
    assert batch.number.tolist() == [i for data in GRAPHS for i in range(data.num_nodes)]
    assert "eigvals" in batch


def test_noise_is_not_for_batches():
    with pytest.raises(ValueError, match="drawn for each graph"):
        to_batch(GRAPHS, [AddSpectrum(noise=1e-5)])
