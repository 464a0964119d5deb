"""QM9's own files: structures (SDF), properties (CSV), and the list of those to leave out."""

from collections.abc import Sequence
from pathlib import Path
from typing import overload

from rdkit import Chem, rdBase

from ogeaug.data.cells import number
from ogeaug.data.columns import find_column
from ogeaug.data.sets.base import Rows, thin_out
from ogeaug.data.sets.index_lists import check_index
from ogeaug.data.table import Table, TableReader
from ogeaug.errors import UserError

HARTREE = 27.211386246 / 0.04336414
"""In kcal/mol, the unit of atomised energies in the file, by PyG's constants."""
HEADER, FOOTER = 9, 2
"""Lines of the list before and after its numbers."""


class Structures(Sequence[Chem.Mol | None]):
    """Molecules of an SDF file, each read when it is asked for; None if it cannot be.

    They have hydrogens as atoms. Valences are not checked: in some, charges are not written.

    Args:
        path: The file.
        entries: Which of it.
    """

    def __init__(self, path: Path, entries: list[int] | None = None) -> None:
        self.path, self.ends = path, [end for end, _ in find_blocks(path)]
        self.entries = list(range(len(self.ends))) if entries is None else entries

    def __len__(self) -> int:
        return len(self.entries)

    @overload
    def __getitem__(self, place: int) -> Chem.Mol | None: ...
    @overload
    def __getitem__(self, place: slice) -> "Sequence[Chem.Mol | None]": ...
    def __getitem__(self, place: int | slice) -> "Chem.Mol | Sequence[Chem.Mol | None] | None":
        if isinstance(place, slice):
            return [self[i] for i in range(len(self))[place]]
        entry = self.entries[place]
        begin = self.ends[entry - 1] if entry else 0
        with self.path.open("rb") as file:
            file.seek(begin)
            block = file.read(self.ends[entry] - begin).decode("utf-8", "replace")
        with rdBase.BlockLogs():
            mol = Chem.MolFromMolBlock(block, removeHs=False, sanitize=False)
            if mol is None or mol.GetNumAtoms() == 0:
                return None
            mol.UpdatePropertyCache(strict=False)
            wanted = Chem.SANITIZE_ALL ^ Chem.SANITIZE_PROPERTIES
            if Chem.SanitizeMol(mol, wanted, catchErrors=True):
                return None
            # In space every atom of four neighbours has a hand; few are stereocentres.
            Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
            return mol


def find_blocks(path: Path) -> list[tuple[int, str]]:
    """Where each molecule of an SDF file ends, and its name, the first line. RDKit's own reader
    loses its place at a bad one."""
    blocks: list[tuple[int, str]] = []
    place, name = 0, None
    with path.open("rb") as file:
        for line in file:
            place += len(line)
            if name is None:
                name = line.decode("utf-8", "replace").strip()
            if line.startswith(b"$$$$"):
                blocks.append((place, name))
                name = None
    return blocks


def read_sdf(paths: list[Path], columns: list[str], limit: int | None) -> Rows:
    """The rows of QM9's three files, less those of the list.

    Args:
        paths: ``gdb9.sdf``, ``gdb9.sdf.csv``, ``uncharacterized.txt``.
        columns: Which columns to give, the name of the molecule first.
        limit: See :class:`ogeaug.data.config.DataConfig`.
    """
    structures, properties, listed = paths
    names = [name for _, name in find_blocks(structures)]
    count = len(names)
    reader = TableReader(properties)
    places = [find_column(reader.columns, name, str(properties), own=True) for name in columns]
    rows = [[row[place] for place in places] for row in reader]
    if len(rows) != count:
        raise UserError(
            f"{structures} has {count} molecules, {properties} {len(rows)} rows; they belong "
            "together: is one of them cut off, or of another version?"
        )
    for place, (name, row) in enumerate(zip(names, rows, strict=True)):
        if name and name != row[0].strip():
            raise UserError(
                f"molecule {place + 1} is {name!r} in {structures} and {row[0]!r} in {properties}; "
                "they belong together: fetch both again"
            )
    left_out = set(read_uncharacterised(listed, count))
    entries = thin_out([i for i in range(count) if i not in left_out], limit)
    atomised = [i for i, name in enumerate(columns) if name.endswith("_atom")]
    chosen = [
        [_in_hartree(cell) if i in atomised else cell for i, cell in enumerate(rows[entry])]
        for entry in entries
    ]
    return Rows(
        columns,
        Table(columns, chosen, str(properties), own=True),
        molecules=Structures(structures, entries),
        with_hydrogens=True,
    )


def read_uncharacterised(path: Path, count: int) -> list[int]:
    """Entries (from 0) whose structure is not that of their SMILES."""
    text = path.read_text(encoding="utf-8", errors="replace")
    # The footer counts the empty line after the last newline, which may be absent.
    lines = (text.rstrip("\n") + "\n").split("\n")[HEADER:-FOOTER]
    try:
        found = [int(line.split()[0]) - 1 for line in lines]
        if not found:
            raise ValueError("no number in it")
    except (IndexError, ValueError) as error:
        raise UserError(
            f"{path} is no list of uncharacterised molecules as QM9 has it ({error}): {HEADER} "
            f"lines, then a number and text per line, then {FOOTER} lines"
        ) from error
    return check_index(found, count, str(path), first=1)


def _in_hartree(cell: str) -> str:
    value = number(cell)
    return cell if value is None else repr(value / HARTREE)
