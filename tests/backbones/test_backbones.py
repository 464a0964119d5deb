"""What every backbone promises."""

from typing import get_args

import pytest
import torch
from torch_geometric.data import Batch, Data

from ogeaug.backbone_names import BackboneName
from ogeaug.backbones import GPS, MessagePassing
from ogeaug.data.molecule import smiles_to_data
from ogeaug.model.build import build_backbone
from ogeaug.model.config import BackboneConfig

CONFIGS = {
    **{name: {"name": name} for name in ("gcn", "gin", "gine", "gatedgcn")},
    "gat": {"name": "gat", "heads": 2},
    "gps": {"name": "gps", "conv": "gine", "heads": 2},
    "gps without attention": {"name": "gps", "conv": "gatedgcn"},
    "transformer": {"name": "transformer", "heads": 2},
    "no residual": {"name": "gine", "residual": False},
    "layer norm": {"name": "gin", "norm": "layer"},
    "no norm": {"name": "gcn", "norm": "none", "dropout": 0.5},
    "dropouts": {
        "name": "gps",
        "conv": "gin",
        "heads": 4,
        "dropout": 0.1,
        "attention_dropout": 0.5,
    },
}


@pytest.fixture(params=CONFIGS)
def backbone(request, dtype):
    config = BackboneConfig(**CONFIGS[request.param], layers=2, channels=8)
    return build_backbone(config).to(dtype).eval()


def graphs(dtype) -> list[Data]:
    out = []
    for smiles in ("CCO", "C", "c1ccccc1.[Na+]", "CC(C)C"):
        data = smiles_to_data(smiles)
        data.x = torch.randn(data.num_nodes, 8, dtype=dtype)
        data.edge_attr = torch.randn(data.num_edges, 8, dtype=dtype)
        out.append(data)
    return out


def run(backbone, data):
    batch = data.batch if data.batch is not None else torch.zeros(data.num_nodes, dtype=torch.long)
    return backbone(data.x, data.edge_index, data.edge_attr, batch)


def test_batch_equals_one_by_one(backbone, dtype, tolerance):
    alone = graphs(dtype)
    together = run(backbone, Batch.from_data_list(alone))
    each = torch.cat([run(backbone, data) for data in alone])
    torch.testing.assert_close(together, each, rtol=tolerance, atol=tolerance)


def test_follows_a_renumbering(backbone, dtype, tolerance):
    data = graphs(dtype)[2]
    perm = torch.randperm(data.num_nodes)
    place = torch.argsort(perm)
    moved = Data(x=data.x[perm], edge_index=place[data.edge_index], edge_attr=data.edge_attr)
    torch.testing.assert_close(
        run(backbone, moved), run(backbone, data)[perm], rtol=tolerance, atol=tolerance
    )


def test_edge_features_matter_where_promised(backbone, dtype):
    data = graphs(dtype)[3]
    before = run(backbone, data)
    data.edge_attr = data.edge_attr * 2 + 1
    assert backbone.uses_edges == (not torch.equal(before, run(backbone, data)))


def test_gradients_reach_every_parameter(backbone, dtype):
    backbone.train()
    (run(backbone, Batch.from_data_list(graphs(dtype))) ** 2).sum().backward()
    for name, parameter in backbone.named_parameters():
        assert parameter.grad is not None or "convs.1" in name or "layers.1.conv" in name, name


OTHERS = {
    "layers": 3,
    "conv": "gin",
    "heads": 4,
    "dropout": 0.5,
    "attention_dropout": 0.5,
    "residual": False,
    "norm": "layer",
    "gatedgcn": "plain",
}


@pytest.mark.parametrize("key", OTHERS)
@pytest.mark.parametrize("name", get_args(BackboneName))
def test_an_option_is_used_or_refused(name, key):
    needed = {"gps": {"conv": "gine", "heads": 2}, "transformer": {"heads": 2}}.get(name, {})
    usual = {"name": name, "layers": 2, "channels": 8, **needed}
    found, batch = [], Batch.from_data_list(graphs(torch.float32))
    refusal = None
    for others in ({}, {key: OTHERS[key]}):
        torch.manual_seed(0)
        try:
            found.append(run(build_backbone(BackboneConfig(**usual | others)), batch))
        except ValueError as error:
            refusal = str(error)
    if refusal is None:
        assert not torch.equal(*found)
    else:
        assert f"backbone {name} does not use {key}; leave it out" in refusal


def test_every_option_is_tried():
    assert {"name", "channels", *OTHERS} == set(BackboneConfig.model_fields)


@pytest.mark.parametrize("make", [GPS, MessagePassing])
def test_unknown_convolutions_list_the_known(make):
    with pytest.raises(ValueError, match="unknown convolution 'gcnn'; choose from gcn, gin, "):
        make(8, conv="gcnn")
