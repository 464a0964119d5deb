"""Parts of encodings by name: built from a configuration, stepped, saved, loaded again."""

import pytest
import torch
from torch_geometric.data import Batch

from ogeaug import load_model
from ogeaug.data.molecule import FEATURES, smiles_to_data
from ogeaug.errors import UserError
from ogeaug.inference.encode import encode_table
from ogeaug.model.config import ModelConfig
from ogeaug.model.graph_model import GraphModel
from ogeaug.pointclouds import POINTCLOUDS
from tests.training.tiny import write_csv

CLOUDS = [
    *POINTCLOUDS,
    {"name": "cartesian", "channels": 5, "order": 1},
    {"name": "search", "depth": 1, "num_layers": 2, "limit": 20_000},
]


def build(backbone=None, **encoding):
    features = {"node_sizes": FEATURES["ogb"].node_sizes, "edge_sizes": FEATURES["ogb"].edge_sizes}
    encoding = {"out_channels": 4, "hidden_channels": 4} | encoding
    return GraphModel.from_config(
        ModelConfig.model_validate(
            {
                "features": features,
                "encodings": [encoding],
                "backbone": {"layers": 1, "channels": 16} | (backbone or {}),
            }
        )
    )


def step_save_load(model, folder):
    """A step changes the encoding; the folder brings it back."""
    batch = Batch.from_data_list([smiles_to_data(smiles) for smiles in ("CCO", "C1CC1", "C")])
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    before = {name: p.clone() for name, p in model.encodings.named_parameters()}
    model(batch).square().sum().backward()
    optimizer.step()
    assert any(not p.equal(before[name]) for name, p in model.encodings.named_parameters())
    model.eval().save_pretrained(folder)
    again = load_model(folder)
    assert again.config == model.config
    assert torch.equal(again(batch), model(batch))


@pytest.mark.parametrize("f", CLOUDS, ids=str)
@pytest.mark.parametrize("name", ["general", "vanilla"])
def test_point_clouds(name, f, tmp_path):
    torch.manual_seed(0)
    model = build(name=name, f=f)
    made = model.encodings[0].f if name == "general" else model.encodings[0].shared
    assert type(made) is POINTCLOUDS[f if isinstance(f, str) else f["name"]]
    assert made.channels == (f.get("channels", 4) if isinstance(f, dict) else 4)
    step_save_load(model, tmp_path / "model")


@pytest.mark.parametrize("name", ["general", "vanilla"])
def test_the_default_is_cartesian(name):
    found = []
    for options in ({}, {"f": "cartesian"}):
        torch.manual_seed(0)
        found.append(build(name=name, **options).state_dict())
    assert all(tensor.equal(found[1][key]) for key, tensor in found[0].items())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"f": "carthesian"}, "unknown point cloud f: 'carthesian'; choose from cartesian, inner"),
        ({"f": {"order": 2}}, "unknown point cloud f: None; choose from"),
        ({"f": {"name": "vector", "order": 2}}, "f 'vector' has no option order; it has channels"),
        ({"f": 3}, "f is a name or a mapping with a name in it, got 3"),
        ({"f": {"name": "cartesian", "channels": 2}}, "channels=2 is too few"),
        ({"f": {"name": "cartesian", "channels": "wide"}}, "wide"),
    ],
)
@pytest.mark.parametrize("name", ["general", "vanilla"])
def test_wrong_point_clouds_are_errors_of_the_user(name, options, message):
    with pytest.raises(UserError, match=message):
        build(name=name, **options)


def test_modules_and_functions_are_for_python():
    with pytest.raises(UserError, match="phi is a module, to be given in Python, got 'mlp'"):
        build(name="general", phi="mlp")
    with pytest.raises(UserError, match="make_f is a function, in place of f; got 'cartesian'"):
        build(name="vanilla", make_f="cartesian")


@pytest.mark.parametrize(("key", "value"), [("channels", 9000), ("num_layers", 300)])
def test_sizes_are_limited_inside_f_too(key, value):
    with pytest.raises(ValueError, match=rf"encoding general: f: {key}={value} is larger than"):
        build(name="general", f={"name": "cartesian", key: value})


@pytest.mark.parametrize("features", [True, "all"])
def test_a_learned_laplacian(features, tmp_path):
    torch.manual_seed(0)
    model = build(name="latent", features=features, num_layers=1)
    assert model.encodings[0].edge_channels == (None if features is True else 16)
    step_save_load(model, tmp_path / "model")
    table = write_csv(tmp_path / "in.csv", header="smiles", rows=["CCO", "C=CO"])
    encode_table(table, tmp_path / "z.csv", model_path=tmp_path / "model", progress=False)
    written = [line.split(",")[2:6] for line in (tmp_path / "z.csv").read_text().splitlines()[1:]]
    found = []
    model.encodings[0].register_forward_hook(lambda *call: found.append(call[-1]))
    with torch.no_grad():
        for smiles in ("CCO", "C=CO"):
            model(smiles_to_data(smiles))
    expected = torch.cat(found)
    torch.testing.assert_close(torch.tensor([list(map(float, row)) for row in written]), expected)


def test_what_a_learned_laplacian_cannot_do():
    with pytest.raises(UserError, match=r"'latent' needs in_channels, .* write features: true"):
        build(name="latent")
    with pytest.raises(UserError, match="'latent' has no option steps; it has in_channels"):
        build(name="latent", features=True, steps=3)
    with pytest.raises(UserError, match="write features: all, and the model fills it in"):
        build(name="latent", features=True, edge_channels=3)
    with pytest.raises(UserError, match="needs a backbone that takes edge features"):
        build(name="latent", features="all", backbone={"name": "gin"})
    with pytest.raises(UserError, match="'oge_aug' takes no edge features; write features: true"):
        build(name="oge_aug", features="all")
