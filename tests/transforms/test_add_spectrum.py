import pytest
import torch
from torch_geometric.data import Batch, Data, HeteroData
from torch_geometric.transforms import Compose, ToUndirected

from ogeaug import AddSpectrum, compute_spectrum
from tests.graphs import HARD


def test_adds_the_spectrum_and_leaves_the_input():
    data = HARD["weighted"]
    out = AddSpectrum(k=5)(data)
    spectrum = compute_spectrum(data.edge_index, 12, data.edge_weight, k=5)
    assert torch.equal(out.eigvals, spectrum.eigvals)
    assert torch.equal(out.eigvecs, spectrum.eigvecs)
    assert out.eigval_cutoff.tolist() == [spectrum.cutoff]
    assert "eigvals" not in data
    assert type(data) is Data


def test_composes():
    half = Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
    out = Compose([ToUndirected(), AddSpectrum(directed="refuse")])(half)
    assert out.eigvecs.shape == (3, 3)
    with pytest.raises(ValueError, match="the graph is directed"):
        AddSpectrum(directed="refuse")(half)


def test_repr_tells_all_arguments():
    """PyG finds stale caches by the repr of a transform."""
    names = ("k", "normalization", "noise", "permute", "directed")
    for changed in (
        AddSpectrum(7),
        AddSpectrum(normalization="sym"),
        AddSpectrum(noise=1e-5),
        AddSpectrum(permute=True),
        AddSpectrum(directed="refuse"),
    ):
        assert repr(changed) != repr(AddSpectrum())
        assert all(f"{name}=" in repr(changed) for name in names)
    assert repr(eval(repr(AddSpectrum(7, noise=1e-5)))) == repr(AddSpectrum(7, noise=1e-5))


def test_noise_differs_at_each_access_and_follows_the_seed():
    add = AddSpectrum(noise=1e-5, permute=True)
    torch.manual_seed(1)
    first, second = add(HARD["path"]), add(HARD["path"])
    torch.manual_seed(1)
    again = add(HARD["path"])
    assert torch.equal(first.eigvecs, again.eigvecs)
    assert not torch.equal(first.eigvecs, second.eigvecs)


def test_exact_spectrum_replaces_a_noisy_one():
    noisy = AddSpectrum(noise=1e-5)(HARD["path"])
    assert torch.equal(AddSpectrum()(noisy).eigvals, AddSpectrum()(HARD["path"]).eigvals)
    assert not torch.equal(noisy.spectrum_recipe, AddSpectrum()(noisy).spectrum_recipe)


def test_what_it_does_not_take():
    with pytest.raises(TypeError, match="apply it before batching"):
        AddSpectrum()(Batch.from_data_list([HARD["path"]]))
    with pytest.raises(TypeError, match="got HeteroData"):
        AddSpectrum()(HeteroData())
    with pytest.raises(ValueError, match=r"needs data.edge_index and data.num_nodes"):
        AddSpectrum()(Data(num_nodes=3))
    with pytest.raises(ValueError, match="noise is a variance"):
        AddSpectrum(noise=-1)
