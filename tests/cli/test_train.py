from ogeaug.cli import train


def test_names_of_columns():
    assert train._names(["a, b", "c"]) == ["a", "b", "c"]
    assert train._names(None) is None
