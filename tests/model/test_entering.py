"""Encodings at the input, at every layer, and as gates of messages."""

import json

import networkx as nx
import pytest
import torch
from torch import nn
from torch_geometric.data import Batch

from ogeaug import compute_spectrum, load_model
from ogeaug.errors import UserError
from ogeaug.model.config import BackboneConfig, ModelConfig
from ogeaug.model.graph_model import GraphModel
from tests.graphs import to_data

RWSE = {"name": "rwse", "out_channels": 4, "steps": 5, "hidden_channels": 8}
EDGES = {"name": "edge_rwse", "out_channels": 3, "steps": 5, "hidden_channels": 8}
GATE = {"name": "es_lap_pe", "out_channels": 5, "k": 3}
BACKBONES = {
    "gine": {"name": "gine"},
    "gcn": {"name": "gcn"},
    "gatedgcn": {"name": "gatedgcn"},
    "gat": {"name": "gat", "heads": 2},
    "gps": {"name": "gps", "conv": "gatedgcn", "heads": 2},
    "transformer": {"name": "transformer", "heads": 2},
}


def build(backbone, *encodings, layers=3):
    torch.manual_seed(0)
    chosen = {**BACKBONES.get(backbone, {"name": backbone}), "layers": layers, "channels": 12}
    config = {"features": {"kind": "own"}, "encodings": encodings, "backbone": chosen}
    config["head"] = {"pooling": "sum"}  # large numbers: no dead units
    return GraphModel.from_config(ModelConfig.model_validate(config)).eval()


def batch():
    graphs = [nx.path_graph(5), nx.petersen_graph(), nx.empty_graph(1)]
    return Batch.from_data_list([to_data(graph) for graph in graphs])


@pytest.mark.parametrize("backbone", BACKBONES)
def test_every_layer_adds_a_map_of_the_encoding(backbone):
    first, every = build(backbone, RWSE), build(backbone, RWSE | {"inject": "every"})
    maps = every.injection.nodes
    assert [tuple(p.weight.shape) for p in maps] == [(12, 4), (12, 4)]
    more = sum(p.weight.numel() for p in maps)
    assert every.num_parameters == first.num_parameters + more
    weights = {k: v for k, v in every.state_dict().items() if "injection" not in k}
    first.load_state_dict(weights)
    assert not torch.allclose(every(batch()), first(batch()))
    for p in maps:
        nn.init.zeros_(p.weight)
    assert torch.equal(every(batch()), first(batch()))


def test_maps_are_added_where_they_should():
    model, seen = build("gine", RWSE | {"inject": "every"}), []
    for conv in model.backbone.convs:
        conv.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
        conv.register_forward_hook(lambda _, inputs, out: (torch.zeros_like(out[0]), out[1]))
    model(batch())
    z = model.encodings[0](batch())
    shift = model.backbone.norms[0](torch.zeros_like(seen[0])).relu()  # of a silent layer
    torch.testing.assert_close(seen[1], seen[0] + shift + model.injection.nodes[0](z))


def test_encodings_of_edges_enter_every_layer():
    model = build("gatedgcn", RWSE | {"inject": "every"}, EDGES | {"inject": "every"})
    assert [tuple(p.weight.shape) for p in model.injection.edges] == [(12, 3), (12, 3)]
    before = model(batch())
    nn.init.zeros_(model.injection.edges[1].weight)
    assert not torch.allclose(before, model(batch()))


def test_models_of_one_layer_refuse_it():
    with pytest.raises(UserError, match=r"at least 2 layers, this is 1; set backbone\.layers, or"):
        build("gine", RWSE | {"inject": "every"}, layers=1)


def test_backbones_of_somebody_else_refuse_it():
    model = build("gine", RWSE)
    own = nn.Identity()
    own.uses_edges = True
    with pytest.raises(UserError, match="without layers that can be reached"):
        GraphModel(model.embed, model.encodings[0], own, model.head, inject=["every"])


@pytest.mark.parametrize("backbone", ["gin", "gine", "gatedgcn", "gps"])
def test_gates_go_by_distances(backbone):
    model = build(backbone, GATE)
    assert model.embed.node.table.weight.size(1) == 12  # it takes no room
    model.encodings[0].linear.weight.data *= 30
    before = model(batch())
    for name, weight in model.named_parameters():
        if ".gate.2." in name:  # the same gate for all messages
            nn.init.zeros_(weight)
    same = model(batch())
    assert (before - same).abs().max() > 1e-4
    model.encodings[0].linear.weight.data *= 3
    assert torch.equal(model(batch()), same)  # distances matter through the gates alone


def test_gates_without_a_map_are_invariant():
    model = build("gatedgcn", {"name": "es_lap_pe", "out_channels": 3, "k": 3, "project": False})
    data = to_data(nx.cycle_graph(7))
    angle = torch.tensor(0.7)
    turn = torch.tensor([[angle.cos(), -angle.sin()], [angle.sin(), angle.cos()]])
    spectrum = compute_spectrum(data.edge_index, 7)
    found = []
    for basis in (torch.eye(2), turn):
        data.eigvals, data.eigvecs = spectrum.eigvals, spectrum.eigvecs.clone()
        data.eigvecs[:, 1:3] = data.eigvecs[:, 1:3] @ basis.double()
        found.append(model(data))
    torch.testing.assert_close(*found)


@pytest.mark.parametrize("backbone", ["gcn", "gat", "transformer"])
def test_backbones_without_gates_refuse_them(backbone):
    with pytest.raises(UserError, match=r"cannot be gated by distances; choose gin, gine"):
        build(backbone, GATE)


def test_gates_that_make_no_sense_are_refused():
    with pytest.raises(UserError, match="one gate per message, got ESLapPE, ESLapPE; keep one"):
        build("gine", GATE, GATE)
    with pytest.raises(UserError, match="gates every layer by itself; leave inject out"):
        build("gine", GATE | {"inject": "every"})
    with pytest.raises(UserError, match="positions are k=3 wide, got out_channels=5"):
        build("gine", GATE | {"project": False})


def test_models_of_earlier_versions_keep_their_gated_layers(tmp_path):
    written = BackboneConfig(name="gps", conv="gatedgcn", layers=2, channels=8).model_dump()
    assert BackboneConfig(**written).gatedgcn == "authors"
    del written["gatedgcn"]
    old = BackboneConfig(**written)
    assert old.gatedgcn == "plain"
    assert BackboneConfig(name="gatedgcn").gatedgcn == "authors"
    model = GraphModel.from_config(ModelConfig(features={"kind": "own"}, backbone=old)).eval()
    layer = model.backbone.layers[0]
    assert isinstance(layer.conv.norm, nn.LayerNorm)
    assert layer.own_norm is None
    wanted = model(batch())
    model.save_pretrained(tmp_path)
    record = json.loads((tmp_path / "config.json").read_text())
    del record["model"]["backbone"]["gatedgcn"]
    (tmp_path / "config.json").write_text(json.dumps(record))
    assert torch.equal(load_model(tmp_path)(batch()), wanted)
    with pytest.raises(ValueError, match="backbone gine does not use gatedgcn; leave it out"):
        BackboneConfig(name="gine", gatedgcn="plain")
