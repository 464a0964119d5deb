"""No jumps: where eigenvalues cross, leave each other's bands, or cross the truncation's cutoff."""

import pytest
import torch
from torch_geometric.data import Batch, Data

from ogeaug import OGEAug, compute_spectrum
from ogeaug.spectrum.spectra import Spectrum
from ogeaug.spectrum.spectral_data import attach_spectrum


def moving_cycle(t: float) -> Data:
    """A weighted 6-cycle with chords: at t = 0 it has repeated eigenvalues, which t splits."""
    pairs = torch.tensor([[0, 1, 2, 3, 4, 5, 0, 1], [1, 2, 3, 4, 5, 0, 3, 4]])
    weight = torch.tensor([1, 1, 1, 1, 1, 1, 0, 0], dtype=torch.float64)
    weight = weight + torch.tensor([t, 0, -t, 0, 0, 0, abs(t), 0.5 * abs(t)])
    return Data(
        edge_index=torch.cat([pairs, pairs.flip(0)], 1),
        edge_weight=torch.cat([weight, weight]),
        num_nodes=6,
    )


@torch.no_grad()
def steepest(encode, ts) -> float:
    """The largest change between neighbours on a path of graphs, relative to the whole change."""
    graphs = [moving_cycle(float(t)) for t in ts]
    if isinstance(encode, OGEAug):
        outs = encode(Batch.from_data_list(graphs)).view(len(graphs), 6, -1)
    else:
        outs = torch.stack([encode(data) for data in graphs])
    steps = outs.diff(dim=0).flatten(1).norm(dim=1)
    return float(steps.max() / (outs.amax(0) - outs.amin(0)).norm())


class HardSplit(torch.nn.Module):
    """Sums of squares of each eigenspace, whose dimension is a feature: jumps where one splits."""

    def forward(self, data):
        spectrum = compute_spectrum(data.edge_index, data.num_nodes, data.edge_weight)
        out = torch.zeros(data.num_nodes, dtype=torch.float64)
        for columns in spectrum.eigenspaces(1e-6):
            p = columns.stop - columns.start
            out = out + p**2 * spectrum.eigvecs[:, columns].square().sum(1)
        return out


class HardCut(torch.nn.Module):
    """Keeps the k lowest eigenvectors and fades nothing: jumps where they cross."""

    def __init__(self, encode, k):
        super().__init__()
        self.encode, self.k = encode, k

    def forward(self, data):
        s = compute_spectrum(data.edge_index, data.num_nodes, data.edge_weight)
        cut = Spectrum(s.eigvals[: self.k].clone(), s.eigvecs[:, : self.k].clone(), torch.inf)
        return self.encode(attach_spectrum(data, cut))


SWEEP = torch.linspace(-0.2, 0.2, 2001, dtype=torch.float64)


def model(**options):
    torch.manual_seed(0)
    return OGEAug(4, hidden_channels=8, num_layers=2, **options).double().eval()


def test_gaps_pass_through_zero_and_delta():
    gaps = torch.stack(
        [
            compute_spectrum(d.edge_index, 6, d.edge_weight).eigvals.diff()
            for d in map(moving_cycle, SWEEP.tolist())
        ]
    )
    assert (gaps.amin(0) < 1e-3).any()  # eigenvalues meet,
    assert ((gaps.amin(0) < 0.05) & (gaps.amax(0) > 0.05)).any()  # and leave each other's bands


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("smoothing", ["cosine", "hat", "bump"])
def test_gaps_may_pass_through_zero_and_delta(order, smoothing):
    assert steepest(model(order=order, smoothing=smoothing), SWEEP) < 0.02


def test_hard_split_jumps():
    assert steepest(HardSplit(), SWEEP) > 0.2


@pytest.mark.parametrize("k", [2, 4])
def test_eigenvalues_may_cross_the_cutoff(k):
    """A jump stays as it is when the steps get ten times smaller; a slope does not."""
    assert steepest(model(k=k), SWEEP) < 0.3 * steepest(model(k=k), SWEEP[::10]) < 0.1
    hard = HardCut(model(), k)
    assert steepest(hard, SWEEP) > 0.8 * steepest(hard, SWEEP[::10])
