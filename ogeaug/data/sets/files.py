"""Where the files of a data set are: a folder that is named, or a package that carries them."""

import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path

from ogeaug.errors import UserError

FOLDER = "OGEAUG_DATA"
"""The environment variable of a folder with tables."""


@dataclass(frozen=True)
class Package:
    """An installed package that has the files in its folder ``data``; it is never imported.

    Attributes:
        module: Its name in Python.
        name: Its name for pip.
        files: Their names.
    """

    module: str
    name: str
    files: tuple[str, ...]

    def find(self) -> list[Path]:
        """The files; an error that says how to get them if the package is not there."""
        spec = importlib.util.find_spec(self.module)
        if spec is None or not spec.submodule_search_locations:
            raise UserError(
                f"this data set comes with the package {self.name}: pip install {self.name}, or "
                "name a folder of tables by --data-path"
            )
        return [Path(spec.submodule_search_locations[0]) / "data" / name for name in self.files]


def find_in_folder(path: str | None, name: str, files: tuple[str, ...]) -> list[Path] | None:
    """The files in the folder that is named by ``path`` or the environment; None if none is.

    Args:
        path: The folder.
        name: Of the data set.
        files: Names of its files there.
    """
    path = path or os.environ.get(FOLDER)
    if path is None:
        return None
    folder, needs = Path(path), " and ".join(files)
    if not folder.is_dir():
        raise UserError(
            f"{folder} is no folder; give --data-path FOLDER with the tables of data set {name!r}: "
            f"{needs}"
        )
    absent = [file for file in files if not (folder / file).is_file()]
    if absent:
        raise UserError(
            f"there is no {' and no '.join(absent)} in {folder}; data set {name!r} needs {needs} "
            "there"
        )
    return [folder / file for file in files]
