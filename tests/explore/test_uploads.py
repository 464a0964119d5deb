"""Tables that are dropped on the page."""

import base64
import gzip

import pytest

from ogeaug.errors import UserError
from ogeaug.explore.limits import MOST_FILE_BYTES, MOST_ROWS
from ogeaug.explore.uploads import read_upload


def sent(content):
    content = content if isinstance(content, bytes) else content.encode()
    return "data:text/csv;base64," + base64.b64encode(content).decode()


@pytest.mark.parametrize(
    ("text", "place"),
    [("id,SMILES\n1,CCO\n2,CC", 1), ("a;mol\nx;CCO\ny;c1ccccc1", 1), ("n\nCCO\nCC\nno", 0)],
)
def test_the_column_of_molecules_is_found(text, place):
    assert read_upload(sent(text))[1] == place


@pytest.mark.parametrize(
    ("contents", "says"),
    [
        (sent(""), "empty"),
        ("data:text/csv;base64,###", "whole"),
        ("nothing", "empty"),
        (sent(b"x" * (MOST_FILE_BYTES + 1)), "takes up to"),
        (sent(gzip.compress(b"0" * 10**6)), "unpack"),
        (sent(b"PK\x03\x04rest"), "spreadsheet"),
        (sent(b"\xff\xfe\x00"), "UTF-8"),
        (sent('smiles\n"C'), "quote"),
        (sent("a,b\n1,2\n3,4"), "no column holds molecules"),
        (sent("smiles\n" + "C\n" * (MOST_ROWS + 1)), "1,001 rows"),
        (sent("smiles,y\n"), "no rows"),
        (sent(",".join(["smiles"] * 500) + "\n" + "C," * 499), "500 columns"),
    ],
)
def test_what_is_no_table_is_refused_in_words(contents, says):
    with pytest.raises(UserError, match=says) as caught:
        read_upload(contents)
    assert "/tmp" not in str(caught.value)
    assert len(str(caught.value)) < 2_000
