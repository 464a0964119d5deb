"""LapPE: random signs in training only; the first eigenvector is left out."""

import networkx as nx
import torch
from torch_geometric.data import Batch
from torch_geometric.transforms import AddLaplacianEigenvectorPE

from ogeaug import compute_spectrum
from ogeaug.encodings.lap_pe import LapPE, lowest_columns
from ogeaug.spectrum.spectra import SpectrumBatch
from tests.graphs import HARD, to_data


def test_signs_are_random_in_training_only():
    encoding, data = LapPE(4, k=3), HARD["path"]
    assert not torch.equal(encoding(data), encoding(data))
    encoding.eval()
    assert torch.equal(encoding(data), encoding(data))


def test_each_graph_and_eigenvector_has_its_own_sign():
    encoding = LapPE(4, k=1, hidden_channels=16).train()
    batch = Batch.from_data_list([HARD["path"].clone() for _ in range(20)])
    with torch.no_grad():
        found = encoding(batch).view(20, 9, 4)
    apart = (found - found[0]).abs().amax((1, 2)) > 1e-6
    assert 0 < apart.sum() < 20  # some have the sign of the first, some the other


def test_columns_equal_pyg_but_for_signs():
    data = to_data(nx.lollipop_graph(5, 6))  # no repeated eigenvalue among the lowest five
    expected = AddLaplacianEigenvectorPE(4, attr_name="pe")(data.clone()).pe
    spectrum = compute_spectrum(data.edge_index, data.num_nodes, normalization="sym")
    found = lowest_columns(SpectrumBatch.stack([spectrum]), 4)[1]
    torch.testing.assert_close(found.abs().float(), expected.abs(), atol=1e-5, rtol=1e-5)


def test_columns_against_plain_loops():
    graphs = [to_data(nx.path_graph(n)) for n in (2, 5, 3)]
    spectra = [compute_spectrum(g.edge_index, g.num_nodes) for g in graphs]
    eigvals, eigvecs = lowest_columns(SpectrumBatch.stack(spectra), 3)
    row = 0
    for g, spectrum in enumerate(spectra):
        used = min(3, spectrum.num_eigvals - 1)
        expected = torch.zeros(spectrum.num_nodes, 3, dtype=torch.float64)
        expected[:, :used] = spectrum.eigvecs[:, 1 : used + 1]
        assert torch.equal(eigvecs[row : row + spectrum.num_nodes], expected)
        assert torch.equal(eigvals[g, :used], spectrum.eigvals[1 : used + 1])
        row += spectrum.num_nodes
