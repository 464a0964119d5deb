"""OGEPairs: the filters by a plain loop, batches, edges in any order and direction."""

import math

import networkx as nx
import pytest
import torch
from torch_geometric.data import Batch, Data

from ogeaug import AddSpectrum, compute_spectrum
from ogeaug.encodings.oge_pairs import OGEPairs
from tests.graphs import to_data


def by_a_loop(data, k=None, delta=0.05):
    """The invariants as the docstring writes them."""
    found = compute_spectrum(data.edge_index, data.num_nodes, k=k)
    v, eigvals = found.eigvecs, found.eigvals.tolist()
    omega = [10 ** (math.log10(0.5) + m * math.log10(40) / 15) for m in range(16)]

    def filtered(m, i, j):
        total = 0.0
        for place, value in enumerate(eigvals):
            room = min(found.cutoff - value, delta)
            s = 1 - (1 + math.cos(math.pi * room / delta)) / 2
            wave = math.cos(omega[m] * math.log1p(max(value, 0)))
            total += s**2 * wave * float(v[i, place] * v[j, place])
        return total

    rows = []
    for i, j in data.edge_index.T.tolist():
        pairs = [filtered(m, i, j) for m in range(16)]
        ends = [filtered(m, i, i) + filtered(m, j, j) for m in range(16)]
        rows.append(pairs + ends)
    return torch.tensor(rows, dtype=torch.float64)


@pytest.mark.parametrize("k", [None, 4])
def test_invariants_are_those_of_the_docstring(k):
    data = to_data(nx.lollipop_graph(4, 3))
    encode = OGEPairs(8, k=k)
    found = encode.invariants(encode.read_spectra(data), data.edge_index)
    torch.testing.assert_close(found, by_a_loop(data, k), atol=1e-9, rtol=0)


def test_both_directions_and_any_order():
    data = to_data(nx.lollipop_graph(4, 3))
    encode = OGEPairs(8).double().eval()
    z = encode(data)
    back = {tuple(pair): row for row, pair in enumerate(data.edge_index.T.tolist())}
    swapped = [back[j, i] for i, j in data.edge_index.T.tolist()]
    torch.testing.assert_close(z, z[swapped])
    order = torch.randperm(data.num_edges, generator=torch.Generator().manual_seed(0))
    mixed = Data(edge_index=data.edge_index[:, order], num_nodes=data.num_nodes)
    torch.testing.assert_close(encode(mixed), z[order])


def test_edges_of_a_batch_in_any_order():
    graphs = [to_data(graph) for graph in (nx.path_graph(3), nx.empty_graph(2), nx.cycle_graph(5))]
    encode = OGEPairs(8).double().eval()
    alone = torch.cat([encode(graph) for graph in graphs])
    batch = Batch.from_data_list([AddSpectrum()(graph) for graph in graphs])
    torch.testing.assert_close(encode(batch), alone)
    order = torch.randperm(batch.num_edges, generator=torch.Generator().manual_seed(0))
    batch.edge_index = batch.edge_index[:, order]
    torch.testing.assert_close(encode(batch), alone[order])


def test_edges_between_graphs_are_refused():
    encode = OGEPairs(8)
    spectra = encode.read_spectra(
        Batch.from_data_list([to_data(nx.path_graph(3)), to_data(nx.path_graph(2))])
    )
    with pytest.raises(ValueError, match="two graphs of the batch"):
        encode.invariants(spectra, torch.tensor([[0, 2], [1, 3]]))


def test_no_edges_in_training():
    assert OGEPairs(8)(to_data(nx.empty_graph(3))).shape == (0, 8)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32])
def test_narrow_integers(dtype):
    data = to_data(nx.lollipop_graph(4, 3))
    narrow = Data(edge_index=data.edge_index.to(dtype), num_nodes=data.num_nodes)
    encode = OGEPairs(8).eval()
    assert torch.equal(encode(narrow), encode(data))
