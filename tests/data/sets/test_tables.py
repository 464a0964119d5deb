"""Data sets that are tables: from a folder, from a package, from RDKit, from a file."""

import importlib.util
import re

import pytest

from ogeaug.data.config import DataConfig
from ogeaug.data.sets import DATASETS, find_set
from ogeaug.data.sets.files import Package
from ogeaug.errors import UserError
from tests.machine import ROOT
from tests.tables import table


def read(name, **options):
    return DATASETS[name].read(DataConfig(name=name, **options))


def find(name, **options):
    return DATASETS[name].find(DataConfig(name=name, **options))


def columns(name, **options):
    return DATASETS[name].columns(DataConfig(name=name, **options))


def test_nci_is_always_there():
    nci = read("nci", limit=3)
    assert nci.columns == columns("nci") == ["smiles", "penalised_logp"]
    assert nci.table.rows[0][0] == "CC1=CC(=O)C=CC1=O"
    assert nci.molecules[0].GetNumAtoms() == 9


@pytest.mark.parametrize(("name", "column"), [("zinc", "split"), ("qm9", "gap")])
def test_folder_of_tables(name, column):
    folder = [table(file) for file in DATASETS[name].layouts[-1].files][-1].parent
    assert column in read(name, path=str(folder), limit=5).columns
    assert column in columns(name, path=str(folder))


@pytest.mark.parametrize("name", ["zinc", "qm9"])
def test_package(name):
    if importlib.util.find_spec(DATASETS[name].package.module) is None:
        with pytest.raises(UserError, match="pip install"):
            read(name)
    else:
        assert len(read(name, limit=5).table.rows) == 5


@pytest.fixture
def zinc250k(monkeypatch, tmp_path):
    (tmp_path / "zinc250k.smiles").write_text("C\n" * 24)
    monkeypatch.setattr(Package, "find", lambda self: [tmp_path / name for name in self.files])


def test_zinc_has_the_same_columns_wherever_it_comes_from(zinc250k):
    zinc = read("zinc")
    assert zinc.columns == columns("zinc") == ["smiles", "y", "split"]
    parts = zinc.table.column("split")
    assert (parts.count("train"), parts.count("val"), parts.count("test")) == (20, 2, 2)


def test_qm9_has_our_names_wherever_it_comes_from(monkeypatch, tmp_path):
    from ogeaug.data.sets.qm9 import COLUMNS

    for part in (1, 2, 3):
        head = [*reversed(COLUMNS), "Stoichiometry"]
        lines = [",".join(head), ",".join(["7"] * 12 + ["C", '"[4,1,0,0,0]"'])]
        (tmp_path / f"qm9_part{part}.csv").write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(Package, "find", lambda self: [tmp_path / name for name in self.files])
    qm9 = read("qm9")
    assert qm9.columns == qm9.table.columns == columns("qm9")
    assert qm9.columns == ["smiles", *find_set("qm9").numbered]
    assert [row[:13] for row in qm9.table.rows] == [["C"] + ["7"] * 12] * 3
    assert float(qm9.table.rows[0][13]) == pytest.approx(7 + 4 * 0.500273 + 37.846772)


def test_unknown_name_lists_the_choices():
    with pytest.raises(UserError, match=r"csv, nci, zinc, .*qm9, .*pattern, .*cluster"):
        find_set("tox21")


def test_names_are_those_of_the_sets():
    assert {name: kind.name for name, kind in DATASETS.items()} == {name: name for name in DATASETS}


def test_csv_needs_a_path():
    with pytest.raises(UserError, match="--data-path"):
        read("csv")


@pytest.mark.parametrize("name", [n for n, k in DATASETS.items() if not k.layouts and n != "csv"])
def test_a_path_that_nothing_is_read_from_is_refused(name, tmp_path):
    with pytest.raises(UserError, match=f"{name}.*takes no path, got .*leave --data-path out"):
        columns(name, path=str(tmp_path))


FROM_FILES = [name for name, known in DATASETS.items() if known.layouts]


@pytest.mark.parametrize("name", FROM_FILES)
def test_absent_files_are_named(tmp_path, name):
    known = DATASETS[name]
    needs = re.escape(", or ".join(map(str, known.layouts)))
    files = known.layouts[0].files
    (tmp_path / "other.txt").touch()
    with pytest.raises(UserError, match=f"no {files[0]}.* needs {needs}.* Found: other.txt"):
        find(name, path=str(tmp_path))
    place = tmp_path / (known.layouts[0].places or ("",))[-1]
    (place / files[0]).parent.mkdir(parents=True, exist_ok=True)
    (place / files[0]).touch()
    for file in files[1:]:  # what is there is not said to be absent, but is said to be needed
        with pytest.raises(UserError, match=f"no {file}.* in {re.escape(str(place))}.* needs"):
            find(name, path=str(tmp_path))
        with pytest.raises(UserError) as told:
            find(name, path=str(tmp_path))
        assert f"no {files[0]} " not in str(told.value)
    with pytest.raises(UserError, match=f"is no folder.*{needs}"):
        find(name, path=str(place / files[0]))


@pytest.mark.parametrize("name", FROM_FILES)
def test_a_folder_of_the_environment_is_for_all_sets(tmp_path, monkeypatch, name):
    """One that has none of a set's files says nothing of it."""
    monkeypatch.setenv("OGEAUG_DATA", str(tmp_path))
    known = DATASETS[name]
    if known.otherwise:
        assert find(name) is None
        assert known.stand_in(DataConfig(name=name)) == known.otherwise
    else:
        with pytest.raises(UserError, match="Found: nothing"):
            find(name)
    first, *others = known.layouts[0].files
    (tmp_path / first).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / first).touch()
    if others:
        with pytest.raises(UserError, match=f"no {others[0]}"):
            find(name)
    else:
        assert find(name).paths == [tmp_path / first]


def test_a_limit_spreads_over_the_table(tmp_path):
    """The first rows of a table may all be of one part."""
    rows = ["C,train"] * 90 + ["CC,val"] * 10
    (tmp_path / "t.csv").write_text("\n".join(["smiles,split", *rows]) + "\n")
    parts = read("csv", path=str(tmp_path / "t.csv"), limit=20).table.column("split")
    assert parts.count("train") == 18
    assert parts.count("val") == 2
    assert len(read("csv", path=str(tmp_path / "t.csv"), limit=1000).table.rows) == 100


def test_the_page_names_all_files():
    page = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    for name, known in DATASETS.items():
        for word in (name, *known.targets, *known.numbered, *known.files):
            assert f"`{word}`" in page, word
