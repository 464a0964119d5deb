from typer.testing import CliRunner

from ogeaug.cli import train
from ogeaug.cli.main import app
from tests.training.tiny import SMALL, molecules, write_csv


def call(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


def test_names_of_columns():
    assert train._names(["a, b", "c"]) == ["a", "b", "c"]
    assert train._names(None) is None


def test_cells_with_line_breaks_are_allowed_by_name(tmp_path):
    rows = [f'{s},"one\ntwo",{len(s)}' for s in molecules(20)]
    data = write_csv(tmp_path / "t.csv", header="smiles,note,y", rows=rows)
    sets = [part for override in SMALL for part in ("--set", override)]
    known = ["--data-path", data, "--target-columns", "y", "--epochs", 1, "--quiet", *sets]
    refused = call("train", *known, "-o", tmp_path / "r")
    assert refused.exit_code == 1
    assert "line 2 goes on to line 3: its column 'note'" in refused.output
    done = call("train", *known, "-o", tmp_path / "r", "--allow-multiline")
    assert done.exit_code == 0, done.output
    assert f"20 rows from 41 lines of {data}" in done.output
    assert call("train", "--resume", tmp_path / "r").exit_code == 0
    tables = ["--test-path", data, "--preds-path", tmp_path / "p.csv"]
    done = call("predict", *tables, "--model-paths", tmp_path / "r", "--quiet", "--allow-multiline")
    assert f"20 rows from 41 lines of {data}" in done.output
    tables = ["--data-path", data, "--output", tmp_path / "z.csv"]
    done = call("encode", *tables, "--encoding", "rwse", "--quiet", "--allow-multiline")
    assert f"20 rows from 41 lines of {data}" in done.output
