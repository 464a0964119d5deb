"""Files of pairs, good and bad."""

import gzip

import networkx as nx
import pytest

from ogeaug.measure.pairs import parse_graph6, read_pairs


def graph6(graph):
    return nx.to_graph6_bytes(graph, header=False).decode().strip()


CYCLE, PATH = graph6(nx.cycle_graph(5)), graph6(nx.path_graph(5))


def write(path, *lines):
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_reads_graph6(tmp_path):
    pairs = read_pairs(write(tmp_path / "hard.g6", ">>graph6<<" + CYCLE, PATH, PATH, CYCLE, ""))
    assert [(p.name, p.category) for p in pairs] == [("hard 0", "hard"), ("hard 1", "hard")]
    assert pairs[0].left.edge_index.size(1) == 10
    assert pairs[0].right.edge_index.size(1) == 8


def test_reads_compressed_csv_with_node_types(tmp_path):
    path = tmp_path / "typed.csv.gz"
    with gzip.open(path, "wt") as file:
        file.write(f"graph6,node_types,label\n{CYCLE},00112,1\n{PATH},00000,0\n")
    (pair,) = read_pairs(path)
    assert pair.left.x.argmax(-1).tolist() == [0, 0, 1, 1, 2]
    assert pair.right.x.shape == (5, 3)


def test_categories(tmp_path):
    path = write(tmp_path / "two.g6", CYCLE, PATH, PATH, CYCLE)
    assert [p.category for p in read_pairs(path, [("a", 1), ("b", 1)])] == ["a", "b"]
    with pytest.raises(ValueError, match="2 pairs, but the categories add up to 3"):
        read_pairs(path, [("a", 3)])


@pytest.mark.parametrize("bad", ["~", "D!!", "Zz", "D", "ä", "?"])
def test_bad_line_is_named(tmp_path, bad):
    path = write(tmp_path / "bad.g6", CYCLE, PATH, bad, PATH)
    with pytest.raises(ValueError, match=r"bad\.g6, line 3"):
        read_pairs(path)


def test_odd_number_of_graphs(tmp_path):
    with pytest.raises(ValueError, match="3 graphs, an odd number"):
        read_pairs(write(tmp_path / "odd.g6", CYCLE, PATH, PATH))


def test_empty_file(tmp_path):
    with pytest.raises(ValueError, match="no graphs"):
        read_pairs(write(tmp_path / "empty.g6"))


def test_csv_without_graphs(tmp_path):
    with pytest.raises(ValueError, match="no column graph6"):
        read_pairs(write(tmp_path / "x.csv", "smiles,y", "C,1"))


def test_wrong_node_types(tmp_path):
    with pytest.raises(ValueError, match=r"line 2: node_types must be 5 digits"):
        read_pairs(write(tmp_path / "x.csv", "graph6,node_types", f"{CYCLE},01"))


def test_parse_graph6_round_trip():
    assert nx.utils.graphs_equal(parse_graph6(CYCLE, "here"), nx.cycle_graph(5))


def test_labels_may_be_classes(tmp_path):
    path = tmp_path / "three.csv"
    path.write_text("graph6,label\nBw,a\nBw,a\nBo,b\nBG,b\nC~,c\n")
    pairs = read_pairs(path)
    assert [pair.name for pair in pairs] == ["three: a and b", "three: a and c", "three: b and c"]
    assert [pair.left.num_edges for pair in pairs] == [6, 6, 4]


def test_quotes_and_blank_lines(tmp_path):
    read = read_pairs(write(tmp_path / "x.csv", "graph6", CYCLE, "", CYCLE, ""))
    assert [pair.name for pair in read] == ["x 0"]
    lines = ["graph6,note", f'{CYCLE},"a', f"{CYCLE},b", f"{CYCLE},c", f'{CYCLE},d"']
    with pytest.raises(ValueError, match=r"line 2 goes on to line 5: its column 'note'"):
        read_pairs(write(tmp_path / "x.csv", *lines))
