"""V diag(phi) V^T of a batch in blocks equals a plain loop over its graphs."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ogeaug import compute_spectrum
from ogeaug.spectrum.sandwich import PADDING, _blocks, sandwich
from ogeaug.spectrum.spectra import Spectrum, SpectrumBatch
from ogeaug.spectrum.truncate import truncate
from tests.graphs import HARD


def by_loop(spectra, phi):
    found = []
    for spectrum, part in zip(spectra, phi.split(spectra.num_eigvals.tolist()), strict=True):
        V = spectrum.eigvecs.to(phi.dtype)
        found.append(torch.einsum("ik,kl,jk->ijl", V, part, V).flatten(0, 1))
    return torch.cat(found)


@pytest.mark.parametrize("k", [None, 4])
def test_equals_a_loop(k, dtype):
    each = [
        compute_spectrum(d.edge_index, d.num_nodes, d.get("edge_weight")) for d in HARD.values()
    ]
    empty = Spectrum(torch.zeros(0), torch.zeros(0, 0), torch.inf)
    spectra = truncate(SpectrumBatch.stack([*each[::-1], empty, *each]), k)
    phi = torch.randn(len(spectra.eigvals), 3, dtype=dtype, requires_grad=True)
    found, expected = sandwich(spectra, phi), by_loop(spectra, phi)
    tolerance = {"rtol": 1e-6, "atol": 1e-6} if dtype == torch.float32 else {}
    torch.testing.assert_close(found, expected, **tolerance)
    weight = torch.randn_like(found)
    grads = [torch.autograd.grad((out * weight).sum(), phi)[0] for out in (found, expected)]
    scale = float(grads[1].abs().max())
    torch.testing.assert_close(grads[0] / scale, grads[1] / scale, **tolerance)


def test_no_graphs_and_no_nodes():
    empty = Spectrum(torch.zeros(0), torch.zeros(0, 0), torch.inf)
    assert sandwich(SpectrumBatch.stack([empty]), torch.zeros(0, 3)).shape == (0, 3)


@given(st.lists(st.integers(0, 200), min_size=1, max_size=40))
def test_blocks_hold_each_graph_once_and_pad_little(sizes):
    blocks = _blocks(torch.tensor(sizes))
    assert sorted(torch.cat([*blocks, torch.zeros(0, dtype=torch.long)]).tolist()) == [
        g for g, n in enumerate(sizes) if n > 0
    ]
    for block in blocks:
        own = [sizes[g] for g in block.tolist()]
        assert max(own) <= PADDING * min(own)
