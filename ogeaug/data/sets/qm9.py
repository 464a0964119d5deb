"""``qm9``: quantum chemistry of small molecules."""

from ogeaug.data.config import DataConfig
from ogeaug.data.sets.base import Rows, TableSet, spread
from ogeaug.data.sets.files import Package, find_in_folder
from ogeaug.data.table import Table, TableReader

COLUMNS = {
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


class QM9(TableSet):
    """Up to 134,000 molecules with twelve targets; those of a folder may have further columns."""

    name = "qm9"
    targets = tuple(COLUMNS.values())[1:]
    features = "ogb"
    files = ("qm9_trainval.csv.gz",)
    """With a column ``smiles`` and the targets."""
    package = Package("qm9pack", "qm9pack", tuple(f"qm9_part{part}.csv" for part in (1, 2, 3)))

    def columns(self, data: DataConfig) -> list[str]:
        files = find_in_folder(data.path, self.name, self.files)
        if files is not None:
            return TableReader(files[0]).columns
        self.package.find()
        return list(COLUMNS.values())

    def read(self, data: DataConfig) -> Rows:
        columns, files = self.columns(data), find_in_folder(data.path, self.name, self.files)
        rows: list[list[str]] = []
        if files is not None:
            rows = TableReader(files[0]).read().rows
        else:
            for file in self.package.find():
                reader = TableReader(file)
                places = [reader.columns.index(column) for column in COLUMNS]
                rows += [[row[place] for place in places] for row in reader]
        return Rows(columns, Table(columns, spread(rows, data.limit), self.name))
