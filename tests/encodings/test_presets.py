"""Presets: the authors' options by one word, in Python and in configurations."""

from pathlib import Path

import pytest
import torch
from pydantic import ValidationError

from ogeaug import presets
from ogeaug.encodings import encoding_options, make_encoding
from ogeaug.errors import UserError
from ogeaug.model.config import EncodingConfig, ModelConfig
from ogeaug.model.graph_model import GraphModel
from ogeaug.presets import AUTHORS, Preset, find_preset
from tests.encodings import cases
from tests.graphs import HARD

PAGE = Path(__file__).parents[2] / "docs" / "encodings.md"


def table(name):
    """A table of the page: by the first cell of each row, the others."""
    lines = PAGE.read_text(encoding="utf-8").split(f"<!-- {name}: begin -->")[1]
    rows = lines.split(f"<!-- {name}: end -->")[0].strip().splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return {first: others for first, *others in cells}


def test_the_page_has_every_preset():
    """Each with its width, its options and where they are from."""
    expected = {}
    for name, preset in AUTHORS.items():
        given = dict(preset.options) | ({"inject": "every"} if preset.inject == "every" else {})
        options = ", ".join(f"`{key}: {word(value)}`" for key, value in given.items())
        expected[f"`{name}`"] = [str(preset.out_channels), options, preset.source]
    assert table("presets") == expected


def word(value):
    """As YAML has it."""
    words = {None: "null", True: "true", False: "false"}
    return words.get(value, value) if value is None or isinstance(value, bool) else value


@pytest.mark.parametrize("name", AUTHORS)
def test_every_preset_is_options_of_its_encoding(name):
    options = find_preset(name, "authors").options
    assert options.keys() <= set(encoding_options(name))
    made = make_encoding(name, 28, preset="authors")
    assert repr(made) == repr(make_encoding(name, 28, **options))
    ours = make_encoding(name, 28, preset="ours")
    assert repr(ours) == repr(make_encoding(name, 28))


def test_every_preset_is_among_the_cases():
    assert cases.AUTHORS.keys() == AUTHORS.keys()


def test_a_configuration_fills_in_what_is_not_given():
    found = EncodingConfig(name="rwse", preset="authors", steps=7)
    assert (found.out_channels, found.options) == (28, {"network": "linear", "steps": 7})
    assert EncodingConfig(name="rwse", preset="authors", out_channels=5).out_channels == 5
    ours = EncodingConfig(name="rwse", preset="ours", out_channels=5)
    assert (ours.preset, ours.options) == ("ours", {})


def test_a_configuration_takes_an_encoding_in_where_its_authors_do():
    assert EncodingConfig(name="spe", preset="authors").inject == "every"
    assert EncodingConfig(name="spe", preset="authors", inject="first").inject == "first"
    assert EncodingConfig(name="spe", preset="ours", out_channels=4).inject == "first"


def test_a_preset_builds_the_encoding_of_a_model():
    config = {"encodings": [{"name": "rwse", "preset": "authors"}], "features": {"kind": "own"}}
    model = GraphModel.from_config(ModelConfig.model_validate(config))
    assert sum(p.numel() for p in model.encodings[0].parameters()) == 628


@pytest.mark.parametrize("name", AUTHORS)
def test_a_model_with_a_preset_is_saved_and_loaded(name, tmp_path):
    config = {"encodings": [{"name": name, "preset": "authors"}], "features": {"kind": "own"}}
    model = GraphModel.from_config(ModelConfig.model_validate(config)).eval()
    model.save_pretrained(tmp_path)
    loaded = GraphModel.from_pretrained(tmp_path)
    assert torch.equal(loaded(HARD["grid"]), model(HARD["grid"]))


def test_what_is_written_down_outlives_the_preset(tmp_path, monkeypatch):
    """A model folder has the options themselves: it loads the same when a preset is mended."""
    torch.manual_seed(0)
    config = {"encodings": [{"name": "rwse", "preset": "authors"}], "features": {"kind": "own"}}
    model = GraphModel.from_config(ModelConfig.model_validate(config))
    model.save_pretrained(tmp_path)
    monkeypatch.setitem(presets.AUTHORS, "rwse", Preset("elsewhere", 3, {"network": "mlp"}))
    loaded = GraphModel.from_pretrained(tmp_path)
    assert repr(loaded.encodings) == repr(model.eval().encodings)
    assert "preset" not in model.config.model_dump()["encodings"][0]


def test_an_encoding_without_presets_names_those_that_have_one():
    said = "encoding 'peg' has no presets; those that have are oge_aug, .*rwse"
    with pytest.raises(ValidationError, match=said):
        EncodingConfig(name="peg", preset="authors", out_channels=4)
    with pytest.raises(UserError, match=said):
        make_encoding("peg", 4, preset="ours")


@pytest.mark.parametrize("preset", ["paper", 3, ""])
def test_unknown_presets_list_the_known(preset):
    with pytest.raises(ValidationError, match=r"unknown preset .*; choose from authors, ours"):
        EncodingConfig(name="rwse", preset=preset, out_channels=4)


def test_a_width_is_needed_where_a_preset_has_none():
    with pytest.raises(ValidationError, match="out_channels"):
        EncodingConfig(name="rwse", preset="ours")


@pytest.mark.parametrize("name", ["rwse", "edge_rwse", "lap_pe"])
def test_a_linear_network_has_no_hidden_width(name):
    with pytest.raises(ValueError, match="network='linear' has no hidden layer; leave hidden_chan"):
        make_encoding(name, 4, network="linear", hidden_channels=8)
    with pytest.raises(ValueError, match=r"network must be one of 'mlp', .*, got 'deep'"):
        make_encoding(name, 4, network="deep")
