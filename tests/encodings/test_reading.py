"""The listing as printed, against its transcription; readings that contradict each other."""

import numpy as np
import pytest
import torch

from ogeaug import OGEAug, compute_spectrum
from ogeaug.encodings.reading import Reading, read_reading
from tests.graphs import HARD
from tests.oracle import dense_oge_aug
from tests.printed import algorithm1, parameters

GRAPHS = ["one node", "no edges", "path", "star", "complete", "cycle"]
SYMMETRIC = ("one node", "no edges", "complete")
"""Where a departure from the print may not show."""


def printed(**options):
    model = OGEAug(6, in_channels=3, num_layers=3, reading="printed", **options).double()
    with torch.no_grad():  # scalars that are not all one, and norms that are not trivial
        for parameter in model.parameters():
            parameter += 0.3 * torch.randn_like(parameter)
    return model.eval()


def transcribed(model, data, delta):
    edges, n = data.edge_index.numpy(), data.num_nodes
    adjacency = np.zeros((n, n))
    adjacency[edges[0], edges[1]] = adjacency[edges[1], edges[0]] = 1
    np.fill_diagonal(adjacency, 0)
    return torch.from_numpy(
        algorithm1(data.x.double().numpy(), adjacency, delta, *parameters(model))
    )


@pytest.mark.parametrize("delta", [0.05, 1.5])
@pytest.mark.parametrize("kernel", ["auto", "torch"])
@pytest.mark.parametrize("name", GRAPHS)
def test_the_printed_reading_is_the_listing(name, kernel, delta):
    model = printed(kernel=kernel, delta=delta)
    data = HARD[name].clone()
    data.x = torch.randn(data.num_nodes, 3, dtype=torch.float64)
    expected = transcribed(model, data, delta)
    scale = expected.abs().max()
    assert (model(data) - expected).abs().max() < 1e-10 * scale
    # Ours differs, and so does every single departure from the print.
    for change in ({"eigvals": True}, {"smooth": True}, {"in_order": False}):
        reading = Reading(**(vars(read_reading("printed")) | change))
        other = OGEAug(6, in_channels=3, num_layers=3, reading=reading, delta=delta).double()
        other.load_state_dict(model.state_dict(), strict=False)
        if name not in SYMMETRIC:
            assert (other.eval()(data) - expected).abs().max() > 1e-6 * scale, change


@pytest.mark.parametrize("kernel", ["auto", "torch"])
@pytest.mark.parametrize("reading", [{"in_order": True}, "printed", {"smooth": False}])
def test_readings_equal_the_dense_form_with_gradients(reading, kernel):
    options = {"hidden_channels": 6, "num_layers": 3, "delta": 0.5}
    model = OGEAug(6, reading=reading, kernel=kernel, **options).double()
    data = HARD["grid"]
    found = model(data)
    spectrum = compute_spectrum(data.edge_index, data.num_nodes)
    expected = dense_oge_aug(model, data, spectrum.eigvals, spectrum.eigvecs)
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-9)
    weights = list(model.parameters())
    one = torch.autograd.grad(found.square().sum(), weights)
    two = torch.autograd.grad(expected.square().sum(), weights)
    for a, b in zip(one, two, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-7, atol=1e-7 * float(b.abs().max() + 1))


def test_blocks_read_in_order_too():
    torch.manual_seed(3)
    plain = OGEAug(6, hidden_channels=6, num_layers=3, transposes=True).double()
    ordered = OGEAug(
        6, hidden_channels=6, num_layers=3, transposes=True, reading={"in_order": True}
    ).double()
    ordered.load_state_dict(plain.state_dict())
    data = HARD["grid"]
    assert (plain(data) - ordered(data)).abs().max() > 1e-6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reading": "prnted"}, "choose from ours, printed"),
        ({"reading": {"ordered": True}}, "got ordered=True"),
        ({"reading": {"in_order": 1}}, "true or false"),
        ({"reading": "printed", "hidden_channels": 8}, "must be out_channels=6"),
        ({"reading": "printed", "readout": "every"}, "needs an output map"),
        ({"reading": "printed", "message_norm": "sym"}, "as it stands"),
        ({"reading": "printed", "transposes": True}, "as it stands"),
    ],
)
def test_contradictions_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        OGEAug(6, **options)
