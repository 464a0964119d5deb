"""The style of all figures: colours that colour-blind people tell apart, looks that stay."""

from itertools import combinations

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from ogeaug.encodings import ENCODINGS
from ogeaug.files.output import save_figure
from ogeaug.pictures import COLOURS, STYLE, looks, new_figure, styled
from ogeaug.pictures.style import KNOWN, LOOKS

SEEN_BY = {  # Machado, Oliveira, Fernandes 2009, severity 1: of linear RGB
    "all": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour):
    c = np.array(to_rgb(colour))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    x, y, z = TO_XYZ @ rgb.clip(0, 1) / (TO_XYZ @ np.ones(3))
    f = [t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def nearest(colours, eye):
    seen = [lab(np.array(SEEN_BY[eye]) @ linear(c)) for c in colours]
    return min(np.linalg.norm(a - b) for a, b in combinations(seen, 2))


@pytest.mark.parametrize("eye", SEEN_BY)
def test_colours_are_told_apart(eye):
    assert nearest(COLOURS, eye) > 10  # 2.3 is a just noticeable difference


def test_the_measure_finds_colours_that_some_cannot_tell_apart():
    red, green = "#B35A00", "#7A7A00"
    assert nearest([red, green], "all") > 40
    assert nearest([red, green], "protanopia") < 10


def test_colours_are_seen_on_white():
    for colour in COLOURS:
        light = float((TO_XYZ @ linear(colour))[1])
        assert 1.05 / (light + 0.05) > 2, colour


def test_encodings_keep_their_look():
    assert set(KNOWN) == set(ENCODINGS)
    assert len(set(KNOWN.values())) == len(KNOWN)
    assert looks(["spe", "oge_aug"])["oge_aug"] == looks(["oge_aug"])["oge_aug"]


def test_labels_never_get_the_look_of_an_encoding_that_is_shown():
    names = [f"variant {i}" for i in range(len(LOOKS) - len(KNOWN))]
    found = looks([*names, *KNOWN])
    assert len(set(found.values())) == len(found)
    assert looks(map(str, range(100)))["99"]  # more than there are looks


def test_a_users_own_settings_neither_count_nor_change():
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "black"}):
        with styled():
            axes = new_figure(3, 2).subplots()
        assert matplotlib.rcParams["font.size"] == 30
    assert axes.xaxis.label.get_fontsize() == STYLE["font.size"]
    assert axes.get_facecolor() == (1, 1, 1, 1)


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_the_same_figure_gives_the_same_file(kind, tmp_path):
    for name in ("a", "b"):
        with styled():
            figure = new_figure(3, 2)
            figure.subplots().plot([1, 2], clip_on=True)
        save_figure(figure, tmp_path / f"{name}.{kind}")
    first, second = ((tmp_path / f"{name}.{kind}").read_bytes() for name in ("a", "b"))
    assert first == second
    assert b"Date" not in first or kind == "png"
