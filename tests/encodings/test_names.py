"""Encodings by name."""

import pytest
import torch

from ogeaug.encodings import ENCODINGS, encoding_options, make_encoding
from tests.graphs import HARD


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_name_makes_an_encoding(name, dtype):
    encoding = make_encoding(name, 6).to(dtype).eval()
    data = HARD["grid"]
    rows = data.edge_index.size(1) if encoding.level == "edge" else data.num_nodes
    out = encoding(data)
    assert out.shape == (rows, 6)
    assert out.dtype == dtype
    assert "6" in repr(encoding)


def test_levels():
    edges = {name for name, cls in ENCODINGS.items() if cls.level == "edge"}
    assert edges == {"edge_rwse", "hodge1_lap"}


def test_unknown_names_and_options_list_the_known():
    with pytest.raises(ValueError, match="unknown encoding 'lappe'; choose from oge_aug, spe, "):
        make_encoding("lappe", 6)
    with pytest.raises(ValueError, match="'spe' has no option 'steps'; it has hidden_channels, "):
        make_encoding("spe", 6, steps=3)
    with pytest.raises(ValueError, match="'none' has no option 'k'; it has none"):
        make_encoding("none", 6, k=3)
    assert "delta" in encoding_options("oge_aug")


def test_no_encoding_is_nothing(dtype):
    out = make_encoding("none", 3).to(dtype)(HARD["grid"])
    assert torch.equal(out, torch.zeros(16, 3, dtype=dtype))
