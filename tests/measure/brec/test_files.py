"""Files of BREC: as published, as pairs, and what is refused before any work."""

import os

import networkx as nx
import numpy as np
import pytest

from ogeaug.errors import UserError
from ogeaug.measure.brec.files import WHOLE, read_brec
from ogeaug.measure.brec.parts import ALL, PARTS, parts_of

HEXAGON = nx.to_graph6_bytes(nx.cycle_graph(6), header=False).strip()
TRIANGLES = nx.to_graph6_bytes(
    nx.disjoint_union(nx.complete_graph(3), nx.complete_graph(3)), header=False
).strip()
SQUARE = nx.to_graph6_bytes(nx.cycle_graph(4), header=False).strip()
PAIR = [HEXAGON, TRIANGLES]


def test_the_published_file(tmp_path):
    """400 pairs with 32 copies of each graph in turn, then 64 copies of one of them."""
    other = nx.to_graph6_bytes(nx.path_graph(6), header=False).strip()
    texts = PAIR * (WHOLE // 4) + [other] * (WHOLE // 2)
    np.save(tmp_path / "brec_v3.npy", np.array(texts))
    samples = read_brec(tmp_path)
    assert len(samples) == ALL == 400
    assert samples[0].texts == (HEXAGON.decode(), TRIANGLES.decode())
    assert set(samples[399].reliability) == {other.decode()}
    assert len(samples[7].copies) == len(samples[7].reliability) == 64
    counts = {part: sum(s.part == part for s in samples) for part, _ in PARTS}
    assert counts == dict(PARTS)
    assert [len(g) for g in samples[0].graphs()] == [6, 6]


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("dr.npy", np.array(PAIR)),
        ("str.npy", np.array([t.decode() for t in PAIR])),
        ("cfi.npy", np.array([PAIR, PAIR])),
        ("extension.npy", np.array([[t.decode() for t in PAIR]])),
        ("4vtx.npy", np.array(PAIR, dtype=object)),
    ],
)
def test_arrays_of_pairs(tmp_path, name, array):
    """Bytes or text, flat or in two columns, as the benchmark's raw files have them."""
    np.save(tmp_path / name, array)
    samples = read_brec(tmp_path)
    assert all(s.texts == (HEXAGON.decode(), TRIANGLES.decode()) for s in samples)
    assert samples[0].part == parts_of(name[:-4], 1)[0]
    assert samples[0].part != name[:-4]


def test_a_folder_of_lines_in_the_order_of_brec(tmp_path):
    for name in ("brec_regular.g6", "brec_basic.g6"):
        (tmp_path / name).write_bytes(b">>graph6<<" + b"\n".join(PAIR) + b"\n")
    (tmp_path / "README.md").write_text("about")
    assert [s.part for s in read_brec(tmp_path)] == ["Basic", "Regular, simple"]
    (tmp_path / "other.g6").write_bytes(b"\n".join(PAIR))
    assert [s.part for s in read_brec(tmp_path)][-1] == "other"


class Bomb:
    def __reduce__(self):
        return os.mkdir, ("went off",)


def bomb(path):
    np.save(path / "basic.npy", np.array([Bomb(), Bomb()], dtype=object))


def cut_off(path):
    np.save(path / "basic.npy", np.array(PAIR * 9))
    whole = (path / "basic.npy").read_bytes()
    (path / "basic.npy").write_bytes(whole[:-20])


REFUSED = {
    "no such folder": (lambda p: p.rmdir(), "there is no file or folder"),
    "nothing in it": (lambda p: (p / "a.txt").write_text("x"), "has no file of BREC"),
    "odd number": (lambda p: np.save(p / "basic.npy", np.array([*PAIR, HEXAGON])), "an odd number"),
    "sizes": (
        lambda p: np.save(p / "cfi.npy", np.array([HEXAGON, SQUARE])),
        "graphs of 6 and 4 nodes",
    ),
    "numbers": (lambda p: np.save(p / "basic.npy", np.eye(2)), "an array of float64"),
    "no graph": (lambda p: np.save(p / "basic.npy", np.array(["~~", "??"])), "graph6"),
    "no array": (lambda p: (p / "basic.npy").write_text("hello"), "is no array of graphs"),
    "cut off": (cut_off, "cut off"),
    "a program": (bomb, "mkdir"),
    "part of brec_v3": (lambda p: np.save(p / "brec_v3.npy", np.array(PAIR * 64)), "51,200"),
    "empty": (lambda p: (p / "basic.g6").write_text(""), "no graphs"),
    "bytes": (lambda p: (p / "basic.g6").write_bytes(b"\xff\xfe"), "graph6"),
    "twice": (
        lambda p: [
            (p / "basic.g6").write_bytes(b"\n".join(PAIR)),
            (p / "brec_basic.g6").write_bytes(b"\n".join(PAIR)),
        ],
        "both hold the part 'Basic'",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case, tmp_path, monkeypatch):
    folder = tmp_path / "brec"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    make, message = REFUSED[case]
    make(folder)
    with pytest.raises((UserError, ValueError), match=message):
        read_brec(folder)
    assert not (tmp_path / "went off").exists()


def test_a_foreign_file(tmp_path):
    (tmp_path / "a.csv").write_text("x")
    with pytest.raises(UserError, match=r"a\.csv is no file of BREC"):
        read_brec(tmp_path / "a.csv")
