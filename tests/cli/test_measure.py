"""The command line: every subcommand once, and bad input."""

import csv
import re
from pathlib import Path

import networkx as nx
import pytest
from typer.testing import CliRunner

from ogeaug.cli.measure import app
from ogeaug.cli.measure_stability import STABILITY
from ogeaug.encodings import ENCODINGS
from ogeaug.errors import UserError


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def pair_file(tmp_path):
    graphs = [nx.circular_ladder_graph(3), nx.complete_bipartite_graph(3, 3)]
    path = tmp_path / "pairs.g6"
    path.write_bytes(b"".join(nx.to_graph6_bytes(g, header=False) for g in graphs))
    return path


def test_invariance(tmp_path):
    result = run("invariance", "-e", "oge_aug", "--graph", "star:5", "--csv", str(tmp_path / "a"))
    assert result.exit_code == 0, result.output
    line = (tmp_path / "a").read_text().splitlines()[1].split(",")
    assert line[:2] == ["oge_aug", "star:5"]
    assert max(map(float, line[2:])) < 1e-9


def test_stability_with_figure(tmp_path):
    arguments = ["-e", "general", "--graph", "path:4", "--draws", "1"]
    files = ["--figure", str(tmp_path / "a.png"), "--csv", str(tmp_path / "a.csv")]
    result = run("stability", *arguments, "--bound", *files)
    assert result.exit_code == 0, result.output
    assert "Proposition 3 with J_f estimated" in result.output
    assert "proven to be best" in result.output
    assert (tmp_path / "a.png").exists()
    with (tmp_path / "a.csv").open() as file:
        (row,) = csv.DictReader(file)
    ratio = float(row["apart"]) / float(row["1e-02"])
    assert float(row["ratio 1e-2"]) == pytest.approx(ratio, rel=0.1)  # of rounded figures
    result = run("stability", "-e", "oge_aug", "--bound")
    assert result.exit_code == 2
    assert "add  -e general" in result.output


def test_stability_has_every_encoding_of_nodes_by_default():
    assert set(STABILITY) == {n for n in ENCODINGS if ENCODINGS.level(n) == "node"} - {"none"}
    result = run("stability", "-e", "latent", "--graph", "path:3", "--draws", "1")
    assert result.exit_code == 0, result.output  # it gets features that say nothing


def test_expressivity_of_a_file(pair_file, tmp_path):
    csv = tmp_path / "out.csv"
    result = run("expressivity", str(pair_file), "--category", "easy:1", "--csv", str(csv))
    assert result.exit_code == 0, result.output
    assert csv.read_text().splitlines()[1].startswith("easy,pairs 0,6,True")


def test_expressivity_says_what_it_cannot(pair_file):
    result = run("expressivity", str(pair_file), "--relabelled", "--order", "2", "--layers", "2")
    assert result.exit_code == 0, result.output
    assert "told apart: " not in result.output.replace("not told apart: ", "")
    other = run("expressivity", "trees", "--encoding", "vanilla", "--copies", "1")
    assert other.exit_code == 0, other.output


def test_complexity(monkeypatch, tmp_path):
    from ogeaug.measure import complexity

    small = [complexity.growing_cycles((4,)), complexity.growing_multiplicity(4, (2,))]
    monkeypatch.setattr(complexity, "growing_cycles", lambda: small[0])
    monkeypatch.setattr(complexity, "growing_multiplicity", lambda: small[1])
    result = run("complexity", "--repeats", "1", "--figure", str(tmp_path / "costs.png"))
    assert result.exit_code == 0, result.output
    assert "multiplicity" in result.output
    assert (tmp_path / "costs.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("invariance", "-e", "nonsense"), "unknown encoding"),
        (("invariance", "--graph", "cycle"), "not one of"),
        (("invariance", "--graph", "graph6:!"), "graph6 format"),
        (("expressivity", "no-such-file.g6"), "neither a file nor"),
        (("expressivity", "trees", "--category", "x"), "NAME:PAIRS"),
        (("expressivity", "trees", "--layers", "3"), "--layers needs --order"),
        (("expressivity", "trees", "--order", "2", "--encoding", "vanilla"), "choose one of"),
        (("expressivity", "trees", "--search", "2", "--delta", "3"), "--delta needs --order"),
    ],
)
def test_bad_arguments_are_explained(arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_pairs_of_different_sizes_are_named(tmp_path):
    path = tmp_path / "sizes.g6"
    path.write_bytes(b"".join(nx.to_graph6_bytes(nx.path_graph(n), header=False) for n in (3, 4)))
    result = run("expressivity", str(path))
    assert "different sizes: 3 and 4 nodes" in " ".join(result.output.split())


def test_bad_line_in_a_file(tmp_path):
    path = tmp_path / "bad.g6"
    path.write_text("Bw\nB!\n")
    result = run("expressivity", str(path))
    assert result.exit_code == 2
    assert "line 2" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("option", "name", "message"),
    [
        ("--csv", "", "is a folder; name a file in it"),
        ("--csv", "file/a.csv", "Not a directory"),
        ("--figure", "a.txt", "no kind of picture; choose from"),
        ("--figure", "file/a.png", "Not a directory"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_at_once(tmp_path, option, name, message):
    (tmp_path / "file").touch()
    result = run("complexity", option, str(tmp_path / name))
    assert result.exit_code == 2
    assert message in result.output


def test_a_figure_through_a_link(tmp_path):
    (tmp_path / "a.svg").symlink_to("new/store.dat")
    (tmp_path / "new").mkdir()
    arguments = ["-e", "general", "--graph", "path:4", "--draws", "1"]
    result = run("stability", *arguments, "--figure", str(tmp_path / "a.svg"))
    assert result.exit_code == 0, result.output
    assert (tmp_path / "a.svg").is_symlink()
    assert "<svg" in (tmp_path / "new" / "store.dat").read_text()


def test_an_encoding_that_needs_node_features_says_so():
    result = run("invariance", "-e", "latent")
    assert isinstance(result.exception, UserError)
    assert "encoding 'latent' needs in_channels, the width of node features" in str(
        result.exception
    )


def test_the_picture_of_the_readme(tmp_path, monkeypatch):
    """Its command, as it stands beside it; small; what it shows is so."""
    root = Path(__file__).parents[2]
    text = (root / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"`ogeaug measure (loop [^`]*docs/pictures/steady.svg)`", text)
    monkeypatch.chdir(tmp_path)
    result = run(*command.split(), "--csv", "steady.csv")
    assert result.exit_code == 0, result.output
    drawn = (tmp_path / "docs/pictures/steady.svg").read_bytes()
    kept = (root / "docs/pictures/steady.svg").read_bytes()
    assert drawn[:5] == kept[:5] == b"<?xml"
    assert max(len(drawn), len(kept)) < 100_000
    with (tmp_path / "steady.csv").open() as file:
        ratio = {row["encoding"]: float(row["ratio"]) for row in csv.DictReader(file)}
    assert ratio["oge_aug"] < 0.01 < ratio["signnet"] < ratio["lap_pe"]


def test_brec_by_category_and_again(tmp_path):
    """The second run computes nothing: it has the same seconds."""
    prism, k33 = nx.circular_ladder_graph(3), nx.complete_bipartite_graph(3, 3)
    lines = [nx.to_graph6_bytes(g, header=False) for g in (prism, k33)]
    (tmp_path / "brec_basic.g6").write_bytes(b"".join(lines))
    command = ["brec", str(tmp_path), "--encoding", "rwse(steps=6)", "-o", str(tmp_path / "out")]
    first = CliRunner().invoke(app, command)
    assert first.exit_code == 0, first.output
    assert (tmp_path / "out/table.csv").read_text().splitlines()[1] == "Basic,1,1,0,0"
    pairs = (tmp_path / "out/pairs.csv").read_text()
    again = CliRunner().invoke(app, command)
    assert "1 of 1 pairs were done before" in again.output
    assert (tmp_path / "out/pairs.csv").read_text() == pairs
    other = CliRunner().invoke(app, [*command, "--seed", "1"])
    assert other.exit_code != 0


def test_brec_refuses_before_work(tmp_path):
    (tmp_path / "basic.g6").write_bytes(nx.to_graph6_bytes(nx.path_graph(3), header=False))
    result = CliRunner().invoke(app, ["brec", str(tmp_path), "--protocol", "rpc"])
    assert result.exit_code == 2
    assert "odd number" in " ".join(result.output.split())


def test_no_file_serves_two_purposes(pair_file, tmp_path):
    before = pair_file.read_bytes()
    result = run("expressivity", str(pair_file), "--order", "2", "--csv", str(pair_file))
    assert result.exit_code == 2
    assert "is the input" in result.output
    assert pair_file.read_bytes() == before
    for command in ("loop", "stability", "complexity"):
        result = run(command, "--csv", str(tmp_path / "a.png"), "--figure", str(tmp_path / "a.png"))
        assert result.exit_code == 2
        assert "are one file" in result.output
    assert not (tmp_path / "a.png").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["loop", "--size", "10"], "makes edge weights negative"),
        (["loop", "--graph", "graph6:B?"], "without edges has no weights"),
        (["stability", "--graph", "graph6:@"], "without edges has no weights"),
    ],
)
def test_what_cannot_be_measured_is_refused(arguments, message):
    result = run(*arguments, "-e", "oge_aug")
    assert isinstance(result.exception, UserError)
    assert message in str(result.exception)
