"""Graphs from .pt and text files: the same as PyG's own data sets make of them."""

import pytest
import torch
from torch_geometric.datasets import GNNBenchmarkDataset, LRGBDataset, TUDataset

from ogeaug.data import load_data
from ogeaug.data.config import DataConfig
from ogeaug.errors import UserError
from ogeaug.model.config import TaskConfig
from tests.data.sets.published import contact_graph, write_alchemy, write_contact, write_sbm

PARTS = ("train", "val", "test")
SBM = {"pattern": {"num_types": 3, "num_classes": 2}, "cluster": {"num_types": 7, "num_classes": 6}}


def load(name, folder, **options):
    return load_data(DataConfig(name=name, path=str(folder), **options), progress=False)


@pytest.mark.parametrize("name", SBM)
def test_pattern_and_cluster(tmp_path, name):
    write_sbm(tmp_path / name.upper() / "raw", name.upper(), **SBM[name])
    found = load(name, tmp_path)
    assert found.stand_in == ""
    for part in PARTS:
        theirs = GNNBenchmarkDataset(str(tmp_path), name.upper(), split=part)
        for one, other in zip(found.parts.part(part), theirs, strict=True):
            assert torch.equal(one.x.flatten(), other.x.argmax(1))
            assert torch.equal(one.edge_index, other.edge_index)
            assert torch.equal(one.y, other.y)
    some = load(name, tmp_path, limit=2)
    assert [len(some.parts.part(part)) for part in PARTS] == [2, 1, 1]
    assert some.checksum != found.checksum
    write_sbm(tmp_path / name.upper() / "raw", name.upper(), (4, 2, 3), **SBM[name])
    assert load(name, tmp_path).checksum != found.checksum


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": torch.ones(5, 3)}, "is not one-hot of 3 types"),
        ({"x": torch.eye(5)}, "is not one-hot of 3 types"),
        ({"edge_index": torch.tensor([[0], [9]])}, "is no list of edges of 5 nodes"),
        ({"y": torch.full((5,), 2)}, "other classes than 0 to 1"),
        ({"y": torch.tensor(1)}, "no classes and types of nodes"),
        ({"y": torch.ones(5, dtype=torch.bool)}, "no classes and types of nodes"),
        ({"x": torch.eye(5, 3).bool()}, "no classes and types of nodes"),
        ({"x": torch.zeros(0, 3), "y": torch.zeros(0)}, "is not one-hot of 3 types"),
        ({"y": None}, "expected a record of tensors: x, edge_index, y"),
    ],
)
def test_damaged_graphs_are_named(tmp_path, change, message):
    path = write_sbm(tmp_path, "PATTERN") / "PATTERN_v2.pt"
    parts = torch.load(path)
    parts[1][0] |= change
    torch.save(parts, path)
    with pytest.raises(UserError, match=rf"PATTERN_v2\.pt\[1\]\[0\].*{message}"):
        load("pattern", tmp_path)
    torch.save(parts[:2], path)
    with pytest.raises(UserError, match="not three lists of graphs"):
        load("pattern", tmp_path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UserError, match=r"PATTERN_v2\.pt is no complete file"):
        load("pattern", tmp_path)


def test_contacts(tmp_path):
    write_contact(tmp_path / "pcqm-contact" / "raw")
    found = load("pcqm_contact", tmp_path)
    assert found.task == TaskConfig(type="link_ranking")
    assert (found.stand_in, len(found.features.node_sizes)) == ("", 9)
    for part in PARTS:
        theirs = LRGBDataset(str(tmp_path), "PCQM-Contact", split=part)
        for one, other in zip(found.parts.part(part), theirs, strict=True):
            for key in ("x", "edge_index", "edge_attr", "edge_label_index", "edge_label"):
                assert torch.equal(one[key], other[key]), key


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, torch.full((7, 9), 200), "no categories of 7 entries"),
        (1, torch.zeros(3, 3, dtype=torch.long), "no categories of 12 entries"),
        (3, torch.tensor([[0], [7]]), "edge_label_index: .* is no list of edges of 7 nodes"),
        (4, torch.tensor([1, 1, 0, 0, 2]), "edge_label .* is not 0 or 1"),
        (4, None, "expected a record of tensors"),
    ],
)
def test_damaged_contacts_are_named(tmp_path, place, value, message):
    write_contact(tmp_path)
    graph = list(contact_graph())
    graph[place] = value
    torch.save([tuple(graph)], tmp_path / "val.pt")
    with pytest.raises(UserError, match=rf"val\.pt\[0\].*{message}"):
        load("pcqm_contact", tmp_path)


@pytest.mark.parametrize("place", ["", "alchemy_full/raw", "alchemy_full"])
def test_alchemy(tmp_path, place):
    write_alchemy(tmp_path / place)
    for path in (tmp_path / place).glob("*.index"):  # which come from another project
        path.rename(tmp_path / path.name)
    found = load("alchemy", tmp_path)
    assert len(found.task.targets) == 12
    assert (found.features.kind, found.features.node_sizes) == ("own", [6])
    assert [int(d.y[0, 0]) for d in found.parts.train] == [7, 0, 3]
    assert [int(d.y[0, 0]) for d in found.parts.val] == [2, 1]


def test_alchemy_as_in_pyg(tmp_path):
    write_alchemy(tmp_path / "alchemy_full" / "raw")
    theirs = TUDataset(str(tmp_path), "alchemy_full")
    found = load("alchemy", tmp_path)
    wanted = {"train": [7, 0, 3], "val": [2, 1], "test": [5]}
    for part, entries in wanted.items():
        for one, entry in zip(found.parts.part(part), entries, strict=True):
            other = theirs[entry]
            assert torch.equal(one.x.flatten(), other.x.argmax(1))
            assert torch.equal(one.edge_index, other.edge_index)
            assert torch.equal(one.edge_attr.flatten(), other.edge_attr.argmax(1))
            assert torch.equal(one.y.float(), other.y)


def test_targets_of_alchemy_by_number(tmp_path):
    write_alchemy(tmp_path)
    data = DataConfig(name="alchemy", path=str(tmp_path))
    found = load_data(data, task=TaskConfig(targets=["3"]), progress=False)
    assert found.task.targets == ["target_3"]
    assert found.parts.train[0].y.tolist() == [[7 + 3 / 16]]


def test_bad_files_of_alchemy(tmp_path):
    write_alchemy(tmp_path, lists={"train": [0, 1], "val": [1], "test": [2]})
    with pytest.raises(UserError, match="names entry 1, which is in train, too"):
        load("alchemy", tmp_path)
    write_alchemy(tmp_path, lists={"train": [0, 1], "val": [8], "test": [2]})
    with pytest.raises(UserError, match=r"val_al_10\.index names entry 8 .*there are 8"):
        load("alchemy", tmp_path)
    write_alchemy(tmp_path)
    targets = tmp_path / "alchemy_full_graph_attributes.txt"
    targets.write_text("1\n" * 8)
    with pytest.raises(UserError, match="have 1 columns of y, expected 12"):
        load("alchemy", tmp_path)
    for name, text in [("graph_attributes", "1,"), ("node_labels", "0\n"), ("A", "x, y\n")]:
        write_alchemy(tmp_path)
        (tmp_path / f"alchemy_full_{name}.txt").write_text(text)
        with pytest.raises(UserError, match="alchemy_full"):
            load("alchemy", tmp_path)


@pytest.mark.parametrize(
    ("name", "line", "text", "message"),
    [
        ("node_labels", -1, "", "node_labels has 51 rows, expected 52"),
        ("edge_labels", -1, "", "edge_labels has 87 rows, expected 88"),
        ("A", -1, "52, 99\n", r"A names a node outside 1\.\.52"),
        ("A", 0, "1, 5\n", "row 1 of A joins nodes of two graphs"),
    ],
)
def test_files_of_alchemy_that_do_not_fit_together(tmp_path, name, line, text, message):
    write_alchemy(tmp_path)
    path = tmp_path / f"alchemy_full_{name}.txt"
    lines = path.read_text().splitlines(keepends=True)
    lines[line] = text
    path.write_text("".join(lines))
    with pytest.raises(UserError, match=message):
        load("alchemy", tmp_path)


def test_last_graphs_of_alchemy_without_edges(tmp_path):
    write_alchemy(tmp_path)
    for name in ("A", "edge_labels"):
        path = tmp_path / f"alchemy_full_{name}.txt"
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:-34]))
    found = load("alchemy", tmp_path)  # entries 6 and 7 have no edges now
    assert sorted(data.num_edges for data in found.parts.train) == [0, 4, 10]


@pytest.mark.parametrize("name", ["node_labels", "edge_labels"])
def test_a_huge_label_takes_no_memory(tmp_path, name, monkeypatch):
    """PyG makes a column per label below the largest."""
    write_alchemy(tmp_path)
    path = tmp_path / f"alchemy_full_{name}.txt"
    path.write_text("999999999" + path.read_text()[1:])
    monkeypatch.setattr("ogeaug.data.tu_files.read_tu_data", lambda *_: pytest.fail("it was read"))
    with pytest.raises(UserError, match=f"{name} has 1,000,000,000 categories, expected"):
        load("alchemy", tmp_path)
