import gzip

import pytest

from ogeaug.data.table import TableReader
from ogeaug.errors import UserError

PLAIN = "smiles,y\nCCO,1\nC,2\n"


@pytest.mark.parametrize(
    "content",
    [
        PLAIN.encode(),
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace(",", ";").encode(),
        PLAIN.replace(",", "\t").encode(),
        PLAIN.rstrip().encode(),
        ("\n" + PLAIN + "\n\n").encode(),
        gzip.compress(PLAIN.encode()),
        b"\xef\xbb\xbf" + PLAIN.replace(",", ";").replace("\n", "\r\n").encode(),
    ],
    ids=["plain", "bom", "crlf", "semicolon", "tab", "no end", "blank", "gzip", "excel"],
)
def test_every_spelling_reads_the_same(tmp_path, content):
    (tmp_path / "t.csv").write_bytes(content)
    table = TableReader(tmp_path / "t.csv").read()
    assert table.columns == ["smiles", "y"]
    assert table.rows == [["CCO", "1"], ["C", "2"]]


def test_without_header(tmp_path):
    (tmp_path / "t.csv").write_text("CCO,1\nC,2\n")
    table = TableReader(tmp_path / "t.csv", header=False).read()
    assert table.column("column_2") == ["1", "2"]


def test_missing_header_is_suspected(tmp_path):
    (tmp_path / "t.csv").write_text("CCO,1\nC,2\n")
    with pytest.raises(UserError, match=r"no column 'smiles'.*CCO, 1.*--no-header-row"):
        TableReader(tmp_path / "t.csv").read().column("smiles")


def test_duplicate_names_matter_only_if_asked_for(tmp_path):
    (tmp_path / "t.csv").write_text("smiles,y,y\nC,1,2\n")
    table = TableReader(tmp_path / "t.csv").read()
    assert table.column("smiles") == ["C"]
    with pytest.raises(UserError, match=r"2 columns named 'y' \(columns 2, 3\); rename"):
        table.column("y")


def test_ragged_rows_lose_nothing(tmp_path):
    (tmp_path / "t.csv").write_text("smiles,y\nC\nCC,1,2\n")
    assert TableReader(tmp_path / "t.csv").read().rows == [["C", ""], ["CC", "1,2"]]


def test_empty_cells_and_quotes(tmp_path):
    (tmp_path / "t.csv").write_text('smiles,name\n,"a, ""b"""\nC,\n')
    assert TableReader(tmp_path / "t.csv").read().rows == [["", 'a, "b"'], ["C", ""]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04rest", "spreadsheet"),
        (b"smiles,y\nC,\xff\xfe\n", "UTF-8"),
        (gzip.compress(PLAIN.encode() * 1000)[:-20], "damaged gzip"),
    ],
    ids=["empty", "spreadsheet", "encoding", "gzip"],
)
def test_unreadable_files(tmp_path, content, message):
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(UserError, match=message):
        TableReader(tmp_path / "t.csv").read()


def test_absent_file(tmp_path):
    with pytest.raises(UserError, match="there is no file"):
        TableReader(tmp_path / "no.csv")
