"""Cutting a stored spectrum gives what computing a short one gives."""

import pytest
import torch
from torch_geometric.data import Batch

from ogeaug.spectrum.eigen import SpectrumOptions, compute_spectra
from ogeaug.spectrum.truncate import truncate
from tests.graphs import HARD


@pytest.mark.parametrize("k", [1, 2, 3, 6, 8, 100, 1000])
def test_equals_compute_spectra_with_k(k):
    graphs = [data.clone() for name, data in HARD.items() if name != "weighted"]
    batch = Batch.from_data_list(graphs)
    sizes = batch.ptr.diff()
    cut = truncate(compute_spectra(batch.edge_index, sizes), k)
    computed = compute_spectra(batch.edge_index, sizes, options=SpectrumOptions(k))
    assert cut.num_eigvals.tolist() == computed.num_eigvals.tolist()
    torch.testing.assert_close(cut.eigvals, computed.eigvals, rtol=0, atol=0)
    torch.testing.assert_close(cut.eigvecs, computed.eigvecs, rtol=0, atol=0)
    torch.testing.assert_close(cut.cutoff, computed.cutoff, rtol=0, atol=0)
    again = truncate(cut, k)
    assert again.num_eigvals.tolist() == cut.num_eigvals.tolist()
