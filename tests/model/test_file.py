import json
import math
import pickle
import zipfile

import pytest
import torch
from pydantic import ValidationError

from ogeaug import load_model
from ogeaug.data.molecule import smiles_to_data
from ogeaug.errors import UserError
from ogeaug.files.tensors import read_tensors, write_tensors
from ogeaug.model.config import EncodingConfig
from ogeaug.model.graph_model import GraphModel
from tests.model.test_graph_model import config


@pytest.fixture
def folder(tmp_path):
    model = GraphModel.from_config(config()).eval()
    model.head.scale.fit(torch.tensor([[1.0, 2.0], [3.0, 7.0]]))
    model.save_pretrained(tmp_path / "model")
    return tmp_path / "model"


def test_round_trip_is_exact(folder):
    first, second = load_model(folder), GraphModel.from_pretrained(folder)
    data = smiles_to_data("CC(=O)Nc1ccc(O)cc1")
    assert torch.equal(first(data), second(data))
    assert first.head.scale.std.tolist() == [1.0, 2.5]
    assert not first.training
    assert sorted(p.name for p in folder.iterdir()) == ["config.json", "model.safetensors"]


def test_a_truncated_file(folder):
    file = folder / "model.safetensors"
    content = file.read_bytes()
    for size in (0, 5, 300, len(content) - 1):
        file.write_bytes(content[:size])
        with pytest.raises(UserError, match=r"no complete safetensors file.*copy it again"):
            load_model(folder)


@pytest.mark.parametrize("place", [0.2, 0.5, 0.9, 0.999])
def test_a_flipped_bit(folder, place):
    content = bytearray((folder / "model.safetensors").read_bytes())
    content[int(place * len(content))] ^= 16
    (folder / "model.safetensors").write_bytes(content)
    with pytest.raises(UserError, match="copy it again or retrain"):
        load_model(folder)


class Hostile:
    def __reduce__(self):
        return (pytest.fail, ("code of a model file was run",))


@pytest.mark.parametrize("kind", ["pickle", "torch", "zip"])
def test_a_hostile_file_runs_nothing(folder, kind):
    file = folder / "model.safetensors"
    if kind == "pickle":
        file.write_bytes(pickle.dumps(Hostile()))
    elif kind == "torch":
        torch.save({"weights": Hostile()}, file)
    else:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("data.pkl", pickle.dumps(Hostile()))
    with pytest.raises(UserError, match="no complete safetensors file"):
        load_model(folder)


def change_config(folder, **changes):
    record = json.loads((folder / "config.json").read_text())
    record["model"]["backbone"] |= changes
    (folder / "config.json").write_text(json.dumps(record))


@pytest.mark.parametrize("changes", [{"dropout": 0.5}, {"residual": False}])
def test_a_config_that_was_changed_but_fits(folder, changes):
    change_config(folder, **changes)
    with pytest.raises(UserError, match=r"not the description that .* was saved with"):
        load_model(folder)


def test_a_config_of_an_older_version_lacks_new_keys(folder):
    record = json.loads((folder / "config.json").read_text())
    del record["model"]["encodings"][0]["features"]
    (folder / "config.json").write_text(json.dumps(record))
    assert not load_model(folder).training


def test_a_config_that_asks_for_all_memory(folder):
    change_config(folder, channels=10**9)
    with pytest.raises(UserError, match="less than or equal to 8192"):
        load_model(folder)


def test_a_config_within_bounds_that_asks_for_all_memory(folder):
    """Half a terabyte, were it built before it is compared with the weights."""
    change_config(folder, channels=8192, layers=256)
    with pytest.raises(UserError, match=r"does not fit .* tensors differ"):
        load_model(folder)


def test_a_config_with_an_unknown_encoding(folder):
    record = json.loads((folder / "config.json").read_text())
    record["model"]["encodings"][0]["name"] = "os.system"
    (folder / "config.json").write_text(json.dumps(record))
    with pytest.raises(UserError, match=r"config.json does not describe a model: unknown encoding"):
        load_model(folder)


def test_an_encoding_that_asks_for_all_memory():
    with pytest.raises(ValidationError, match="hidden_channels=1000000000"):
        EncodingConfig(name="oge_aug", out_channels=8, hidden_channels=10**9)
    with pytest.raises(ValidationError, match="num_layers=8000 is larger than 256"):
        EncodingConfig(name="oge_aug", out_channels=8, num_layers=8000)


def test_config_and_weights_of_two_runs(folder):
    change_config(folder, layers=3)
    with pytest.raises(UserError, match=r"does not fit.*the two files of one training run"):
        load_model(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"model": 3}', '{"model": {"x": 1}}'])
def test_a_damaged_config(folder, text):
    (folder / "config.json").write_text(text)
    with pytest.raises(UserError, match="copy it again or retrain"):
        load_model(folder)


def test_no_model_folder(tmp_path):
    with pytest.raises(UserError, match=r"no config.json.*--resume"):
        load_model(tmp_path)


def test_saving_needs_a_config(tmp_path):
    built = GraphModel.from_config(config())
    model = GraphModel(built.embed, None, built.backbone, built.head)
    with pytest.raises(ValueError, match="from_config"):
        model.save_pretrained(tmp_path)


def test_a_config_of_many_levels(folder):
    (folder / "config.json").write_text('{"model": ' + "[" * 50_000 + "]" * 50_000 + "}")
    with pytest.raises(UserError, match=r"config\.json is damaged: more than 100 levels; copy it"):
        load_model(folder)


@pytest.mark.parametrize(
    "record",
    [None, 3, "text", [], [1, [2]], {}, {"model": 1}, [["dict", 3]]],
    ids=lambda record: json.dumps(record),
)
def test_weights_with_a_foreign_record(folder, record):
    """The checksum is right: something else was saved in this way."""
    tensors, _ = read_tensors(folder / "model.safetensors")
    write_tensors(folder / "model.safetensors", tensors, record)
    with pytest.raises(UserError, match=r"not the description that .* was saved with"):
        load_model(folder)


def test_weights_whose_record_is_no_json(folder, monkeypatch):
    tensors, _ = read_tensors(folder / "model.safetensors")
    for text, message in (("{", "is no JSON"), ("[" * 10**5, "more than 100 levels")):
        with monkeypatch.context() as patch:
            patch.setattr(json, "dumps", lambda record, text=text: text)
            write_tensors(folder / "model.safetensors", tensors)
        with pytest.raises(UserError, match=rf"model\.safetensors is damaged: .*{message}"):
            load_model(folder)


def write_version(folder, version, **changes):
    record = json.loads((folder / "config.json").read_text())
    record["ogeaug_version"] = version
    record["model"] |= changes
    (folder / "config.json").write_text(json.dumps(record))


NEWER = r"was written by ogeaug 12\.3, this is .* install 12\.3 or later"


def test_a_folder_of_a_newer_version(folder):
    write_version(folder, "12.3")
    assert not load_model(folder).training  # it says nothing that this version does not know
    write_version(folder, "12.3", hyperbolic=True)
    with pytest.raises(UserError, match=NEWER + r".*hyperbolic: unknown key"):
        load_model(folder)
    write_version(folder, "0.1.0")
    with pytest.raises(UserError, match=r"does not describe a model: hyperbolic: unknown key"):
        load_model(folder)


def test_a_newer_encoding_or_layer(folder):
    write_version(folder, "12.3", encodings=[{"name": "later", "out_channels": 4}])
    with pytest.raises(UserError, match=NEWER + ".*unknown encoding 'later'"):
        load_model(folder)
    write_version(folder, "12.3", encodings=[])
    with pytest.raises(UserError, match=NEWER + ".*tensors differ"):
        load_model(folder)


@pytest.mark.parametrize("version", ["", "dev", "1e9", "9" * 5000])
def test_odd_versions(folder, version):
    write_version(folder, version)
    assert not load_model(folder).training


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_weights_of_another_precision(folder, dtype):
    tensors, record = read_tensors(folder / "model.safetensors")
    changed = {n: t.to(dtype) if t.is_floating_point() else t for n, t in tensors.items()}
    write_tensors(folder / "model.safetensors", changed, record)
    with pytest.warns(UserWarning, match=f"holds weights in {str(dtype)[6:]}, which become float3"):
        assert load_model(folder).head.mlp[0].weight.dtype == torch.float32


def test_weights_of_another_kind(folder):
    tensors, record = read_tensors(folder / "model.safetensors")
    name = next(n for n, t in tensors.items() if t.is_floating_point())
    write_tensors(folder / "model.safetensors", tensors | {name: tensors[name].long()}, record)
    with pytest.raises(UserError, match=rf"holds int64 for {name}, expected float32; copy it"):
        load_model(folder)


def test_a_view_with_odd_strides_is_written(tmp_path):
    """PyTorch calls a single number contiguous, whatever its stride is."""
    one = torch.arange(400.0)[::40].unsqueeze(0)[:, :1]
    write_tensors(tmp_path / "x.safetensors", {"one": one})
    assert read_tensors(tmp_path / "x.safetensors")[0]["one"].tolist() == [[0.0]]


def test_weights_that_are_nan(folder):
    tensors, record = read_tensors(folder / "model.safetensors")
    name = next(n for n, t in tensors.items() if t.is_floating_point())
    broken = tensors | {name: tensors[name] * math.nan}
    write_tensors(folder / "model.safetensors", broken, record)
    with pytest.raises(UserError, match=rf"holds NaN in 1 tensors \({name}, .*copy it again"):
        load_model(folder)
