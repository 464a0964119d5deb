"""``qm9``: quantum chemistry of small molecules."""

from typing import ClassVar

from ogeaug.data.config import DataConfig
from ogeaug.data.sets.base import Rows, TableSet, thin_out
from ogeaug.data.sets.files import Found, Layout, Package
from ogeaug.data.table import TableReader

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
"""qm9pack's column names and ours, in the order of PyG's target numbers; units as there, and as in
tables of papers: Hartree (au), Debye, bohr, cal/(mol K)."""
ATOMISED = ("u0_atom", "u298_atom", "h298_atom", "g298_atom")
"""Energies less those of the atoms alone."""
ATOMS = {  # H, C, N, O, F, in Hartree, as QM9 publishes them
    "u0_atom": ("u0", (-0.500273, -37.846772, -54.583861, -75.064579, -99.718730)),
    "u298_atom": ("u298", (-0.498857, -37.845355, -54.582445, -75.063163, -99.717314)),
    "h298_atom": ("h298", (-0.497912, -37.844411, -54.581501, -75.062219, -99.716370)),
    "g298_atom": ("g298", (-0.510927, -37.861317, -54.598897, -75.079532, -99.733544)),
}
ENERGIES = ("homo", "lumo", "gap", "zpve", "u0", "u298", "h298", "g298", *ATOMISED)


class QM9(TableSet):
    """130,831 molecules with twelve targets, and four of these once more, atomised.

    Tables of a folder may have further columns.
    """

    name = "qm9"
    targets = tuple(COLUMNS.values())[1:]
    numbered = (*targets, *ATOMISED)
    units: ClassVar[dict[str, str]] = {
        **dict.fromkeys(ENERGIES, "Hartree"),
        **{"mu": "Debye", "alpha": "bohr^3", "r2": "bohr^2", "cv": "cal/(mol K)"},
    }
    features = "ogb"
    hydrogens = True
    layouts = (
        Layout(("gdb9.sdf", "gdb9.sdf.csv", "uncharacterized.txt"), ("raw", "QM9/raw", "qm9/raw")),
        Layout(("qm9_trainval.csv.gz",), stand_in="QM9 without its test part, from SMILES"),
    )
    package = Package("qm9pack", "qm9pack", tuple(f"qm9_part{part}.csv" for part in (1, 2, 3)))
    otherwise = "QM9's molecules and targets from the package qm9pack; graphs are made from SMILES"

    def columns(self, data: DataConfig) -> list[str]:
        found = self.find(data)
        if found is not None and not self._published(found):
            return TableReader(found.paths[0]).columns
        if found is None:
            self.package.find()
        return [self.column(data) if found else "smiles", *self.numbered]

    def column(self, data: DataConfig) -> str:
        found = self.find(data)
        return "mol_id" if found is not None and self._published(found) else data.column

    def read(self, data: DataConfig) -> Rows:
        columns, found = self.columns(data), self.find(data)
        if found is not None and self._published(found):
            from ogeaug.data.qm9_files import read_sdf

            return read_sdf(found.paths, columns, data.limit)
        rows = list(TableReader(found.paths[0])) if found else self._packed()
        table = self.own_table(data, columns, thin_out(rows, data.limit))
        return Rows(columns, table, derived=() if found else ATOMISED)

    def _published(self, found: Found) -> bool:
        return found.layout == self.layouts[0]

    def _packed(self) -> list[list[str]]:
        """The rows of the package, with atomised energies, which it does not have."""
        rows = []
        for file in self.package.find():
            reader = TableReader(file)
            places = {name: reader.columns.index(column) for column, name in COLUMNS.items()}
            formula = reader.columns.index("Stoichiometry")
            for row in reader:
                counts = [int(word) for word in row[formula].strip("[]").split(",")]
                atomised = [
                    repr(round(float(row[places[name]]) - _of_atoms(atoms, counts), 9))
                    for name, atoms in ATOMS.values()
                ]
                rows.append([row[place] for place in places.values()] + atomised)
        return rows


def _of_atoms(atoms: tuple[float, ...], counts: list[int]) -> float:
    """The energy of so many atoms of each element, each alone."""
    return sum(energy * count for energy, count in zip(atoms, counts, strict=True))
