"""BasisNet: its projectors and eigenspaces; the IGN against dense formulas."""

import networkx as nx
import pytest
import torch
from torch_geometric.data import Batch

from ogeaug import compute_spectrum
from ogeaug.encodings.basisnet import BasisNet
from ogeaug.encodings.eigenspaces import find_spaces, project
from ogeaug.encodings.ign import IGN, EquivariantLinear
from ogeaug.spectrum.spectra import SpectrumBatch
from tests.graphs import HARD, to_data


def test_spaces_and_projectors():
    graphs = [HARD["grid"], HARD["complete"], HARD["path"]]
    spectra = [compute_spectrum(g.edge_index, g.num_nodes) for g in graphs]
    stacked = SpectrumBatch.stack(spectra)
    spaces = find_spaces(stacked, 1e-6)
    expected = [(g, s) for g, x in enumerate(spectra) for s in x.eigenspaces()]
    assert spaces.graph.tolist() == [g for g, _ in expected]
    assert spaces.multiplicity.tolist() == [s.stop - s.start for _, s in expected]
    start = [0, 16, 24]
    for s, (g, columns) in enumerate(expected):
        V = spectra[g].eigvecs[:, columns]
        n = V.size(0)
        found, node = project(stacked, spaces, torch.tensor([s]), n)
        torch.testing.assert_close(found, (n * V @ V.T)[None, ..., None])
        assert node.tolist() == [list(range(start[g], start[g] + n))]


def test_linear_layer_equals_plain_loops():
    layer = EquivariantLinear(2, 3, extra_channels=1).double()
    x, extra = torch.randn(2, 4, 4, 2).double(), torch.randn(2, 1).double()
    found = layer(x, extra)
    same, turned = layer.pair.weight.chunk(2)
    for m, matrix in enumerate(x):
        means = torch.cat([matrix.diagonal(dim1=0, dim2=1).mean(1), matrix.mean((0, 1)), extra[m]])
        c, e = layer.of_matrix(means).chunk(2)
        for i in range(4):
            for j in range(4):
                ends = [
                    layer.at_index(
                        torch.cat([matrix[k, k], matrix[k].mean(0), matrix[:, k].mean(0)])
                    ).chunk(3)
                    for k in (i, j)
                ]
                y = same @ matrix[i, j] + turned @ matrix[j, i] + ends[0][0] + ends[1][1] + c
                y = y + (ends[0][2] + e if i == j else 0)
                torch.testing.assert_close(found[m, i, j], y)


def test_ign_is_equivariant():
    ign = IGN(8, 2).double()
    x, perm = torch.randn(1, 5, 5, 1, dtype=torch.float64), torch.randperm(5)
    extra = torch.ones(1, 1, dtype=torch.float64)
    torch.testing.assert_close(ign(x[:, perm][:, :, perm], extra), ign(x, extra)[:, perm])


def test_each_multiplicity_has_its_network():
    model = BasisNet(4, hidden_channels=8, max_multiplicity=3)

    def used(graph):
        model.zero_grad()
        model(to_data(graph)).sum().backward()
        return [any(p.grad is not None for p in phi.parameters()) for phi in model.phi]

    assert used(nx.path_graph(4)) == [True, False, False]
    assert used(nx.cycle_graph(4)) == [True, True, False]
    # A multiplicity of 3 and, never mentioned anywhere, one of 7 share the last network.
    assert used(nx.complete_graph(4)) == [True, False, True]
    assert used(nx.complete_graph(8)) == [True, False, True]


@pytest.mark.parametrize("options", [{}, {"network": "authors", "max_multiplicity": 2}])
def test_an_empty_spectrum_is_encoded(options):
    # All five eigenvalues of a graph without edges are 0: k = 2 leaves the whole eigenspace out.
    model = BasisNet(4, hidden_channels=8, k=2, **options).eval()
    batch = Batch.from_data_list([HARD["no edges"].clone(), HARD["no edges"].clone()])
    assert model(batch).shape == (10, 4)


def test_errors_tell_what_is_wrong():
    with pytest.raises(ValueError, match="max_multiplicity must be at least 1"):
        BasisNet(4, max_multiplicity=0)
    with pytest.raises(ValueError, match="tolerance must be positive"):
        BasisNet(4, tolerance=0.0)
    with pytest.raises(ValueError, match="needs k of at least max_multiplicity=3, got None"):
        BasisNet(4, network="authors")
