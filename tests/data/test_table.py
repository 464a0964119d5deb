import csv
import gzip
import os
import random

import pytest

from ogeaug.data.columns import unused_names
from ogeaug.data.table import QuoteError, TableReader
from ogeaug.errors import UserError
from tests.torture import tries

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


def write(tmp_path, text):
    (tmp_path / "t.csv").write_text(text)
    return tmp_path / "t.csv"


def rows_with(line, at=50, count=120):
    rows = [f"C{'C' * (i % 9)},{i}" for i in range(count)]
    rows[at - 1] = line
    return "\n".join(["smiles,y", *rows]) + "\n"


def test_an_open_quote_is_refused_by_line(tmp_path):
    path = write(tmp_path, rows_with('"CCO,3'))
    with pytest.raises(UserError, match=r"begins in line 51 cannot be read .*written twice"):
        TableReader(path).read()
    path = write(tmp_path, rows_with('"CCO,3', at=3))  # among the rows that are looked at first
    with pytest.raises(UserError, match=r"begins in line 4 cannot be read"):
        TableReader(path).read()
    with pytest.raises(UserError, match=r"begins in line 1 cannot be read"):
        TableReader(write(tmp_path, '"smiles,y\nC,1\n'))


def test_a_quote_that_another_one_closes_is_refused_by_line(tmp_path):
    text = rows_with('"CCO,3').replace("\nCCC,65\n", '\nCCC",65\n')
    assert '"' in text.split("\n")[66]
    with pytest.raises(UserError, match=r"line 51 goes on to line 67: its column 'smiles' has"):
        TableReader(write(tmp_path, text)).read()
    with pytest.raises(UserError, match=r"begins in line 51 has a line break in column 'smiles'"):
        TableReader(tmp_path / "t.csv", multiline=True).read().column("smiles")
    reader = TableReader(tmp_path / "t.csv", multiline=True)
    reader.find("smiles")
    with pytest.raises(UserError, match=r"line 51 has a line break .*after 'CCO,3'"):
        list(reader)


def test_a_number_has_no_line_break(tmp_path):
    path = write(tmp_path, 'smiles,y\nC,1\nCC,"2\nCCC,3"\nC,4\n')
    table = TableReader(path, multiline=True).read()
    assert table.column("smiles") == ["C", "CC", "C"]
    with pytest.raises(UserError, match=r"begins in line 3 has a line break in column 'y'"):
        table.column("y")


def test_text_may_have_line_breaks(tmp_path):
    note = 'first, "second"\r\nthird;\n\nfourth'
    quoted = '"' + note.replace('"', '""') + '"'
    path = tmp_path / "t.csv"
    path.write_bytes(f"smiles,note,y\nC,{quoted},1\nCC,,2\n".encode())
    reader = TableReader(path, multiline=True)
    reader.find("smiles")
    assert list(reader) == [["C", note, "1"], ["CC", "", "2"]]
    assert reader.read().column("y") == ["1", "2"]
    assert reader.count() == (2, 6)
    wanted = r"line 2 goes on to line 5: its column 'note' has line breaks, after 'first, \"sec"
    with pytest.raises(UserError, match=wanted + r".*line breaks, --allow"):
        TableReader(path, option="--allow").read()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blank_lines_of_one_column_are_empty_cells(tmp_path, end):
    (tmp_path / "t.csv").write_bytes(end.join(["", "smiles", "C", "", "CC", '""', ""]).encode())
    assert TableReader(tmp_path / "t.csv").read().column("smiles") == ["C", "", "CC", ""]
    reader = TableReader(tmp_path / "t.csv", header=False)
    assert reader.read().column("column_1") == ["", "smiles", "C", "", "CC", ""]


@pytest.mark.parametrize(
    ("text", "columns", "row"),
    [
        ("smiles,logP (a;b;c)\nC,1\n", ["smiles", "logP (a;b;c)"], ["C", "1"]),
        ('smiles,"a;b;c;d"\nC,1\n', ["smiles", "a;b;c;d"], ["C", "1"]),
        ('"a,b,c",smiles\n1,C\n', ["a,b,c", "smiles"], ["1", "C"]),
        ('smiles;"y, in mol/l, at 25 C"\nC;1\n', ["smiles", "y, in mol/l, at 25 C"], ["C", "1"]),
        ("smiles;y\nC;1,5\nCC;2,5\n", ["smiles", "y"], ["C", "1,5"]),
        ("smiles\ty;z,a,b\nC\t1\n", ["smiles", "y;z,a,b"], ["C", "1"]),
        ("smiles\nC\n", ["smiles"], ["C"]),
        ('"smiles;x"\nC\n', ["smiles;x"], ["C"]),
        ("smiles,y\n", ["smiles", "y"], None),
        ("smiles;a,b;c\n", ["smiles", "a,b", "c"], None),
    ],
)
def test_the_delimiter_is_found_by_trying(tmp_path, text, columns, row):
    table = TableReader(write(tmp_path, text)).read()
    assert table.columns == columns
    assert table.rows[:1] == ([row] if row else [])


def test_new_columns_have_names_of_their_own():
    assert unused_names(["pred_y", "status"], ["smiles"]) == ["pred_y", "status"]
    assert unused_names(["pred_y", "pred_y_"], ["pred_y"]) == ["pred_y__", "pred_y_"]
    assert unused_names(["a", "a"], ["a", "a_"]) == ["a__", "a___"]
    assert unused_names(["row", "row"], []) == ["row", "row_"]


@pytest.mark.torture
def test_rows_read_are_rows_written(tmp_path):
    """Whatever the cells hold: as many rows as were written, and the same cells."""
    source = random.Random(0)
    for _ in range(tries(30, 1000)):
        delimiter = source.choice(",;\t")
        width = source.randint(2, 5)
        text = [
            "".join(source.choices("ab,;\t\"'\n\r C", k=source.randint(0, 6))) for _ in range(99)
        ]
        rows = [["C" * (i + 1), *source.choices(text, k=width - 1)] for i in range(20)]
        with (tmp_path / "t.csv").open("w", newline="") as file:
            writer = csv.writer(file, delimiter=delimiter)
            writer.writerows([[f"name{i}" for i in range(width)], *rows])
        reader = TableReader(tmp_path / "t.csv", multiline=True)
        assert reader.read().rows == rows


@pytest.mark.torture
@pytest.mark.parametrize("multiline", [False, True])
def test_quotes_swallow_no_row(tmp_path, multiline):
    """Quotes at random places: every line is a row, or the table is refused; if cells may have line
    breaks, the lines that are no row of their own stand in the cells."""
    source, read = random.Random(1), 0
    for _ in range(tries(60, 5000)):
        end = source.choice(["\n", "\r\n", "\r"])
        lines = ["smiles,note,y", *(f"{'C' * i},n {i},{i}" for i in range(1, 13))]
        for _ in range(source.randint(1, 4)):
            i = source.randrange(len(lines))
            place = source.choice([source.randint(0, len(lines[i])), lines[i].find(",") + 1])
            lines[i] = lines[i][:place] + '"' + lines[i][place:]
        path = tmp_path / "t.csv"
        path.write_bytes(end.join(lines).encode())
        try:
            reader = TableReader(path, multiline=multiline)
            rows = reader.read().rows
        except QuoteError:
            continue
        read += 1
        breaks = sum(cell.count(end) for row in [reader.columns, *rows] for cell in row)
        assert 1 + len(rows) + breaks == len(lines)
        assert reader.count() == (len(rows), len(lines))
        assert multiline or not breaks
    assert read > 5


def test_long_cells(tmp_path):
    """Python's own limit is 131,072 characters; beyond ours there is a quote that is not closed."""
    text = "C" * 300_000
    (tmp_path / "t.csv").write_text(f"smiles,y\nC,1\n{text},2\nCC,3\n")
    assert [row[1] for row in TableReader(tmp_path / "t.csv")] == ["1", "2", "3"]


def test_a_pipe_is_told(tmp_path):
    os.mkfifo(tmp_path / "t.csv")
    with pytest.raises(UserError, match=r"is a pipe or a device.*write it to a file first"):
        TableReader(tmp_path / "t.csv")
