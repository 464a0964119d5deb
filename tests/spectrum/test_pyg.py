import pickle

import pytest
import torch
from torch_geometric.data import Batch, Data, InMemoryDataset
from torch_geometric.loader import DataLoader

from ogeaug import AddSpectrum, OGEAug
from ogeaug.spectrum.eigen import SpectrumOptions
from ogeaug.spectrum.pyg import SpectralData, read_spectra
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


def test_users_data_class_keeps_its_behaviour():
    labelled = [
        AddSpectrum()(LabelledData(edge_index=d.edge_index, num_nodes=d.num_nodes, label=d.y0))
        for d in (data.clone().update({"y0": torch.tensor([1])}) for data in GRAPHS)
    ]
    assert isinstance(labelled[0], LabelledData)
    assert isinstance(labelled[0], SpectralData)
    batch = Batch.from_data_list([pickle.loads(pickle.dumps(data)) for data in labelled])
    assert batch.label.tolist() == [1, 101, 201, 301, 401]
    assert same_spectrum(batch.get_example(1), labelled[1])


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
