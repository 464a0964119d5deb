"""The errors are zero where they should be, and large where an encoding lacks the symmetry."""

import pytest
import torch
from torch import nn

from ogeaug import compute_spectrum
from ogeaug.measure.invariance import (
    basis_error,
    change_basis,
    permutation_error,
    permute_nodes,
    sign_error,
)
from tests.graphs import HARD


class FirstEigenvectors(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, data):
        if "eigvecs" not in data:
            data.eigvecs = compute_spectrum(data.edge_index, data.num_nodes).eigvecs
        return self.function(data.eigvecs)


class NodeNumber(nn.Module):
    def forward(self, data):
        return torch.arange(data.num_nodes).double()


def test_errors_of_encodings_without_symmetry():
    cycle = HARD["cycle"]
    raw = FirstEigenvectors(lambda vecs: vecs[:, 1:2])
    absolute = FirstEigenvectors(lambda vecs: vecs[:, 1:2].abs())
    projector = FirstEigenvectors(lambda vecs: (vecs[:, 1:3] @ vecs[:, 1:3].T).square().sum(1))
    assert max(sign_error(raw, cycle) for _ in range(20)) == pytest.approx(2)
    assert sign_error(absolute, cycle) == 0
    assert max(basis_error(absolute, cycle) for _ in range(5)) > 0.1
    assert basis_error(projector, cycle) < 1e-12
    assert permutation_error(NodeNumber(), cycle) > 0.1


def test_permute_nodes_moves_features_and_edges():
    data = HARD["star"].clone().update({"x": torch.arange(10.0)[:, None]})
    perm = torch.tensor([3, 0, 1, 2, 4, 5, 6, 7, 8, 9])
    out = permute_nodes(data, perm)
    assert out.x.flatten().tolist() == perm.tolist()
    degree = torch.bincount(out.edge_index[0])
    assert int(degree.argmax()) == 1  # the centre, node 0, now stands in place 1


def test_change_basis_keeps_the_eigenspaces():
    spectrum = compute_spectrum(HARD["complete"].edge_index, 8)
    turned = change_basis(spectrum)
    assert not torch.allclose(turned.eigvecs, spectrum.eigvecs)
    for columns in spectrum.eigenspaces():
        a, b = spectrum.eigvecs[:, columns], turned.eigvecs[:, columns]
        torch.testing.assert_close(a @ a.T, b @ b.T)
