"""YAML that expands without end, or is no YAML at all."""

import pytest

from ogeaug.errors import UserError
from ogeaug.training.config import load_config, parse_config, parse_value


def bomb(levels: int) -> str:
    """Nine aliases a level: 9 ** levels values."""
    lines = ["a0: &a0 [x]"]
    for i in range(1, levels + 1):
        lines.append(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]")
    return "\n".join(lines)


def merged(levels: int) -> str:
    lines = ["m0: &m0 {k: 1}"]
    for i in range(1, levels + 1):
        lines.append(f"m{i}: &m{i}\n  <<: [{', '.join([f'*m{i - 1}'] * 9)}]")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (bomb(60), "more than 100,000 values"),
        (merged(60), "more than 100,000 values"),
        ("a: &a [*a]", "an alias stands inside itself"),
        ("a: &a {b: *a}", "an alias stands inside itself"),
        ("[" * 700, "too many levels"),
        ("{a: " * 10_000, "too many levels"),
        ("a: " + "x" * 2**20, "it has 1,048,579 characters"),
        ("a: 1\nb: {c: 1,\n c: 2}", "the key 'c' stands twice, in line 2 and in line 3"),
        ("a: 1\n'a': 1", "the key 'a' stands twice"),
        ("a: [", "no valid YAML"),
        ("a: 2024-13-45", "no valid YAML"),
        ("training: {epochs: " + "9" * 5_000 + "}", "no valid YAML"),
        ("a: *b", "no valid YAML"),
        ("a: !!python/object:os.system {}", "no valid YAML"),
        ("a: \x00", "no valid YAML"),
        ("[1]", "expected keys and values"),
        ("training: {threads: 1000000000}", "less than or equal to 1024"),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_no_configuration(text, message, tmp_path):
    with pytest.raises(UserError, match=message) as caught:
        parse_config(text, [], "my.yaml")
    assert "my.yaml" in str(caught.value)
    assert len(str(caught.value)) < 1000
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(UserError, match=message):
        load_config(tmp_path / "x.yaml")


def test_a_file_that_is_no_text(tmp_path):
    (tmp_path / "x.yaml").write_bytes(b"\xff\xfea: 1")
    with pytest.raises(UserError, match=r"x\.yaml is damaged: it is no text in UTF-8"):
        load_config(tmp_path / "x.yaml")


def test_plain_aliases_stay():
    text = "encodings: [&e {name: rwse, out_channels: 4}, {<<: *e, out_channels: 3}]"
    found = parse_config(text, [], "my.yaml").encodings
    assert [(e.name, e.out_channels) for e in found] == [("rwse", 4), ("rwse", 3)]


def test_values_of_the_command_line():
    with pytest.raises(UserError, match=r"--set a=\[: the value is no valid YAML"):
        parse_value("[", "--set a=[")
    with pytest.raises(UserError, match="an alias stands inside itself"):
        parse_value("&a [*a]", "--set a=&a [*a]")
