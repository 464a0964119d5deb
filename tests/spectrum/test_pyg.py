import pickle

import pytest
import torch
from torch_geometric import EdgeIndex
from torch_geometric.data import Batch, Data, InMemoryDataset
from torch_geometric.loader import DataLoader

from ogeaug import AddSpectrum, OGEAug, compute_spectrum
from ogeaug.spectrum.pyg import read_spectra
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectral_data import SpectralData
from tests.graphs import HARD

GRAPHS = [HARD[name] for name in ("path", "star", "one node", "no edges", "cycle")]


@pytest.fixture
def data_list():
    return [AddSpectrum()(data) for data in GRAPHS]


def same_spectrum(a, b):
    return torch.equal(a.eigvals, b.eigvals) and torch.equal(a.eigvecs, b.eigvecs)


def test_batch_is_not_padded(data_list):
    batch = Batch.from_data_list(data_list)
    assert batch.eigvecs.numel() == sum(d.num_nodes**2 for d in GRAPHS)


def test_batch_splits_back(data_list):
    batch = Batch.from_data_list(data_list)
    for i, data in enumerate(data_list):
        assert batch.get_example(i).eigvecs.shape == (data.num_nodes, data.num_nodes)
        assert same_spectrum(batch.get_example(i), data)
        assert same_spectrum(batch.to_data_list()[i], data)


def test_pickles(data_list):
    batch = pickle.loads(pickle.dumps(Batch.from_data_list(data_list)))
    assert same_spectrum(batch.get_example(1), data_list[1])
    assert same_spectrum(pickle.loads(pickle.dumps(data_list[0])), data_list[0])


def test_moves(data_list):
    batch = Batch.from_data_list(data_list).to("meta")
    assert batch.eigvals.is_meta
    assert batch.eigvecs.is_meta
    assert batch.eigval_cutoff.is_meta


def test_worker_processes(data_list):
    loader = DataLoader(data_list, batch_size=3, num_workers=1)
    encode = OGEAug(4, hidden_channels=4, num_layers=1).eval()
    found = torch.cat([encode(batch) for batch in loader])
    torch.testing.assert_close(found, encode(Batch.from_data_list(data_list)))


def test_eigvecs_can_be_assigned_and_changed_in_place(data_list):
    data = data_list[0]
    flipped = -data.eigvecs
    data.eigvecs = flipped
    assert torch.equal(Batch.from_data_list(data_list).get_example(0).eigvecs, flipped)
    data["eigvecs"] = -flipped
    data.eigvecs[:, 0] = 7
    assert (data["eigvecs"][:, 0] == 7).all()


class Molecules(InMemoryDataset):
    """A data set that is processed once and reloaded from disk, as all of PyG's are."""

    @property
    def processed_file_names(self):
        return "data.pt"

    def process(self):
        data_list = [self.pre_transform(data) for data in GRAPHS]
        self.save(data_list, self.processed_paths[0])

    def __init__(self, root, pre_transform):
        super().__init__(root, pre_transform=pre_transform)
        self.load(self.processed_paths[0])


def test_pre_transform_survives_the_disk(tmp_path, data_list, capsys):
    for _ in range(2):  # processed, then reloaded
        dataset = Molecules(tmp_path, AddSpectrum())
        assert all(same_spectrum(a, b) for a, b in zip(dataset, data_list, strict=True))


class LabelledData(Data):
    """A user's own data class, with its own rule for batching."""

    def __inc__(self, key, value, *args, **kwargs):
        return 100 if key == "label" else super().__inc__(key, value, *args, **kwargs)


def labelled_data():
    label = {"label": torch.tensor([1])}
    return [LabelledData(edge_index=d.edge_index, num_nodes=d.num_nodes, **label) for d in GRAPHS]


class LabelledSet(Molecules):
    def process(self):
        self.save([self.pre_transform(d) for d in labelled_data()], self.processed_paths[0])


def test_users_data_class_keeps_its_behaviour(data_list, tmp_path):
    labelled = [AddSpectrum()(data) for data in labelled_data()]
    assert type(labelled[0]) is LabelledData
    batch = pickle.loads(pickle.dumps(Batch.from_data_list(labelled)))
    assert batch.label.tolist() == [1, 101, 201, 301, 401]
    assert torch.equal(batch.get_example(1).eigvecs, data_list[1].eigvecs.flatten())
    encode = OGEAug(4, hidden_channels=4, num_layers=1).eval()
    expected = encode(Batch.from_data_list(data_list))
    torch.testing.assert_close(encode(batch), expected)
    (loaded,) = DataLoader(labelled, batch_size=5, num_workers=1)
    torch.testing.assert_close(encode(loaded), expected)


class ShownData(SpectralData, LabelledData):
    """A user's own data class that shows eigenvectors as [n, K]."""


def test_users_data_class_may_derive_from_spectral_data():
    data = AddSpectrum()(ShownData(edge_index=GRAPHS[0].edge_index, num_nodes=9))
    assert data.eigvecs.shape == (9, 9)
    assert pickle.loads(pickle.dumps(data)).eigvecs.shape == (9, 9)


def test_missing_attributes_are_missing():
    data = AddSpectrum()(HARD["path"])
    assert data.get("eigvecs").shape == (9, 9)
    del data["eigvecs"]
    assert not hasattr(data, "eigvecs")
    assert data.get("eigvecs") is None


def exact_and_noisy(*transforms):
    graphs = [HARD["path"], HARD["star"], HARD["cycle"]]
    exact = [AddSpectrum(t.options.k, t.options.normalization) for t in transforms]
    return tuple(
        Batch.from_data_list([t(d) for t, d in zip(each, graphs, strict=True)])
        for each in (exact, transforms)
    )


@pytest.mark.parametrize(
    "transforms",
    [
        [AddSpectrum(), AddSpectrum(noise=0.1), AddSpectrum(noise=0.1)],
        [AddSpectrum(noise=0.1), AddSpectrum(), AddSpectrum(permute=True)],
        [AddSpectrum(3, noise=0.1), AddSpectrum(5, noise=0.1), AddSpectrum(3)],
        [AddSpectrum(3, noise=0.1), AddSpectrum(3, "sym", noise=0.1), AddSpectrum(3, "sym")],
    ],
)
def test_mixed_batches_are_exact_in_evaluation(transforms):
    exact, noisy = exact_and_noisy(*transforms)
    encode = OGEAug(4, hidden_channels=4, num_layers=1).eval()
    torch.testing.assert_close(encode(noisy), encode(exact))
    encode.train()
    assert (encode(noisy) - encode(exact)).abs().max() > 1e-4


def test_a_changed_graph_is_noticed():
    data = AddSpectrum()(HARD["path"])
    data.edge_index = data.edge_index[:, :-2]
    encode = OGEAug(4, hidden_channels=4, num_layers=1)
    with pytest.raises(ValueError, match=r"was changed after AddSpectrum.* Add the spectrum last"):
        encode(data)


def test_stored_spectra_do_not_excuse_bad_edges():
    encode = OGEAug(4, hidden_channels=4, num_layers=1)
    batch = Batch.from_data_list([AddSpectrum()(d) for d in (HARD["path"], HARD["star"])])
    batch.edge_index[1, 0] = 9
    with pytest.raises(ValueError, match="joins graph 0 and graph 1"):
        encode(batch)
    batch.edge_index[1, 0] = 99
    with pytest.raises(ValueError, match=r"joins graph 0 and graph 1|names a node outside"):
        encode(batch)
    data = AddSpectrum()(HARD["weighted"].clone())
    data.edge_weight[3] = torch.nan
    with pytest.raises(ValueError, match="has weight nan; weights must be finite"):
        encode(data)
    data.edge_weight = torch.ones(3)
    with pytest.raises(
        ValueError, match=r"edge_weight must be \[\d+\], one weight per edge, got \[3\]"
    ):
        encode(data)


def test_stored_spectra_of_another_normalization():
    encode = OGEAug(4, hidden_channels=4, num_layers=1, normalization="sym")
    with pytest.raises(ValueError, match="wants normalization='sym', the stored spectrum has None"):
        encode(AddSpectrum()(HARD["path"]))


def test_edge_index_of_pyg_and_narrow_integers():
    encode = OGEAug(4, hidden_channels=4, num_layers=1).eval()
    edges = EdgeIndex(HARD["path"].edge_index, sparse_size=(9, 9))
    expected = encode(HARD["path"])
    for data in (Data(edge_index=edges, num_nodes=9), HARD["path"]):
        torch.testing.assert_close(encode(AddSpectrum()(data)), expected)
        torch.testing.assert_close(encode(data), expected)
    for dtype in (torch.int32, torch.int16, torch.int8, torch.uint8):
        spectrum = compute_spectrum(HARD["200 nodes"].edge_index[:, :0].to(dtype), 5)
        assert spectrum.eigvals.abs().max() == 0
        narrow = compute_spectrum(HARD["grid"].edge_index.to(dtype), 16)
        torch.testing.assert_close(narrow.eigvals, AddSpectrum()(HARD["grid"]).eigvals)


def test_sizes_must_agree():
    encode = OGEAug(4, hidden_channels=4, num_layers=1)
    empty = torch.empty(2, 0, dtype=torch.long)
    with pytest.raises(ValueError, match="batch or ptr speak of 5 nodes, the data of 9"):
        encode(Data(edge_index=empty, num_nodes=9, ptr=torch.tensor([0, 5])))
    with pytest.raises(TypeError, match="takes a PyG Data or Batch, got NoneType"):
        encode(None)


def test_plain_data_with_handmade_eigenvectors():
    data = AddSpectrum()(HARD["path"])
    plain = HARD["path"].clone()
    plain.eigvals, plain.eigvecs = data.eigvals, data.eigvecs
    encode = OGEAug(4, hidden_channels=4, num_layers=1).eval()
    assert torch.equal(encode(plain), encode(data))
    assert torch.equal(encode(Batch.from_data_list([plain] * 2))[:9], encode(data))


def test_hand_built_batch_without_spectra():
    batch = Batch.from_data_list(GRAPHS)
    by_hand = Data(edge_index=batch.edge_index, batch=batch.batch, num_nodes=batch.num_nodes)
    encode = OGEAug(4, hidden_channels=4, num_layers=1).eval()
    assert torch.equal(encode(by_hand), encode(batch))


def broken(**changes):
    data = AddSpectrum()(HARD["path"])
    plain = Data(**(data.to_dict() | {"eigvecs": data.eigvecs} | changes))
    return Data(**{k: v for k, v in plain.to_dict().items() if v is not None})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"eigvecs": torch.eye(8)},
            r"eigvals \(9\) and eigvecs \(\[8, 8\]\) do not fit .* 9 nodes",
        ),
        ({"eigvals": torch.zeros(10), "eigvecs": torch.zeros(9, 10)}, "do not fit"),
        ({"eigvals": torch.full((9,), torch.nan)}, "hold NaN or infinity"),
        ({"eigvals": torch.arange(9.0).flip(0)}, "eigvals of graph 0 do not ascend"),
        ({"eigvecs": None}, "has eigvals but not its partner"),
        ({"eigval_cutoff": torch.zeros(2)}, r"eigval_cutoff must be \[1\], got \[2\]"),
        (
            {"eigvals": torch.arange(3.0), "eigvecs": torch.eye(9)[:, :3], "eigval_cutoff": None},
            "graph 0 has 3 eigenpairs for 9 nodes, but no data.eigval_cutoff",
        ),
    ],
)
def test_spectra_that_do_not_fit(changes, message):
    with pytest.raises(ValueError, match=message):
        read_spectra(broken(**changes), SpectrumOptions(), training=False)


def test_data_without_edges_or_order():
    with pytest.raises(ValueError, match="has no edge_index"):
        read_spectra(Data(num_nodes=3), SpectrumOptions(), training=False)
    shuffled = Data(
        edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=2, batch=torch.tensor([1, 0])
    )
    with pytest.raises(ValueError, match="batch vector must ascend"):
        read_spectra(shuffled, SpectrumOptions(), training=False)


@pytest.mark.parametrize("key", ["eigvals", "eigvecs"])
def test_the_smallest_whole_number_is_no_small_one(key):
    data = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2)
    data.eigvals, data.eigvecs = torch.tensor([0, 2]), torch.eye(2).long()
    data[key].view(-1)[0] = -(2**63)
    with pytest.raises(
        ValueError, match="eigvals or eigvecs hold NaN or infinity, or numbers beyond"
    ):
        read_spectra(data, SpectrumOptions(), training=False)
