"""Files of pretrained networks: whole, of the right kind, or refused in our words."""

import pytest
import torch

from ogeaug import OGEAug
from ogeaug.encodings.network_file import (
    SHIPPED,
    Network,
    build_network,
    load_network,
    save_network,
)
from ogeaug.errors import UserError
from ogeaug.files.tensors import write_tensors
from ogeaug.model.folder import find_folder

OPTIONS = {"hidden_channels": 8, "num_layers": 1, "k": 6}


@pytest.fixture
def file(tmp_path):
    torch.manual_seed(0)
    save_network(OGEAug(5, **OPTIONS), OPTIONS, tmp_path / "network.safetensors")
    return tmp_path / "network.safetensors"


def test_comes_back_as_it_was(file):
    torch.manual_seed(0)
    network, (found, description) = OGEAug(5, **OPTIONS), load_network(file)
    assert description == {"out_channels": 5, **OPTIONS}
    assert repr(found) == repr(network)
    mine, theirs = network.state_dict(), found.state_dict()
    assert mine.keys() == theirs.keys()
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)
    assert not found.training


def test_shipped_ones_load_on_any_default_device():
    assert "molecules" in SHIPPED
    with torch.device("meta"):
        found = [load_network(name).network for name in SHIPPED]
    assert all(p.device.type == "cpu" for network in found for p in network.parameters())


def test_a_file_of_your_own_goes_first(file, monkeypatch):
    monkeypatch.chdir(file.parent)
    file.rename("molecules")
    assert load_network("molecules").description["num_layers"] == 1


def test_what_is_not_there():
    with pytest.raises(
        UserError, match=r"no pretrained network 'nothing': give a file .* molecules"
    ):
        load_network("nothing")


def test_a_model_is_no_network():
    with pytest.raises(UserError, match="holds no pretrained network"):
        load_network(find_folder("zinc") / "model.safetensors")


def test_damage(file):
    whole = file.read_bytes()
    file.write_bytes(whole[:-7])
    with pytest.raises(UserError, match="no complete safetensors file"):
        load_network(file)
    file.write_bytes(whole[:-4] + b"abcd")
    with pytest.raises(UserError, match="does not match its checksum"):
        load_network(file)
    file.write_text("smiles,y\nCC,1\n")
    with pytest.raises(UserError, match="no complete safetensors file"):
        load_network(file)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (None, "holds no pretrained network"),
        ({"hidden_channels": 8}, "holds no pretrained network"),
        ({"out_channels": 5, "in_channels": 3}, "described by out_channels .*got in_channels"),
        ({"out_channels": "5"}, "out_channels of a network must be a whole number, got '5'"),
        ({"out_channels": 5, "readout": "first"}, "no description: unknown readout"),
        ({"out_channels": 5, "hidden_channels": 10**6}, "hidden_channels=1000000 is larger"),
        ({"out_channels": 5, "delta": "0.1"}, "delta of a network must be a whole number or a num"),
        ({"out_channels": 5, "k": True}, "k of a network must be a whole number or null, got True"),
        ({"out_channels": 5, "num_layers": 10**9}, "num_layers=1000000000 is larger"),
        ({"out_channels": 6, "hidden_channels": 8, "num_layers": 1}, "do not fit its own"),
    ],
)
def test_strange_descriptions(file, record, said):
    write_tensors(file, load_network(file).network.state_dict(), record)
    with pytest.raises(UserError, match=said):
        load_network(file)


def test_names_that_no_file_can_have():
    for name in ("", "x" * 300, "a\0b"):
        with pytest.raises(UserError, match="there is no pretrained network"):
            load_network(name)


@pytest.mark.parametrize("dtype", [torch.float16, torch.float8_e4m3fn, torch.int64, torch.bool])
def test_weights_of_another_kind(file, dtype):
    tensors = load_network(file).network.state_dict()
    tensors["out.weight"] = tensors["out.weight"].to(dtype)
    write_tensors(file, tensors, {"out_channels": 5} | OPTIONS)
    with pytest.raises(UserError, match="do not fit its own description"):
        load_network(file)


def test_numbers_tell_networks_apart(file):
    network, description = load_network(file)
    assert Network(network, description).number() == load_network(file).number()
    assert Network(network, description | {"delta": 0.1}).number() != load_network(file).number()
    with torch.no_grad():
        network.weight[0, 0] += 1
    assert Network(network, description).number() != load_network(file).number()


def test_weights_that_are_no_numbers(file):
    tensors = load_network(file).network.state_dict()
    tensors["out.weight"][0, 0] = torch.nan
    write_tensors(file, tensors, {"out_channels": 5} | OPTIONS)
    with pytest.raises(UserError, match="no finite numbers"):
        load_network(file)


def test_a_description_gives_random_weights(file):
    one, other = (build_network(load_network(file).description) for _ in range(2))
    assert not torch.equal(one.weight, other.weight)
    assert not one.training
    with pytest.raises(UserError, match=r"described by out_channels and, by choice, .* got k"):
        build_network({"k": 3})
