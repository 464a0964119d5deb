"""Damaged files of ours: named, with what to do, never a traceback."""

import json

import pytest
from pydantic import BaseModel

from ogeaug.errors import UserError
from ogeaug.files import json_text as json_file
from ogeaug.files.json_text import read_json, read_text


class Pair(BaseModel):
    name: str
    size: int = 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is no JSON"),
        (b"{", "it is no JSON"),
        (b"\xff\xfe{}", "no text in UTF-8"),
        (b"[" * 100_000, "more than 100 levels"),
        (b"[" * 200 + b"]" * 200, "more than 100 levels"),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, "more than 100 levels"),
        (b'{"name": "a", "size": ' + b"9" * 5_000 + b"}", "it is no JSON"),
        (b'{"name": "a", "name": "b"}', "the key 'name' stands twice"),
        (b"[]", "Input should be"),
        (b"null", "Input should be"),
        (b'{"size": 1}', "name: Field required"),
        (b'{"name": "a", "size": "many"}', "size: Input should be a valid integer"),
        (json.dumps({"name": ["x" * 1000] * 1000}).encode(), r"name: .*\.\.\.; copy it again$"),
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_record(tmp_path, content, message):
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(UserError, match=message) as caught:
        read_json(tmp_path / "a.json", Pair, "copy it again")
    assert "a.json is damaged: " in str(caught.value)
    assert str(caught.value).endswith("; copy it again")
    assert len(str(caught.value)) < 500


def test_a_record(tmp_path):
    (tmp_path / "a.json").write_text('{"name": "é", "of a later version": 1}', encoding="utf-8")
    assert read_json(tmp_path / "a.json", Pair, "") == Pair(name="é")


def test_what_cannot_be_read(tmp_path, monkeypatch):
    with pytest.raises(UserError, match=r"there is no file .*a\.json; copy it again"):
        read_text(tmp_path / "a.json", "copy it again")
    with pytest.raises(UserError, match=r"cannot read .*; copy it again"):
        read_text(tmp_path, "copy it again")
    monkeypatch.setattr(json_file, "MOST_BYTES", 1 << 20)
    (tmp_path / "a.json").write_bytes(b" " * ((1 << 20) + 1))
    with pytest.raises(UserError, match=r"a\.json is larger than 1 MiB"):
        read_text(tmp_path / "a.json", "copy it again")
