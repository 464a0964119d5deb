import pytest
import torch
from torch.export import Dim, export

from ogeaug import OGEAug, compute_spectrum
from ogeaug.encodings.dense import DenseOGEAug
from ogeaug.graph.edges import adjacency
from tests.graphs import HARD


def inputs(data, dtype):
    spectrum = compute_spectrum(data.edge_index, data.num_nodes)
    dense = torch.from_numpy(adjacency(data.edge_index.numpy(), data.num_nodes))
    return dense.to(dtype), spectrum.eigvals, spectrum.eigvecs, torch.tensor(torch.inf)


# torch.export warns of the deprecated interfaces that it uses itself
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("order", [1, 2])
def test_torch_export(order, dtype, tolerance):
    """Exported with one graph, right for graphs of other sizes."""
    model = OGEAug(6, hidden_channels=8, num_layers=2, order=order).to(dtype).eval()
    n, k = Dim("n", max=1000), Dim("k", max=1000)
    shapes = ({0: n, 1: n}, {0: k}, {0: n, 1: k}, None)
    program = export(DenseOGEAug(model), inputs(HARD["grid"], dtype), dynamic_shapes=shapes)
    for name in ("cycle", "complete", "no edges"):
        found = program.module()(*inputs(HARD[name], dtype))
        torch.testing.assert_close(found, model(HARD[name]), rtol=tolerance, atol=tolerance)


def test_it_shares_the_parameters():
    model = OGEAug(6, hidden_channels=8, num_layers=2)
    assert set(DenseOGEAug(model).parameters()) == set(model.parameters())
