"""A stored spectrum or statistic is never used for another graph, and never refused for its own."""

import copy
import pickle

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import AddSelfLoops, GCNNorm, ToUndirected

import ogeaug.spectrum.digest as digest
from ogeaug import AddSpectrum
from ogeaug.encodings.edge_rwse import EdgeRWSE
from ogeaug.encodings.hodge1_lap import Hodge1Lap
from ogeaug.encodings.rwse import RWSE
from ogeaug.native import build
from ogeaug.spectrum.digest import digest_graphs, digest_plainly
from ogeaug.spectrum.pyg import read_spectra
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.transforms.add_hodge import AddHodge
from ogeaug.transforms.add_random_walk import AddRandomWalk
from tests.graphs import HARD, graphs
from tests.torture import tries

CHANGED = "changed after|do not fit|rows for"


def spectra(data):
    return read_spectra(data, SpectrumOptions(), training=True)


READ = {
    "spectrum": (AddSpectrum(), spectra),
    "noisy spectrum": (AddSpectrum(noise=1e-5, permute=True), spectra),
    "few eigenpairs": (AddSpectrum(k=3), spectra),
    "other matrix": (AddSpectrum(normalization="sym"), spectra),
    "walks": (AddRandomWalk(4), RWSE(2, steps=4).eval()),
    "walks on edges": (AddRandomWalk(4, edges="endpoint"), EdgeRWSE(2, steps=4, walk="endpoint")),
    "projections": (AddHodge(2), Hodge1Lap(2, k=2)),
}
each = pytest.mark.parametrize(("add", "read"), READ.values(), ids=READ.keys())


def renumbered(data):
    data.edge_index = (data.edge_index + 1) % data.num_nodes
    return data


def rewired(data):
    """The edge 0 - 1 becomes 0 - 5."""
    i, j = data.edge_index
    data.edge_index = torch.stack(
        [torch.where((i == 1) & (j == 0), 5, i), torch.where((j == 1) & (i == 0), 5, j)]
    )
    return data


def weighted(data):
    data.edge_weight = torch.full((data.edge_index.size(1),), 1.001)
    return data


def with_a_node_more(data):
    data.num_nodes += 1
    return data


def subgraph(data):
    return data.subgraph(torch.arange(7))


CHANGES = (renumbered, rewired, weighted, with_a_node_more, subgraph, GCNNorm(False))


@each
@pytest.mark.parametrize("change", CHANGES, ids=lambda c: getattr(c, "__name__", "GCNNorm"))
def test_a_changed_graph_is_refused(add, read, change):
    data = change(add(HARD["path"].clone()))
    with pytest.raises(ValueError, match=CHANGED):
        read(data)


@each
def test_a_changed_weight_is_refused(add, read):
    data = add(HARD["weighted"].clone())
    read(data)
    data.edge_weight = data.edge_weight * torch.linspace(1, 1.00001, len(data.edge_weight))
    with pytest.raises(ValueError, match=CHANGED):
        read(data)


@each
def test_graphs_of_a_batch_are_checked_one_by_one(add, read):
    """One graph gains the edge that another loses."""
    batch = Batch.from_data_list([add(HARD["path"].clone()) for _ in range(2)])
    read(batch)
    moved = batch.clone()
    ends = moved.edge_index.T.tolist()
    for old, new in (([0, 1], [9, 17]), ([1, 0], [17, 9])):
        moved.edge_index[:, ends.index(old)] = torch.tensor(new)
    with pytest.raises(ValueError, match=CHANGED):
        read(moved)
    batch.edge_index = batch.edge_index.flip(0)  # the same edges, other columns
    if read is spectra:
        read(batch)


def loaded(data):
    (batch,) = DataLoader([data], batch_size=1, num_workers=1)
    return batch


def single(data):
    if "edge_weight" in data:
        data.edge_weight = data.edge_weight.float()
    return data


def narrow(data):
    data.edge_index = data.edge_index.int()
    return data


def sorted_columns(data):
    return data.sort(sort_by_row=False)


SAME = {
    "clone": lambda data: data.clone(),
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "pickle": lambda data: pickle.loads(pickle.dumps(data)),
    "move": lambda data: data.to("cpu"),
    "batch": lambda data: Batch.from_data_list([another(data), data]),
    "unbatch": lambda data: Batch.from_data_list([data, data]).to_data_list()[1],
    "worker": loaded,
    "float32 weights": single,
    "narrow integers": narrow,
    "sorted columns": sorted_columns,
    "features": lambda data: data.update({"x": torch.ones(data.num_nodes, 1)}),
}


def another(data):
    """Another graph with the same things on it."""
    other = HARD["weighted" if "edge_weight" in data else "cycle"].clone()
    for add, _ in READ.values():
        keys = set(add(other.clone()).keys())
        if keys == set(data.keys()):
            return add(other)
    raise AssertionError("no such transform")


@each
@pytest.mark.parametrize("name", ["path", "weighted", "one node", "no edges", "complete"])
def test_what_leaves_the_graph_as_it_is_raises_no_alarm(add, read, name):
    for same in SAME.values():
        read(same(add(HARD[name].clone())))


@each
def test_a_graph_made_undirected_before(add, read):
    half = Data(edge_index=torch.tensor([[0, 1, 2], [1, 2, 3]]), num_nodes=4)
    read(add(ToUndirected()(half)))
    read(add(half))  # and one that is not


def test_self_loops_do_not_matter_to_a_laplacian():
    spectra(AddSelfLoops()(AddSpectrum()(HARD["path"].clone())))


@each
def test_columns_in_another_order(add, read):
    """They are the same graph, but rows that belong to columns must have moved along."""
    data = add(HARD["star"].clone())
    data.edge_index = data.edge_index.roll(1, dims=1)
    if isinstance(read, EdgeRWSE | Hodge1Lap):
        with pytest.raises(ValueError, match=CHANGED):
            read(data)
    else:
        read(data)


def test_spectra_stored_by_earlier_versions_are_checked_by_their_number_of_edges():
    data = [AddSpectrum()(HARD[name].clone()) for name in ("path", "star")]
    for each in data:
        each.spectrum_recipe[0, 4] = each.edge_index.size(1)
    spectra(data[0])
    batch = Batch.from_data_list([*data, AddSpectrum()(HARD["cycle"].clone())])
    spectra(batch)
    batch.spectrum_recipe[0, 4] += 1
    batch.spectrum_recipe[1, 4] -= 1
    with pytest.raises(ValueError, match="graph 0 of the batch was changed after AddSpectrum"):
        spectra(batch)


def test_spectra_made_by_hand_are_not_checked():
    data = AddSpectrum()(HARD["path"].clone())
    del data["spectrum_recipe"]
    spectra(renumbered(data))


@pytest.mark.torture
@settings(max_examples=tries(25, 2000))
@given(graphs(), graphs(), st.booleans(), st.integers(0, 1000))
@pytest.mark.skipif(not build.available(), reason="no C++ compiler here")
def test_the_core_and_pytorch_agree(one, two, weights, seed):
    """Also with parallel edges, loops, signed weights, and edges in any order."""
    torch.manual_seed(seed)
    sizes = torch.tensor([one.num_nodes, two.num_nodes])
    extra = torch.randint(0, one.num_nodes, (2, 3))
    edges = torch.cat([one.edge_index, extra, two.edge_index + one.num_nodes], 1)
    order = torch.randperm(edges.size(1))
    weight = torch.randn(edges.size(1)).double() * 10.0 ** torch.randint(-40, 12, (edges.size(1),))
    weight = weight.clamp(-1e12, 1e12) if weights else None
    found, tags = digest_graphs(edges, sizes, weight, tags=True)
    plain, plain_tags = digest_plainly(edges, sizes, weight, tags=True)
    assert found.tolist() == plain.tolist()
    assert tags.tolist() == plain_tags.tolist()
    assert (found < 0).all()
    shuffled = None if weight is None else weight[order]
    again, moved = digest_graphs(edges[:, order], sizes, shuffled, tags=True)
    assert again.tolist() == found.tolist()
    assert moved.tolist() == tags[order].tolist()
    last = edges.size(1) - two.edge_index.size(1)
    own = None if weight is None else weight[last:]
    alone, _ = digest_graphs(two.edge_index, sizes[1:], own)
    assert alone.tolist() == found[1:].tolist()


@pytest.mark.torture
def test_one_bit_of_difference_is_seen():
    """No two of many small graphs that differ in one edge, node or weight have one digest."""
    seen = set()
    count = 0
    for n in range(2, tries(9, 40)):
        for i in range(n):
            for j in range(n):
                for w in (0.0, 0.5, 1.0, -1.0, 2.0):
                    if i == j:
                        continue
                    edge, weight = torch.tensor([[i], [j]]), torch.tensor([w])
                    seen.add(int(digest_graphs(edge, torch.tensor([n]), weight)[0]))
                    count += 1
    assert len(seen) == count


def test_without_the_core(monkeypatch):
    monkeypatch.setattr(digest, "load_if_built", lambda: None)
    data = AddSpectrum()(HARD["weighted"].clone())
    spectra(data)
    with pytest.raises(ValueError, match=CHANGED):
        spectra(renumbered(data))
