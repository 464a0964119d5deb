"""The properties that encodings promise, on every hard graph, for each encoding alike."""

import networkx as nx
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch_geometric.data import Batch

from ogeaug import AddSpectrum
from ogeaug.measure.continuity import crossing_error
from ogeaug.measure.invariance import basis_error, permutation_error, sign_error
from tests.encodings.cases import CASES, USUAL
from tests.graphs import HARD as PLAIN
from tests.graphs import graphs, to_data


def with_features(data):
    """Node features, which some encodings need and the others ignore."""
    data = data.clone()
    data.x = torch.rand(data.num_nodes, 3, generator=torch.Generator().manual_seed(7))
    return data


LARGE = "200 nodes"
HARD = {name: with_features(data) for name, data in PLAIN.items() if name != LARGE}
HARD["50 nodes"] = with_features(to_data(nx.random_labeled_tree(50, seed=2)))
ERRORS = {"permutation": permutation_error, "basis": basis_error, "sign": sign_error}


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


@pytest.fixture
def encoding(case, dtype):
    return case.make().to(dtype).eval()


@pytest.fixture(scope="module")
def batch():
    """All hard graphs together; PyG batches need the same attributes everywhere: no weights."""
    return Batch.from_data_list([unweighted(data) for data in HARD.values()])


PAIRS = [(name, symmetry) for name in CASES for symmetry in ERRORS]


@pytest.mark.parametrize(
    ("name", "symmetry"), [(n, symmetry) for n, symmetry in PAIRS if symmetry not in CASES[n].lacks]
)
@pytest.mark.parametrize("graph", HARD)
def test_has_symmetry(name, graph, symmetry, dtype, tolerance):
    encoding, generator = CASES[name].make().to(dtype).eval(), torch.Generator().manual_seed(1)
    assert ERRORS[symmetry](encoding, HARD[graph], generator) < tolerance


@pytest.mark.parametrize("symmetry", ERRORS)
@pytest.mark.parametrize("name", ["order 2", "plain path", "truncated", "spe", "rwse"])
def test_has_symmetry_on_a_large_graph(name, symmetry, tolerance, dtype):
    encoding, generator = CASES[name].make().to(dtype).eval(), torch.Generator().manual_seed(1)
    assert ERRORS[symmetry](encoding, with_features(PLAIN[LARGE]), generator) < tolerance


@pytest.mark.parametrize(
    ("name", "symmetry"), [(n, symmetry) for n, symmetry in PAIRS if symmetry in CASES[n].lacks]
)
def test_lacks_symmetry(name, symmetry, dtype):
    case, generator = CASES[name], torch.Generator().manual_seed(1)
    encoding = case.make().to(dtype).eval()
    error = max(ERRORS[symmetry](encoding, data, generator) for data in HARD.values())
    assert is_as_measured(error, case.lacks[symmetry]), error


def test_continuity_where_eigenvalues_cross(case):
    encoding = case.make().double().eval()
    x = torch.ones(9, 3, dtype=torch.float64)
    long, short = (crossing_error(encoding, step, x) for step in (1e-4, 1e-5))
    if "crossing" in case.lacks:
        assert is_as_measured(short, case.lacks["crossing"]), short
    else:
        assert short < 1e-3
        assert short <= long / 5  # a tenth, but for rounding and curvature


@pytest.mark.parametrize("case", USUAL, indirect=True)
@given(data=graphs(), seed=st.integers(0, 2**31))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_has_symmetries_on_any_graph(case, encoding, tolerance, data, seed):
    data, generator = with_features(data), torch.Generator().manual_seed(seed)
    for symmetry, error in ERRORS.items():
        if symmetry not in case.lacks:
            assert error(encoding, data, generator) < tolerance, symmetry


def test_batch_equals_one_by_one(encoding, batch, tolerance):
    alone = torch.cat([encoding(unweighted(data)) for data in HARD.values()])
    torch.testing.assert_close(encoding(batch), alone, rtol=tolerance, atol=tolerance)


def test_stored_spectra_equal_computed_ones(encoding, batch, tolerance):
    add = AddSpectrum(encoding.spectrum.k, encoding.spectrum.normalization)
    stored = Batch.from_data_list([add(unweighted(data)) for data in HARD.values()])
    torch.testing.assert_close(encoding(stored), encoding(batch), rtol=tolerance, atol=tolerance)


def test_gradients_are_finite(encoding):
    needs_parameters(encoding)
    encoding.train()
    for name in ("complete", "cycle", "star", "disconnected", "no edges"):
        encoding.zero_grad()
        encoding(HARD[name]).square().sum().backward()
        for parameter, value in encoding.named_parameters():
            assert value.grad is None or value.grad.isfinite().all(), (name, parameter)


def test_gradients_reach_every_parameter(encoding, batch):
    needs_parameters(encoding)
    encoding.train()
    encoding(batch).square().sum().backward()
    for parameter, value in encoding.named_parameters():
        assert value.grad is not None, parameter
        assert value.grad.isfinite().all(), parameter
        assert value.grad.abs().max() > 0, parameter


def test_state_dict_round_trip(case, encoding, batch):
    torch.manual_seed(1)
    other = case.make().to(next(encoding.parameters(), torch.zeros(1)).dtype).eval()
    other.load_state_dict(encoding.state_dict())
    assert torch.equal(other(batch), encoding(batch))


def test_reset_parameters_draws_anew(case, encoding):
    needs_parameters(encoding)
    before = encoding(HARD["grid"])
    encoding.reset_parameters()
    assert (encoding(HARD["grid"]) - before).abs().max() > 1e-3


def test_repr_tells_the_options(encoding):
    assert f"{encoding.out_channels}" in encoding.extra_repr()
    for name in ("hidden_channels", "num_layers", "k", "steps"):
        if hasattr(encoding, name):
            assert f"{name}={getattr(encoding, name)}" in encoding.extra_repr()


def is_as_measured(error, measured):
    """Of the recorded size: LAPACKs differ in the bases they choose, by less than a factor of 5."""
    return measured / 5 < error < measured * 5


def needs_parameters(encoding):
    if not list(encoding.parameters()):
        pytest.skip("nothing to learn")


def unweighted(data):
    data = data.clone()
    if "edge_weight" in data:
        del data.edge_weight
    return data
