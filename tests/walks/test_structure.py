"""The numbers that describe the place of a node, against counts by other means."""

from itertools import permutations

import networkx as nx
import pytest
import torch
from torch_geometric.data import Batch, Data
from torch_geometric.utils import from_networkx

from ogeaug.encodings.structure import Structure
from ogeaug.errors import UserError
from ogeaug.transforms.add_structure import AddStructure
from ogeaug.transforms.needed import to_batch
from ogeaug.walks import structure
from ogeaug.walks.structure import structure_numbers
from tests.graphs import HARD


def numbers(data: Data) -> torch.Tensor:
    return structure_numbers(data.edge_index, torch.tensor([data.num_nodes]))


def counts(data: Data) -> torch.Tensor:
    return numbers(data)[:, 19:].expm1()


def test_rings_and_shells_of_a_bicycle():
    graph = nx.cycle_graph(5)
    nx.add_cycle(graph, [0, 5, 6])
    graph.add_edge(6, 7)
    found = counts(from_networkx(graph)).round().int().tolist()
    # rings of 3, 4, 5, 6, 7, 8; nodes 1, 2, ... edges away
    assert found[0] == [1, 0, 1, 0, 0, 0, 4, 3, 0, 0, 0, 0, 0]
    assert found[2] == [0, 0, 1, 0, 0, 0, 2, 2, 2, 1, 0, 0, 0]
    assert found[7] == [0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 0, 0, 0]


def test_rings_of_a_dense_graph_by_trying_all_orders():
    graph = nx.gnp_random_graph(7, 0.6, seed=1)
    found = counts(from_networkx(graph))
    for length in range(3, 8):
        through = [0] * 7
        for order in permutations(range(7), length):
            closed = zip(order, (*order[1:], order[0]), strict=True)
            if all(graph.has_edge(i, j) for i, j in closed):
                for node in order:
                    through[node] += 1
        assert found[:, length - 3].round().tolist() == [c / (2 * length) for c in through]


def test_walks_by_powers_of_the_matrix():
    data = HARD["grid"]
    step = torch.zeros(16, 16, dtype=torch.float64)
    step[data.edge_index[0], data.edge_index[1]] = 1
    step /= step.sum(1, keepdim=True)
    back = [torch.linalg.matrix_power(step, t).diagonal() for t in range(2, 21)]
    torch.testing.assert_close(numbers(data)[:, :19], torch.stack(back, 1))


def test_the_rules_of_edge_lists():
    """Edges twice, in one direction alone, loops and weights change nothing; 0 is no edge."""
    path = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
    loose = Data(edge_index=torch.tensor([[0, 0, 2, 1, 0], [1, 1, 1, 1, 2]]), num_nodes=3)
    loose.edge_weight = torch.tensor([1.0, 2.0, 0.5, 7.0, 0.0])
    found = AddStructure()(loose).structure
    torch.testing.assert_close(found, numbers(path))
    batch = to_batch([loose, loose], [AddStructure()])
    torch.testing.assert_close(batch.structure[:3], found)


@pytest.mark.parametrize("name", ["one node", "no edges", "star", "disconnected"])
def test_finite_and_the_same_after_renumbering(name):
    data = HARD[name]
    perm = torch.randperm(data.num_nodes, generator=torch.Generator().manual_seed(0))
    moved = Data(edge_index=perm[data.edge_index], num_nodes=data.num_nodes)
    found = numbers(data)
    assert found.isfinite().all()
    torch.testing.assert_close(numbers(moved)[perm], found)


def test_a_batch_is_as_its_graphs_one_by_one():
    graphs = [HARD[name] for name in ("grid", "star", "one node", "no edges", "cycle")]
    graphs = [Data(edge_index=g.edge_index, num_nodes=g.num_nodes) for g in graphs]
    batch = to_batch(graphs, [AddStructure()])
    assert torch.equal(batch.structure, torch.cat([AddStructure()(g).structure for g in graphs]))
    encode = Structure(5).eval()
    bare = Batch.from_data_list(graphs)
    torch.testing.assert_close(encode(bare), encode(batch))


def test_what_is_stored_is_read_and_a_changed_graph_refused():
    data = AddStructure()(Data(edge_index=HARD["grid"].edge_index, num_nodes=16))
    encode = Structure(5).eval()
    before = encode(data)
    data.structure = data.structure + 1
    assert not torch.allclose(encode(data), before)
    data.edge_index = data.edge_index[:, 2:]
    with pytest.raises(UserError, match="the graph was changed after AddStructure"):
        encode(data)


def test_too_many_cycles():
    with pytest.raises(UserError, match=r"cycles of at most 8 nodes .* use another encoding"):
        numbers(from_networkx(nx.complete_graph(12)))


def test_too_many_cycles_of_one_graph_of_a_batch(monkeypatch):
    monkeypatch.setattr(structure, "MOST_CYCLES", 3_000)
    batch = Batch.from_data_list([from_networkx(nx.complete_graph(9)), HARD["200 nodes"]])
    with pytest.raises(UserError, match="cycles of at most 8 nodes"):
        structure_numbers(batch.edge_index, torch.tensor([9, 200]))
