"""A fixed OGE-Aug: what it gives is stored, stays, and says what it has learned."""

import copy
import json

import pytest
import torch
from torch_geometric.data import Batch, Data

from ogeaug import AddSpectrum, OGEAug, load_model
from ogeaug.data.molecule import smiles_to_data
from ogeaug.data.nci import nci_smiles
from ogeaug.encodings.network_file import save_network
from ogeaug.encodings.oge_pretrained import KEY, AddPretrained, PretrainedOGEAug
from ogeaug.errors import UserError
from ogeaug.model.config import ModelConfig
from ogeaug.model.graph_model import GraphModel
from ogeaug.transforms.add_structure import AddStructure
from ogeaug.transforms.needed import needed, to_batch
from tests.graphs import HARD

SMALL = {"hidden_channels": 8, "num_layers": 2, "readout": "every", "k": 6}


def write_network(path, seed=0, **options):
    torch.manual_seed(seed)
    options = SMALL | options
    save_network(OGEAug(5, **options), options, path)
    return str(path)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return write_network(tmp_path_factory.mktemp("network") / "small.safetensors")


def bare(data):
    return Data(edge_index=data.edge_index, num_nodes=data.num_nodes)


@pytest.mark.parametrize("name", HARD)
def test_stored_or_computed_is_the_same(source, name):
    encode, data = PretrainedOGEAug(7, source=source).eval(), HARD[name]
    stored = AddPretrained(source)(data)
    assert KEY not in data
    torch.testing.assert_close(encode(stored), encode(data))


def test_several_at_once_are_as_one_by_one(source):
    add = AddPretrained(source)
    graphs = [bare(HARD[name]) for name in ("grid", "star", "one node", "no edges", "path")]
    for one, other in zip(map(add, graphs), add.add_to_graphs(graphs), strict=True):
        torch.testing.assert_close(one[KEY], other[KEY])
        assert torch.equal(one[f"{KEY}_digest"], other[f"{KEY}_digest"])
        assert other[KEY].untyped_storage().nbytes() == other[KEY].nbytes  # no part of the whole
    batch = to_batch(graphs, [add])
    torch.testing.assert_close(batch[KEY], torch.cat([add(data)[KEY] for data in graphs]))
    mixed = [HARD["weighted"], bare(HARD["grid"])]
    for one, other in zip(map(add, mixed), add.add_to_graphs(mixed), strict=True):
        torch.testing.assert_close(one[KEY], other[KEY])
    assert add.add_to_graphs([]) == []


def test_what_is_stored_is_read(source, monkeypatch):
    encode = PretrainedOGEAug(7, source=source)
    batch = Batch.from_data_list([AddPretrained(source)(bare(HARD["grid"]))] * 2)
    monkeypatch.setattr(OGEAug, "forward", None)
    assert encode.train()(batch).shape == (32, 7)


def test_only_norm_and_map_learn(source):
    encode = PretrainedOGEAug(7, source=source)
    before = copy.deepcopy(encode.network.state_dict())
    optimizer = torch.optim.SGD(encode.parameters(), lr=1.0)
    for _ in range(2):
        optimizer.zero_grad()
        encode.train()(HARD["grid"]).square().sum().backward()
        optimizer.step()
    assert all(torch.equal(v, before[n]) for n, v in encode.network.state_dict().items())
    learns = {name.split(".")[0] for name, p in encode.named_parameters() if p.grad is not None}
    assert learns == {"norm", "linear"}
    assert not encode.network.training


def test_reset_leaves_the_network(source):
    encode = PretrainedOGEAug(7, source=source)
    before = copy.deepcopy(encode.state_dict())
    encode.reset_parameters()
    same = {name: torch.equal(v, before[name]) for name, v in encode.state_dict().items()}
    assert all(same[name] for name in same if name.startswith("network."))
    assert not same["linear.weight"]


def test_a_graph_that_was_changed_is_refused(source):
    data = AddPretrained(source)(bare(HARD["grid"]))
    data.edge_index = data.edge_index[:, 2:]
    with pytest.raises(UserError, match="the graph was changed after AddPretrained"):
        PretrainedOGEAug(7, source=source)(data)


def test_what_another_network_gives_is_refused_and_computed_anew_in_training(source, tmp_path):
    other = write_network(tmp_path / "other.safetensors", seed=1)
    data, encode = AddPretrained(other)(bare(HARD["grid"])), PretrainedOGEAug(7, source=source)
    with pytest.raises(UserError, match="or another network computed it"):
        encode(data)
    with pytest.raises(UserError, match="or another network computed it"):
        encode(AddPretrained()(bare(HARD["grid"])))  # wider
    (add,) = encode.transforms()
    assert not add.is_on(data)
    assert add.is_on(add(data))
    assert encode(add(data)).shape == (16, 7)


def test_stored_ones_are_read_after_conversion_and_loading(source, tmp_path):
    encode = PretrainedOGEAug(7, source=source)
    data = AddPretrained(source)(bare(HARD["grid"]))
    encode(data)
    for kind in (encode.double(), copy.deepcopy(encode).float()):
        assert kind(data).shape == (16, 7)
    other = PretrainedOGEAug(7, source=write_network(tmp_path / "other.safetensors", seed=1))
    encode.load_state_dict(other.state_dict())
    with pytest.raises(UserError, match="or another network computed it"):
        encode(data)


def test_the_spectrum_of_another_encoding_is_not_its_own(source):
    add, plain = AddPretrained(source), bare(HARD["grid"])
    wanted, with_other = add(plain)[KEY], AddSpectrum(k=3, normalization="sym")(bare(HARD["grid"]))
    torch.testing.assert_close(add(with_other)[KEY], wanted)
    torch.testing.assert_close(add.add_to_graphs([with_other])[0][KEY], wanted)
    batch = to_batch([plain, plain], [AddSpectrum(k=3, normalization="sym"), add])
    torch.testing.assert_close(batch[KEY], torch.cat([wanted, wanted]))
    encode = PretrainedOGEAug(7, source=source).eval()
    torch.testing.assert_close(encode(with_other), encode(plain))


def test_a_network_that_gives_no_numbers(source):
    add = AddPretrained(source)
    add.network.get_buffer(next(n for n, _ in add.network.named_buffers() if "var" in n)).fill_(-1)
    with pytest.raises(UserError, match="the network of oge_pretrained gives NaN or infinity"):
        add(bare(HARD["grid"]))


def test_caches_tell_networks_apart(source, tmp_path):
    other = write_network(tmp_path / "other.safetensors", seed=1)
    same = write_network(tmp_path / "same.safetensors")
    assert repr(AddPretrained(source)) == repr(AddPretrained(same))
    assert repr(AddPretrained(source)) != repr(AddPretrained(other))
    encodings = [PretrainedOGEAug(7, source=name) for name in (source, other, same)]
    assert len(needed([encodings[0], encodings[2]])) == 1
    assert needed(encodings[:2]) == []  # each computes its own


def test_a_model_needs_no_file_but_its_own(tmp_path):
    file = write_network(tmp_path / "gone.safetensors")
    encoding = {"name": "oge_pretrained", "out_channels": 7, "source": file}
    config = ModelConfig.model_validate(
        {
            "features": {"kind": "own"},
            "encodings": [encoding],
            "backbone": {"name": "gin", "layers": 1, "channels": 16},
        }
    )
    model, data = GraphModel.from_config(config).eval(), bare(HARD["grid"])
    model.save_pretrained(tmp_path / "model")
    (tmp_path / "gone.safetensors").unlink()
    assert file not in (tmp_path / "model" / "config.json").read_text()
    found = load_model(tmp_path / "model")
    assert torch.equal(found(data), model(data))
    found.save_pretrained(tmp_path / "again")
    records = [json.loads((tmp_path / n / "config.json").read_text()) for n in ("model", "again")]
    assert records[0] == records[1]


def test_described_ones_have_random_weights(source):
    description = PretrainedOGEAug(7, source=source).description
    one, other = (PretrainedOGEAug(7, source=description).eval() for _ in range(2))
    assert one(HARD["grid"]).shape == (16, 7)
    assert not torch.equal(one.network.weight, other.network.weight)
    with pytest.raises(TypeError, match="source must be a name, a file or a mapping, got 3"):
        PretrainedOGEAug(7, source=3)


def test_norm(source):
    plain = PretrainedOGEAug(7, source=source, norm=None)
    torch.testing.assert_close(plain.eval()(HARD["grid"]), plain.train()(HARD["grid"]))
    with pytest.raises(ValueError, match="norm of the features is 'batch' or none, got 'layer'"):
        PretrainedOGEAug(7, source=source, norm="layer")


def test_the_shipped_network_has_learned_something():
    """A linear map of its features tells the structure of molecules that fit the map, and of
    others; one of random features of the same network does not."""
    graphs = [smiles_to_data(smiles) for smiles in nci_smiles()[3000:3120]]
    wanted = torch.cat([AddStructure()(data).structure for data in graphs])
    keep = wanted.std(0) > 1e-3
    wanted = ((wanted - wanted.mean(0)) / wanted.std(0))[:, keep]
    batch, half = Batch.from_data_list(graphs), len(wanted) // 2

    def error(network):
        with torch.no_grad():
            z = network.eval()(batch).double()
        z = torch.cat([(z - z.mean(0)) / z.std(0).clamp(min=1e-9), torch.ones(len(z), 1)], 1)
        fit = torch.linalg.lstsq(z[:half], wanted[:half], driver="gelsd").solution
        return float((z[half:] @ fit - wanted[half:]).square().mean())

    network = PretrainedOGEAug(7).network
    learned = error(network)
    torch.manual_seed(0)
    for module in (*network.products, *network.messages, network.out, network.encode_eigvals):
        module.reset_parameters()
    assert learned < 0.2 < 2 * learned + 0.2 < error(network)
