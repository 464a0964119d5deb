"""Tables that need no training."""

from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from ogeaug.cli import app
from ogeaug.errors import UserError
from ogeaug.reproduce import facts
from ogeaug.reproduce.facts import datasets_table, parameters_table, time_table, write_facts
from ogeaug.reproduce.settings import settings
from ogeaug.reproduce.table import FACTS
from ogeaug.training.config import shipped_configs
from tests.data.sets.published import write_zinc

QUIET = Console(quiet=True)
NOTHING = {"data_path": None, "graphs": None}


def test_every_configuration_of_the_paper_has_its_parameters():
    assert set(settings()) <= set(shipped_configs())
    rows = parameters_table(QUIET, NOTHING).rows
    assert len(rows) == len(settings())
    for row, paper in zip(rows, settings().values(), strict=True):
        ours = int(row[3].replace(",", ""))
        assert 0.6 < ours / paper.parameters < 1.1
        assert row[4] == f"{100 * (ours / paper.parameters - 1):+.1f} %"


def test_time_is_scaled_to_the_benchmark(monkeypatch):
    only = {"pattern_oge_lap": settings()["pattern_oge_lap"]}
    monkeypatch.setattr(facts, "settings", lambda: only)
    monkeypatch.setattr(facts, "MEASURED", 4)
    monkeypatch.setattr(facts, "epoch_seconds", lambda config, parts: 0.5 * len(parts.train))
    monkeypatch.setattr(
        facts, "load_config", lambda *a: facts_config(["backbone.layers=1", "data.limit=4"])
    )
    (row,) = time_table(QUIET, NOTHING).rows
    assert row[2:] == ["178", "5000", f"{5000 * 20 / 3600:.1f}"]


def facts_config(overrides):
    from ogeaug.training.config import load_config

    return load_config("pattern", overrides)


def test_data_sets_are_counted_or_said_to_be_absent(monkeypatch, tmp_path):
    monkeypatch.setenv("OGEAUG_DATA", str(tmp_path))
    only = {name: facts.PAPER[name] for name in ("cluster", "molhiv")}
    monkeypatch.setattr(facts, "PAPER", only)
    cluster, molhiv = datasets_table(QUIET, {"data_path": None, "graphs": 20}).rows
    assert cluster[:5] == ["cluster", "12,000", "117.2", "4,301.72", "24"]
    assert 3000 < float(cluster[6].replace(",", "")) < 6000
    assert "stand-in: graphs generated" in cluster[7]
    assert molhiv[1:4] == ["41,127", "25.5", "27.5"]
    assert molhiv[7] == "no data"


def test_a_damaged_file_is_not_said_to_be_absent(monkeypatch, tmp_path):
    write_zinc(tmp_path)
    (tmp_path / "val.pickle").write_bytes(b"cut off")
    monkeypatch.setattr(facts, "PAPER", {"zinc": facts.PAPER["zinc"]})
    monkeypatch.setattr(facts, "settings", lambda: {"zinc_gine_oge": settings()["zinc_gine_oge"]})
    asked = {"data_path": str(tmp_path), "graphs": None}
    for table in datasets_table(QUIET, asked), time_table(QUIET, asked):
        assert any(str(c).startswith("cannot be used: ") for c in table.rows[0]), table.rows
        assert "val.pickle" in table.markdown()


@pytest.mark.parametrize("name", ["datasets", "time"])
def test_data_that_are_nowhere_are_refused(name, tmp_path, monkeypatch):
    """A table in which every row says "no data" is no answer."""
    out, empty = tmp_path / "out", tmp_path / "empty"
    empty.mkdir()
    (empty / "notes.txt").touch()
    monkeypatch.setenv("OGEAUG_DATA", str(tmp_path / "absent"))
    with pytest.raises(UserError, match=r"absent is no folder .* molhiv: mapping/mol.csv.gz and"):
        write_facts(name, out, progress=False)
    with pytest.raises(UserError, match=r"elsewhere is no folder .*zinc: train.pickle and"):
        write_facts(name, out, {"data_path": str(tmp_path / "elsewhere")}, progress=False)
    call = ["reproduce", name, "-o", str(out), "--data-path", str(empty)]
    said = CliRunner().invoke(app, call).output
    assert f"{empty} has the files of no data set of table {name}" in said
    assert "alchemy: alchemy_full_A.txt and" in said
    assert said.strip().endswith("Found: notes.txt")
    assert not out.exists()


def test_every_name_can_be_made(tmp_path, monkeypatch):
    assert set(facts._MAKE) == set(FACTS)
    file = write_facts("params", tmp_path / "out", progress=False)
    assert "| ZINC | `zinc_gine_oge` | 617,677 |" in file.read_text(encoding="utf-8")
    assert (tmp_path / "out/table.csv").is_file()


@pytest.mark.parametrize(
    "extra",
    [
        ["--epochs", "3"],
        ["--budget", "hour"],
        ["--rows", "GIN"],
        ["--data-path", "x"],
        ["--data-path", ""],
        ["--jobs", "2"],
    ],
)
def test_options_of_training_are_refused(extra, tmp_path):
    result = CliRunner().invoke(app, ["reproduce", "params", "-o", str(tmp_path / "out"), *extra])
    assert result.exit_code != 0
    assert f"takes no {extra[0]}" in result.output
    assert not (tmp_path / "out").exists()


def test_the_table_in_the_documentation_is_not_stale():
    text = (Path(__file__).parents[2] / "docs" / "train.md").read_text(encoding="utf-8")
    inside = text.split("<!-- parameters: begin -->")[1].split("<!-- parameters: end -->")[0]
    wanted = parameters_table(QUIET, NOTHING).markdown().split("\n\n")[1]
    assert inside.strip() == wanted, "ogeaug reproduce params -o DIR writes a new one"
