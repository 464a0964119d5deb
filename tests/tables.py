"""Tables that are too large for the repository: tests that need one skip where it is not."""

import os

import pytest

from tests.machine import ROOT

FOLDER = ROOT / os.environ.get("OGEAUG_DATA", "../shared/data")


def table(name):
    """The path of a table in the folder OGEAUG_DATA."""
    if not (FOLDER / name).is_file():
        pytest.skip(f"{name} is not here; set OGEAUG_DATA to a folder with it")
    return FOLDER / name
