"""``preset: authors`` equals plain transcriptions of the authors' modules, weights copied."""

import networkx as nx
import pytest
import torch
from torch import nn
from torch_geometric.data import Batch

from ogeaug import compute_spectrum
from ogeaug.encodings import make_encoding
from tests.encodings.authors import PlainBasisNet, PlainSignNet, PlainSPE, adjacency
from tests.graphs import to_data


def copy_weights(plain, ours):
    """Module by module in order: both have the same linear maps and norms, and nothing else."""
    for kind in (nn.Linear, nn.BatchNorm1d):
        of_plain, of_ours = ([m for m in x.modules() if isinstance(m, kind)] for x in (plain, ours))
        assert len(of_plain) == len(of_ours)
        for a, b in zip(of_plain, of_ours, strict=True):
            if kind is nn.BatchNorm1d:
                nn.init.normal_(a.weight)
                nn.init.normal_(a.bias)
                nn.init.normal_(a.running_mean)
                nn.init.uniform_(a.running_var, 0.5, 2)
                assert (a.eps, a.momentum) == (b.eps, b.momentum)
            b.load_state_dict(a.state_dict())


def graphs(sizes):
    return [to_data(nx.gnp_random_graph(n, 0.3, seed=n + i)) for i, n in enumerate(sizes)]


def spectra_of(made, normalization):
    each = [compute_spectrum(d.edge_index, d.num_nodes, normalization=normalization) for d in made]
    adjacencies = [adjacency(d.edge_index, d.num_nodes) for d in made]
    return [s.eigvals for s in each], [s.eigvecs for s in each], adjacencies


def count(module):
    return sum(p.numel() for p in module.parameters())


def pair(name, **options):
    torch.manual_seed(0)
    if name == "spe":
        plain = PlainSPE(5, 8, 3, 4)
        ours = make_encoding(
            name, 5, preset="authors", hidden_channels=8, num_layers=3, eigval_channels=4
        )
        ours.gin.eps.data.copy_(torch.cat(list(plain.gin.eps)))
    else:
        plain = PlainSignNet(5, 8, 3, **options)
        ours = make_encoding(name, 5, preset="authors", hidden_channels=8, num_layers=3, **options)
    copy_weights(plain, ours)
    assert count(plain) == count(ours)
    return plain.double(), ours.double()


PEERS = [("spe", {}), ("signnet", {"eigvals": False}), ("signnet", {"eigvals": True})]


@pytest.mark.parametrize(("name", "options"), PEERS)
def test_equals_the_transcription(name, options):
    plain, ours = pair(name, **options)
    made = graphs([4, 9, 6, 1])
    expected = plain.eval()(*spectra_of(made, "sym"))
    assert expected.std() > 1e-2
    found = ours.eval()(Batch.from_data_list(made))
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("name", "options"), PEERS)
def test_equals_the_transcription_in_training(name, options):
    """Where no graph is filled up: zeros would enter the authors' batch norms, and not ours."""
    plain, ours = pair(name, **options)
    made = graphs([7, 7, 7])
    expected = plain.train()(*spectra_of(made, "sym"))
    found = ours.train()(Batch.from_data_list(made))
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)
    for a, b in zip(plain.buffers(), ours.buffers(), strict=True):
        torch.testing.assert_close(a, b)  # means and deviations for eval mode


def test_basisnet_equals_the_transcription():
    torch.manual_seed(0)
    plain = PlainBasisNet(5, 8, 3, 4, 12)
    small = {"hidden_channels": 8, "num_layers": 3, "max_multiplicity": 4, "k": 12}
    ours = make_encoding("basisnet", 5, preset="authors", **small)
    copy_weights(plain.rho, ours.rho)
    ours.rho.eps.data.copy_(torch.cat(list(plain.rho.eps)))
    for a, b in zip(plain.phi, ours.phi, strict=True):
        copy_weights(a.last, b.last)
        copy_weights(a.norms, b.norms)
        for coeffs, bias, linear in zip(a.coeffs, a.biases, (b.first, *b.layers), strict=True):
            # Coefficients [in, out, maps]: the inputs are all channels of each map in turn.
            linear.weight.data.copy_(coeffs.permute(1, 2, 0).flatten(1))
            linear.bias.data.copy_(bias)
    assert count(plain) == count(ours)
    made = [*graphs([4, 9, 6]), to_data(nx.complete_graph(5)), to_data(nx.cycle_graph(6))]
    expected = plain.double().eval()(*spectra_of(made, "sym"))
    assert expected.std() > 1e-2
    found = ours.double().eval()(Batch.from_data_list(made))
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)


def test_basisnet_trains_all_coefficients():
    """The published code moves them to a GPU as tensors that are no parameters."""
    ours = make_encoding("basisnet", 5, preset="authors")
    ours(
        Batch.from_data_list([to_data(nx.cycle_graph(6)), to_data(nx.path_graph(5))])
    ).sum().backward()
    for phi in ours.phi[:2]:  # the multiplicities of these graphs
        for linear in (phi.first, *phi.layers):
            assert linear.weight.grad.abs().max() > 0
