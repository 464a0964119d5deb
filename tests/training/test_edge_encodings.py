"""An encoding of edges where one of nodes was: said what it is, and what it takes."""

import pytest
from typer.testing import CliRunner

from ogeaug.backbone_names import CONVS, EDGE_BACKBONES
from ogeaug.cli.main import app
from ogeaug.compare.plan import plan_configs
from ogeaug.errors import UserError
from ogeaug.model.build import build_backbone
from ogeaug.model.config import BackboneConfig, ModelConfig
from ogeaug.model.graph_model import GraphModel
from tests.training.tiny import SMALL, tiny_config

ABOUT = "edge_rwse is an encoding of edges: it joins the edge features, not those of nodes"


def call(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_swapped_in_by_name_it_says_what_it_takes(table, tmp_path):
    config = tiny_config(table, "encodings.0.name=edge_rwse")
    with pytest.raises(UserError) as refused:
        GraphModel.from_config(config.model_part())
    message = str(refused.value)
    assert "has no option num_layers, delta, k; it has hidden_channels, steps, network," in message
    assert ABOUT in message
    how = "encodings=[{name: edge_rwse, out_channels: 4}]"
    assert f"--set '{how}'" in message
    sets = [part for override in SMALL[:6] for part in ("--set", override)]
    done = call("train", "--data-path", table, "-o", tmp_path / "r", "--quiet", "--epochs", 1,
                *sets, "--set", how)  # fmt: skip
    assert done.exit_code == 0, done.output
    assert f"{ABOUT}; the nodes have none" in done.output
    done = call("encode", "--data-path", table, "--model-path", tmp_path / "r",
                "--output", tmp_path / "z.csv", "--quiet")  # fmt: skip
    assert done.exit_code == 1
    assert f"has no encoding of nodes; {ABOUT}" in done.output


def test_compared(table, tmp_path):
    sets = [part for override in SMALL for part in ("--set", override)]
    done = call("compare", "--config", "default", "--data-path", table, "-o", tmp_path / "c",
                "--encodings", "edge_rwse", "--epochs", 1, "--quiet", *sets,
                "--preset", "equal-width", "--set", "encodings.0.hidden_channels=16")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert f"{ABOUT}; the nodes have none." in done.output
    assert ABOUT in (tmp_path / "c" / "table.md").read_text(encoding="utf-8")


def test_options_in_a_comparison(table):
    with pytest.raises(UserError) as refused:
        plan_configs(tiny_config(table), ["edge_rwse"], {"edge_rwse": {"delta": 0.1}})
    message = str(refused.value)
    assert (
        "no option delta; it has hidden_channels, steps, network, norm, walk, directed" in message
    )
    assert ABOUT in message
    assert "--set" not in message


def test_backbones_that_take_edges():
    """Those that the message names, and no others."""
    for name in CONVS:
        plain = build_backbone(BackboneConfig(name=name))
        gps = build_backbone(BackboneConfig(name="gps", conv=name))
        named = name in EDGE_BACKBONES.replace(",", "").split()
        assert plain.uses_edges == gps.uses_edges == named
    edges = [{"name": "edge_rwse", "out_channels": 4}]
    for backbone in ({"name": "gin"}, {"name": "transformer", "heads": 4}):
        config = ModelConfig.model_validate({"encodings": edges, "backbone": backbone})
        with pytest.raises(UserError, match=EDGE_BACKBONES):
            GraphModel.from_config(config)
