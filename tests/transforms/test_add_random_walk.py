"""The transforms that store walks and projections: batched, checked, read by the encodings."""

import pytest
import torch
from torch_geometric.data import Batch

from ogeaug.encodings.edge_rwse import EdgeRWSE
from ogeaug.encodings.hodge1_lap import Hodge1Lap
from ogeaug.encodings.rwse import RWSE
from ogeaug.transforms.add_hodge import AddHodge
from ogeaug.transforms.add_random_walk import AddRandomWalk
from tests.graphs import HARD

GRAPHS = [HARD[name] for name in ("grid", "one node", "no edges", "star", "complete")]
CASES = [
    (AddRandomWalk(9), RWSE(4, steps=6), "random_walk"),
    (AddRandomWalk(9, edges="uniform"), EdgeRWSE(4, steps=6), "edge_walk_uniform"),
    (
        AddRandomWalk(6, edges="endpoint"),
        EdgeRWSE(4, steps=6, walk="endpoint"),
        "edge_walk_endpoint",
    ),
    (AddHodge(5), Hodge1Lap(4, k=3), "edge_hodge"),
    (AddHodge(5, parts=True), Hodge1Lap(4, k=3, network="parts"), "edge_hodge_parts"),
]


@pytest.mark.parametrize(("transform", "encoding", "key"), CASES)
def test_stored_equals_computed(transform, encoding, key):
    encoding.eval()
    stored = Batch.from_data_list([transform(data.clone()) for data in GRAPHS])
    assert key in stored
    plain = Batch.from_data_list([data.clone() for data in GRAPHS])
    assert torch.equal(encoding(stored), encoding(plain))


@pytest.mark.parametrize(("transform", "encoding", "key"), CASES)
def test_stored_is_read_and_not_computed(transform, encoding, key):
    encoding.eval()
    for weight in encoding.parameters():  # positive, so that no ReLU is shut by the draw
        weight.data.abs_()
    data = transform(HARD["grid"].clone())
    before = encoding(data)
    data[key] = data[key] * 0.5
    assert (encoding(data) - before).abs().max() > 0


@pytest.mark.parametrize(("transform", "encoding", "key"), CASES)
def test_encodings_declare_the_same(transform, encoding, key):
    (own,) = encoding.transforms()
    data = own(HARD["grid"].clone())
    assert own.stores == (key,)
    assert torch.equal(data[key], transform(HARD["grid"].clone())[key][:, : data[key].size(1)])


@pytest.mark.parametrize(("transform", "encoding", "key"), CASES)
def test_stale_or_short_statistics_are_refused(transform, encoding, key):
    data = transform(HARD["grid"].clone())
    data[key] = data[key][:-1]
    with pytest.raises(ValueError, match="Was the graph changed after"):
        encoding(data)
    data[key] = transform(HARD["grid"].clone())[key][:, :2]
    with pytest.raises(ValueError, match=f"data.{key} has 2 columns, the encoding wants"):
        encoding(data)
    data[key] = transform(HARD["grid"].clone())[key] * torch.nan
    with pytest.raises(ValueError, match="NaN"):
        encoding(data)


def test_repr_tells_all_arguments():
    assert repr(AddHodge(3)) == "AddHodge(k=3, directed='symmetrize')"
    assert "edges='uniform'" in repr(AddRandomWalk(3, edges="uniform"))
    assert "nodes=False" in repr(AddRandomWalk(3, edges="uniform", nodes=False))


def test_walks_on_edges_alone():
    data = AddRandomWalk(3, edges="uniform", nodes=False)(HARD["grid"].clone())
    assert "random_walk" not in data
    assert data.edge_walk_uniform.shape == (data.num_edges, 3)
    with pytest.raises(ValueError, match="neither nodes nor edges"):
        AddRandomWalk(3, nodes=False)


def test_errors_tell_what_is_wrong():
    with pytest.raises(TypeError, match=r"takes one homogeneous graph \(Data\), got DataBatch"):
        AddRandomWalk(3)(Batch.from_data_list([HARD["grid"].clone()]))
    with pytest.raises(ValueError, match=r"edges .* must be one of"):
        AddRandomWalk(3, edges="all")
    with pytest.raises(ValueError, match="steps"):
        AddRandomWalk(0)
    with pytest.raises(ValueError, match="k must be"):
        AddHodge(0)
