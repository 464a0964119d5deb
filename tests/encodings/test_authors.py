"""``preset: authors`` equals plain transcriptions of the authors' modules, weights copied."""

import networkx as nx
import pytest
import torch
from torch import nn
from torch_geometric.data import Batch

from ogeaug import compute_spectrum
from ogeaug.encodings import make_encoding
from tests.encodings.authors import PlainBasisNet, PlainHodge, PlainSignNet, PlainSPE, adjacency
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


@pytest.mark.parametrize("graph", [nx.lollipop_graph(4, 5), nx.cycle_graph(5), nx.house_graph()])
def test_hodge1_lap_equals_the_transcription(graph):
    torch.manual_seed(0)
    plain, ours = PlainHodge((16, 8, 4)), make_encoding("hodge1_lap", 28, preset="authors")
    copy_weights(plain, ours)
    assert count(plain) == count(ours)
    edges, expected = plain.double()(graph)
    found = ours.double().eval()(data := to_data(graph))
    columns = {tuple(pair): e for e, pair in enumerate(data.edge_index.T.tolist())}
    for order in (1, -1):  # both directions of an edge
        here = found[[columns[edge[::order]] for edge in edges]]
        torch.testing.assert_close(here, expected, rtol=1e-5, atol=1e-5)


def test_lap_pe_equals_the_transcription():
    """A sum over eigenvectors of ReLU(Linear(ReLU(Linear(v, lambda)))), the first included."""
    torch.manual_seed(0)
    ours, made = make_encoding("lap_pe", 8, preset="authors").double().eval(), graphs([4, 9, 12])
    first, last = (m for m in ours.modules() if isinstance(m, nn.Linear))
    assert (first.in_features, first.out_features, last.out_features) == (2, 16, 8)
    expected = []
    for eigvals, eigvecs in zip(*spectra_of(made, None)[:2], strict=True):
        for row in eigvecs[:, :8]:
            pairs = zip(row, eigvals.clamp(min=0), strict=False)
            each = [last(first(torch.stack(pair)).relu()).relu() for pair in pairs]
            expected.append(torch.stack(each).sum(0))
    found = ours(Batch.from_data_list(made))
    torch.testing.assert_close(found, torch.stack(expected), rtol=1e-5, atol=1e-5)


def test_linear_lap_pe_is_one_map_of_eigenvectors_after_the_first():
    ours, (data,) = make_encoding("lap_pe", 8, network="linear", k=3).double().eval(), graphs([9])
    _, (eigvecs,), _ = spectra_of([data], None)
    torch.testing.assert_close(ours(data), ours.mlp(eigvecs[:, 1:4]))


@pytest.mark.parametrize(("name", "parameters"), [("rwse", 628), ("edge_rwse", 588)])
def test_walks_go_through_one_linear_map(name, parameters):
    ours, (data,) = make_encoding(name, 28, preset="authors"), graphs([9])
    assert count(ours) == parameters  # 20 x 28 + 28, and a batch norm of 20 if there is one
    kinds = [type(m) for m in ours.modules() if isinstance(m, (nn.Linear, nn.BatchNorm1d))]
    assert kinds == [nn.BatchNorm1d, nn.Linear][parameters == 588 :]
    (norm,) = [m for m in ours.modules() if isinstance(m, nn.BatchNorm1d)] or [nn.Identity()]
    walks = ours.read_walks(data).float()
    torch.testing.assert_close(ours(data), ours.mlp(norm(walks)))
