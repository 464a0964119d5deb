"""The learned Laplacian: gradients of the weights against finite differences, and symmetry."""

import pytest
import torch
from torch_geometric.data import Batch, Data

from ogeaug import LatentOGEAug
from ogeaug.measure.invariance import permutation_error
from ogeaug.spectrum.learned import learned_spectra
from ogeaug.spectrum.options import Disturbance, SpectrumOptions
from tests.graphs import HARD


def with_features(name, constant=False):
    data = HARD[name].clone()
    generator = torch.Generator().manual_seed(1)
    x = torch.rand(data.num_nodes, 3, generator=generator, dtype=torch.float64)
    data.x = torch.ones_like(x) if constant else x
    return data


def make(**options):
    model = LatentOGEAug(
        5, in_channels=3, hidden_channels=8, num_layers=2, delta=0.5, **options
    ).double()
    return model


@pytest.mark.parametrize("name", ["cycle", "star", "complete", "rook", "no edges", "one node"])
@pytest.mark.parametrize("constant", [True, False], ids=["equal weights", "unequal weights"])
def test_gradient_equals_finite_differences(name, constant):
    """By the edge weights, one direction at a time; equal weights give a degenerate spectrum."""
    check_gradient(with_features(name, constant), make().eval())


@pytest.mark.parametrize("name", ["cycle", "grid", "path"])
@pytest.mark.parametrize("k", [3, 6])
def test_gradient_of_a_cut_spectrum(name, k):
    """The cutoff is an eigenvalue, and moves with the weights."""
    data, model = with_features(name), make(k=k).eval()
    check_gradient(data, model)
    assert 0 < len(model.spectra(data).eigvals) <= k


def check_gradient(data, model):
    generator = torch.Generator().manual_seed(2)
    weight = torch.ones(data.num_edges, dtype=torch.float64)
    direction = symmetric(data, torch.randn(data.num_edges, generator=generator).double())
    target = torch.randn(data.num_nodes, 5, generator=generator).double()

    def value(step):
        graph = Data(x=data.x, edge_index=data.edge_index, num_nodes=data.num_nodes)
        graph.edge_weight = weight + step * direction
        return (model(graph) * target).sum()

    step = torch.zeros((), dtype=torch.float64, requires_grad=True)
    (found,) = torch.autograd.grad(value(step), step)
    with torch.no_grad():
        slope = (value(torch.tensor(1e-4)) - value(torch.tensor(-1e-4))) / 2e-4
    assert float(found) == pytest.approx(float(slope), rel=1e-4, abs=1e-5)


def symmetric(data, values):
    matrix = torch.zeros(data.num_nodes, data.num_nodes, dtype=torch.float64)
    matrix[data.edge_index[0], data.edge_index[1]] = values
    return (matrix + matrix.T)[data.edge_index[0], data.edge_index[1]]


def test_value_does_not_depend_on_whether_gradients_are_wanted():
    data, model = with_features("cycle"), make()
    with torch.no_grad():
        expected = model(data)
    torch.testing.assert_close(model(data), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["cycle", "star", "complete", "rook", "grid"])
def test_follows_a_renumbering(name):
    assert permutation_error(make().eval(), with_features(name, constant=True)) < 1e-9


def test_batch_equals_one_by_one():
    graphs = [with_features(name) for name in ("cycle", "star", "one node")]
    model = make()
    alone = torch.cat([model(data) for data in graphs])
    torch.testing.assert_close(model(Batch.from_data_list(graphs)), alone, rtol=1e-9, atol=1e-9)


def test_gradients_reach_every_parameter():
    data = with_features("rook")
    model = make(edge_channels=2)
    data.edge_attr = torch.rand(data.num_edges, 2, dtype=torch.float64)
    model(data).square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name
        assert parameter.grad.abs().max() > 0, name


def test_weights_are_positive_and_symmetric():
    data, model = with_features("star"), make()
    weight = model.edge_weights(data)
    assert (weight > 0).all()
    torch.testing.assert_close(weight, symmetric(data, weight) / 2)


def test_bad_input():
    with pytest.raises(ValueError, match="no edge_attr"):
        make(edge_channels=2)(with_features("star"))
    with pytest.raises(ValueError, match="has no x"):
        make()(HARD["star"])


def test_a_cut_spectrum_is_that_of_any_other_encoding():
    """With the weights that it has learned, it is OGE-Aug on that graph, cut and faded."""
    data, model = with_features("path"), make(k=4).eval()
    weighted = data.clone()
    weighted.edge_weight = model.edge_weights(data).detach()
    inner = model.inner
    inner.spectrum = SpectrumOptions(4)
    with torch.no_grad():
        torch.testing.assert_close(model(data), inner(weighted), rtol=1e-9, atol=1e-9)
        whole = make().eval()
        whole.load_state_dict(model.state_dict())
        assert (whole(data) - model(data)).abs().max() > 1e-3


@pytest.mark.parametrize("k", [None, 4])
def test_noise_and_permutation_of_training(k):
    data, model = with_features("cycle", constant=True), make(k=k)
    with torch.no_grad():
        exact = model.eval()(data)
        model.disturbance = Disturbance(noise=1e-5, permute=True)
        assert torch.equal(model(data), exact)  # never outside training
        torch.manual_seed(0)
        noisy = [model.train()(data) for _ in range(2)]
        assert 1e-6 < (noisy[0] - exact).abs().max() < 0.5
        assert not torch.equal(*noisy)
        model.disturbance = Disturbance(permute=True)
        assert (model(data) - exact).abs().max() < 1e-9  # invariant, whatever the basis


def test_noise_has_its_variance():
    laplacian = torch.zeros(60, 60, dtype=torch.float64)
    spectra, _ = learned_spectra([laplacian], [None], Disturbance(noise=1e-4))
    matrix = spectra.eigvecs.view(60, 60) * spectra.eigvals @ spectra.eigvecs.view(60, 60).T
    assert float(matrix.square().mean()) == pytest.approx(1e-4, rel=0.1)
    assert (matrix - matrix.T).abs().max() < 1e-9


def test_noise_does_not_cut_a_null_space():
    """Three parts, k = 2: all three eigenvalues 0 are kept, however noise parts them."""
    data = Batch.from_data_list([with_features("path")] * 3)
    data = Data(x=data.x, edge_index=data.edge_index, num_nodes=data.num_nodes)
    model = make(k=2).train()
    assert len(model.eval().spectra(data).eigvals) >= 3
    model.train().disturbance = Disturbance(noise=1e-5)
    assert len(model.spectra(data).eigvals) >= 3
