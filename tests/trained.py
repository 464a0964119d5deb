"""Fixtures of small tables and trained models, for all tests."""

import pytest

from tests.training.tiny import tiny_config, write_csv


@pytest.fixture
def table(tmp_path):
    return write_csv(tmp_path / "my.csv")


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """A trained model, shared by the tests that only read it."""
    from ogeaug.training.fitting import fit  # loads Lightning

    folder = tmp_path_factory.mktemp("shared")
    path = write_csv(folder / "my.csv")
    fit(tiny_config(path), folder / "run", progress=False)
    return folder / "run"
