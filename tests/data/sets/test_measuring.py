"""Sets of plain graphs: their definitions, their files, their counts."""

from itertools import combinations

import networkx as nx
import pytest
from torch_geometric.utils import to_networkx

from ogeaug.data import load_data
from ogeaug.data.config import DataConfig, SplitConfig
from ogeaug.data.counting import count_cycles, count_parts, erdos_renyi, thinned_regular
from ogeaug.data.sets import DATASETS
from ogeaug.data.table import TableReader
from ogeaug.errors import UserError
from ogeaug.measure.families.strongly_regular import rook
from ogeaug.model.config import FeaturesConfig, TaskConfig
from tests.tables import table

HALF = SplitConfig(sizes=(0.5, 0.5, 0))


def load(name, folder=None, split=HALF, **options):
    path = None if folder is None else str(folder)
    return load_data(DataConfig(name=name, path=path, **options), split, progress=False)


def graphs(found):
    return sorted(found.parts.train + found.parts.val, key=lambda data: int(data.row))


def test_csl_is_ten_classes_of_fifteen():
    loaded = load("csl")
    found = graphs(loaded)
    assert len(found) == 150
    first = [to_networkx(data, to_undirected=True) for data in found[::15]]
    assert {degree for graph in first for _, degree in graph.degree} == {4}
    spectra = [nx.adjacency_spectrum(graph).real.round(6) for graph in first]
    for one, other in combinations(map(sorted, spectra), 2):
        assert one != other  # so none are isomorphic
    for copy in (1, 14):
        other = nx.adjacency_spectrum(to_networkx(found[copy], to_undirected=True)).real.round(6)
        assert sorted(other) == sorted(spectra[0])
        assert not found[copy].edge_index.equal(found[0].edge_index)
    assert loaded.task == TaskConfig(type="multiclass", targets=["label"], num_classes=10)
    with pytest.raises(UserError, match="takes no path"):
        load("csl", "x")


def test_sr25_from_its_file(tmp_path):
    text = nx.to_graph6_bytes(nx.Graph(rook())).decode()
    (tmp_path / "sr251256.g6").write_text(text * 15)
    found = load("sr25", tmp_path)
    assert [data.y.item() for data in graphs(found)] == list(range(15))
    assert (found.stand_in, found.features.kind) == ("", "graph6")
    (tmp_path / "sr251256.g6").write_text(text * 3)
    with pytest.raises(UserError, match="has 3 lines; SR25 has 15 graphs"):
        load("sr25", tmp_path)
    (tmp_path / "sr251256.g6").write_text("<html>\n" * 15)
    with pytest.raises(UserError, match="none of the 15 rows"):
        load("sr25", tmp_path)


EXP = "4\n3 1\n0 1 1\n1 2 0 2\n0 1 1\n" + "2 0\n1 1 1\n1 1 0\n" + "1 1\n0 0\n1 0\n1 0\n"


def test_exp_from_its_file(tmp_path):
    (tmp_path / "GRAPHSAT.txt").write_text(EXP)
    read = DATASETS["exp"].read(DataConfig(name="exp", path=str(tmp_path)))
    one, two, *_ = read.graphs
    assert read.table.column("label") == ["1", "0", "1", "0"]
    assert one.x.flatten().tolist() == [0, 1, 0]
    assert sorted(one.edge_index.T.tolist()) == [[0, 1], [1, 0], [1, 2], [2, 1]]
    assert (two.num_nodes, two.num_edges) == (2, 2)
    found = load("exp", tmp_path, SplitConfig(sizes=(0.75, 0.25, 0)))
    assert (found.task.type, found.features.node_sizes) == ("classification", [2])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (EXP[:-4], "cut off .it ends too soon"),
        ("two\n", "not EXP's file"),
        (EXP + "3 1\n", "follows the . graphs that it announces"),
        (EXP.replace("1 2 0 2", "1 2 0 9"), "neither of its form nor its size"),
        (EXP.replace("1 2 0 2", "1 3 0 2"), "neither of its form nor its size"),
        (EXP.replace("3 1\n", "3 5\n"), "labels are 0 and 1"),
    ],
)
def test_bad_files_of_exp(tmp_path, text, message):
    (tmp_path / "GRAPHSAT.txt").write_text(text)
    with pytest.raises(UserError, match=message):
        load("exp", tmp_path)


@pytest.mark.parametrize("name", ["cycles", "substructures"])
def test_counting_sets(name):
    targets = list(DATASETS[name].targets)
    data = DataConfig(name=name, limit=20)
    found = load_data(data, task=TaskConfig(targets=targets), progress=False)
    assert [len(found.parts.part(part)) for part in ("train", "val", "test")] == [6, 4, 10]
    assert "generated" in found.stand_in
    draw = thinned_regular if name == "cycles" else erdos_renyi
    count = count_cycles if name == "cycles" else count_parts
    for row, data in zip(found.split.train, found.parts.train, strict=True):
        graph = draw(row)
        assert data.num_edges == 2 * graph.number_of_edges()
        assert data.y.flatten().tolist() == [count(graph)[target] for target in targets]


def by_subsets(graph, length):
    """Cycles, counted by all orders of all sets of nodes."""
    found = 0
    for nodes in combinations(graph, length):
        inside = graph.subgraph(nodes)
        cycle = nx.cycle_graph(length)
        matcher = nx.algorithms.isomorphism.GraphMatcher(inside, cycle)
        found += sum(1 for _ in matcher.subgraph_monomorphisms_iter())
    return found // (2 * length)


def test_counts_by_hand_and_by_brute_force():
    assert count_cycles(nx.cycle_graph(6)) == dict(cycle3=0, cycle4=0, cycle5=0, cycle6=1)
    assert count_parts(nx.diamond_graph())["chordal_cycle_induced"] == 1
    assert count_parts(nx.diamond_graph())["cycle4"] == 1
    assert count_parts(nx.lollipop_graph(3, 1))["tailed_triangle_induced"] == 1
    assert count_parts(nx.complete_graph(4))["tailed_triangle_induced"] == 0
    graph = nx.gnp_random_graph(7, 0.5, seed=1)
    assert list(count_cycles(graph).values()) == [by_subsets(graph, k) for k in (3, 4, 5, 6)]


@pytest.mark.parametrize(
    ("file", "count"),
    [("cycles_rr_trainval.csv.gz", count_cycles), ("substructure_er_trainval.csv.gz", count_parts)],
)
def test_counts_of_published_graphs(file, count):
    reader = TableReader(table(file))
    for row in list(reader)[::250]:
        cells = dict(zip(reader.columns, row, strict=True))
        found = count(nx.from_graph6_bytes(cells["graph6"].encode()))
        assert {name: float(cells[name]) for name in found} == found


def test_other_features_are_refused():
    with pytest.raises(UserError, match="their features are of kind graph6, got ogb"):
        load_data(DataConfig(name="csl"), HALF, FeaturesConfig(kind="ogb"), progress=False)
