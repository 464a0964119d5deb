import torch
from torch_geometric.data import Batch

from ogeaug import AddSpectrum
from ogeaug.graph.edges import neighbours
from ogeaug.spectrum.bands import find_bands
from ogeaug.spectrum.pyg import read_spectra
from ogeaug.spectrum.smoothing import Cosine
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.tensors.rows.layout import lay_out
from ogeaug.tensors.rows.product import band_matmul
from tests.graphs import HARD


def test_band_matmul_equals_dense_products():
    """Chains of eigenvalues: clusters with pairs outside the bands, small and large ones."""
    data = [AddSpectrum()(HARD[name]) for name in ("path", "grid", "complete", "one node")]
    batch = Batch.from_data_list(data)
    for delta in (0.05, 0.5, 2.0):
        spectra = read_spectra(batch, SpectrumOptions(), training=False)
        bands = find_bands(spectra, Cosine(delta))
        layout = lay_out(spectra, *neighbours(batch.edge_index, 34), bands, torch.float64)
        a, b = torch.randn(2, len(layout.pairs.node), 3, dtype=torch.float64)
        total = len(spectra.eigvals)
        shape = (34, total, total, 3)
        left, right = layout.eig[layout.pairs.left], layout.eig[layout.pairs.right]
        where = (layout.pairs.node, left, right)
        dense_a, dense_b = torch.zeros(shape, dtype=a.dtype), torch.zeros(shape, dtype=a.dtype)
        dense_a[where], dense_b[where] = a, b
        expected = torch.einsum("ikmj,imlj->iklj", dense_a, dense_b)[where]
        torch.testing.assert_close(band_matmul(a, b, layout.pairs), expected)
