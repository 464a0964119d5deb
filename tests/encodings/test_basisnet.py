"""BasisNet: its projectors and eigenspaces; the IGN against dense formulas."""

import networkx as nx
import pytest
import torch
from torch_geometric.data import Batch

from ogeaug import compute_spectrum
from ogeaug.encodings.basisnet import BasisNet, find_spaces, project
from ogeaug.encodings.ign import IGN, EquivariantLinear, lay_out_squares
from ogeaug.spectrum.record import SpectrumBatch
from tests.graphs import HARD, to_data


def test_spaces_and_projectors():
    graphs = [HARD["grid"], HARD["complete"], HARD["path"]]
    spectra = [compute_spectrum(g.edge_index, g.num_nodes) for g in graphs]
    stacked = SpectrumBatch.stack(spectra)
    spaces = find_spaces(stacked, 1e-6)
    expected = [(g, s) for g, x in enumerate(spectra) for s in x.eigenspaces()]
    assert spaces.graph.tolist() == [g for g, _ in expected]
    assert spaces.multiplicity.tolist() == [s.stop - s.start for _, s in expected]
    chosen = torch.tensor([0, 3, len(expected) - 1, 13])
    found, node = project(stacked, spaces, chosen)
    start = [0, 16, 24]
    for s in chosen.tolist():
        g, columns = expected[s]
        V = spectra[g].eigvecs[:, columns]
        n = V.size(0)
        torch.testing.assert_close(found[: n * n].view(n, n), n * V @ V.T)
        assert node[:n].tolist() == list(range(start[g], start[g] + n))
        found, node = found[n * n :], node[n:]
    assert len(found) == len(node) == 0


def test_linear_layer_equals_dense():
    layer = EquivariantLinear(2, 3).double()
    sizes = torch.tensor([3, 1, 4])
    squares = lay_out_squares(sizes)
    matrices = [torch.randn(n, n, 2, dtype=torch.float64) for n in sizes.tolist()]
    found = layer(torch.cat([m.flatten(0, 1) for m in matrices]), squares)
    for x in matrices:
        n = x.size(0)
        diagonal = x.diagonal(dim1=0, dim2=1).T  # [n, 2]
        index = layer.at_index(torch.cat([diagonal, x.mean(1), x.mean(0)], 1))
        a, b, d = index.chunk(3, -1)
        c, e = layer.of_matrix(torch.cat([diagonal.mean(0), x.mean((0, 1))])).chunk(2)
        y = layer.same(x) + layer.turned(x.transpose(0, 1)) + a[:, None] + b[None] + c
        y = y + torch.eye(n, dtype=torch.float64)[..., None] * (d + e)[:, None]
        torch.testing.assert_close(found[: n * n].view(n, n, 3), y)
        found = found[n * n :]


def test_ign_is_equivariant():
    ign = IGN(2, 8, 2, norm="layer").double()
    squares = lay_out_squares(torch.tensor([5]))
    x, perm = torch.randn(5, 5, 2, dtype=torch.float64), torch.randperm(5)
    torch.testing.assert_close(
        ign(x[perm][:, perm].flatten(0, 1), squares), ign(x.flatten(0, 1), squares)[perm]
    )


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


def test_an_empty_spectrum_is_encoded():
    # All five eigenvalues of a graph without edges are 0: k = 2 leaves the whole eigenspace out.
    model = BasisNet(4, hidden_channels=8, k=2).eval()
    batch = Batch.from_data_list([HARD["no edges"].clone(), HARD["no edges"].clone()])
    assert model(batch).shape == (10, 4)


def test_errors_tell_what_is_wrong():
    with pytest.raises(ValueError, match="max_multiplicity must be at least 1"):
        BasisNet(4, max_multiplicity=0)
    with pytest.raises(ValueError, match="tolerance must be positive"):
        BasisNet(4, tolerance=0.0)
