"""Encodings by name."""

import re
import subprocess
import sys

import pytest
import torch
from torch_geometric.data import Data

from ogeaug import encodings
from ogeaug.encodings import ENCODINGS, encoding_options, make_encoding, needs_features
from ogeaug.errors import UserError
from tests.graphs import HARD


def make(name, out_channels, **options):
    """An encoding at its defaults, with three node features if it cannot be without."""
    return make_encoding(name, out_channels, **needed(name), **options)


def needed(name):
    return {"in_channels": 3} if needs_features(name) else {}


def with_features(data):
    data = data.clone()
    data.x = torch.ones(data.num_nodes, 3)
    return data


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_name_makes_an_encoding(name, dtype):
    encoding = make(name, 6).to(dtype).eval()
    data = with_features(HARD["grid"])
    rows = data.edge_index.size(1) if encoding.level == "edge" else data.num_nodes
    out = encoding(data)
    assert out.shape == (rows, 6)
    assert out.dtype == dtype
    assert "6" in repr(encoding)


def test_levels():
    edges = {name for name, cls in ENCODINGS.items() if cls.level == "edge"}
    assert edges == {"edge_rwse", "hodge1_lap", "oge_pairs"}
    assert edges == {name for name in ENCODINGS if ENCODINGS.level(name) == "edge"}


def test_names_are_known_before_torch_is_loaded():
    code = (
        "import sys; from ogeaug.encodings import ENCODINGS; ENCODINGS.check('spe')\n"
        "print('spe' in ENCODINGS, len(ENCODINGS), ENCODINGS.level('hodge1_lap'))\n"
        "print('torch' in sys.modules)\n"
        "from ogeaug.encodings import SPE; print(SPE is ENCODINGS['spe'], 'torch' in sys.modules)"
    )
    said = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert said.splitlines() == [f"True {len(ENCODINGS)} edge", "False", "True True"]


def test_classes_can_be_imported_from_the_folder():
    for kind in ENCODINGS.values():
        assert getattr(encodings, kind.__name__) is kind
        assert kind.__name__ in dir(encodings)
    assert set(encodings.__all__) <= set(dir(encodings))
    with pytest.raises(AttributeError, match="has no attribute 'Spe'"):
        _ = encodings.Spe


def test_an_encoding_of_your_own(monkeypatch):
    class Mine(ENCODINGS["edge_rwse"]):
        pass

    monkeypatch.setitem(ENCODINGS, "mine", Mine)
    assert type(make_encoding("mine", 6, steps=3)) is Mine
    assert ENCODINGS.level("mine") == "edge"
    assert list(ENCODINGS)[-1] == "mine"
    monkeypatch.undo()
    with pytest.raises(UserError, match="unknown encoding 'mine'; choose from oge_aug, "):
        make_encoding("mine", 6)


def test_unknown_names_and_options_list_the_known():
    with pytest.raises(ValueError, match="unknown encoding 'lappe'; choose from oge_aug, "):
        make_encoding("lappe", 6)
    with pytest.raises(ValueError, match="'spe' has no option steps; it has hidden_channels, "):
        make_encoding("spe", 6, steps=3)
    with pytest.raises(ValueError, match="'none' has no option k; it has none"):
        make_encoding("none", 6, k=3)
    assert "delta" in encoding_options("oge_aug")


@pytest.mark.parametrize("name", [name for name in ENCODINGS if name != "none"])
def test_bad_input_is_refused(name):
    with pytest.raises(ValueError, match="out_channels must be at least 1"):
        make(name, 0)
    with pytest.raises(ValueError, match="hidden_channels"):
        make(name, 3, hidden_channels=0)
    with pytest.raises(ValueError, match="has no edge_index"):
        make(name, 3)(with_features(Data(num_nodes=3)))
    outside = with_features(Data(num_nodes=2, edge_index=torch.tensor([[0], [2]])))
    with pytest.raises(ValueError, match="names a node outside"):
        make(name, 3)(outside)
    if "k" in encoding_options(name):
        with pytest.raises(ValueError, match="k must be at least 1"):
            make(name, 3, k=0)
        with pytest.raises(TypeError, match="k must be a whole number"):
            make(name, 3, k=2.5)


@pytest.mark.parametrize("name", ENCODINGS)
def test_one_node_and_no_edges_in_training(name):
    encoding = make(name, 3).train()
    for graph in ("one node", "no edges"):
        assert encoding(with_features(HARD[graph])).isfinite().all()


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_option_is_explained(name):
    """In the list of arguments: ``k: ...``, or ``k, delta: ...``."""
    arguments = ENCODINGS[name].__doc__.split("Args:")[1].split("Shapes:")[0]
    named = re.findall(r"^        (\w+(?:, \w+)*): ", arguments, re.MULTILINE)
    explained = {word for words in named for word in words.split(", ")}
    assert {"out_channels", *encoding_options(name)} <= explained


def test_one_that_needs_features_says_so():
    with pytest.raises(UserError, match=r"'latent' needs in_channels, .* write features: true"):
        make_encoding("latent", 3)


def test_no_encoding_is_nothing(dtype):
    out = make_encoding("none", 3).to(dtype)(HARD["grid"])
    assert torch.equal(out, torch.zeros(16, 3, dtype=dtype))
