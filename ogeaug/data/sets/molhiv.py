"""``molhiv``: which molecules hinder HIV from multiplying."""

from ogeaug.data.config import DataConfig
from ogeaug.data.sets.base import Rows, TableSet, thin_out
from ogeaug.data.sets.files import Found, Layout
from ogeaug.data.sets.index_lists import read_index
from ogeaug.data.table import read_own
from ogeaug.errors import UserError

MOLECULES = "mapping/mol.csv.gz"
LISTS = {part: f"split/scaffold/{part}.csv.gz" for part in ("train", "valid", "test")}
RAW = tuple(
    f"raw/{name}.csv.gz"
    for name in ("num-node-list", "num-edge-list", "edge", "node-feat", "edge-feat")
)


class MolHiv(TableSet):
    """ogbg-molhiv: 41,127 molecules, in OGB's own parts and with its graphs."""

    name = "molhiv"
    task = "classification"
    targets = ("HIV_active",)
    features = "ogb"
    split_column = "split"
    layouts = (
        Layout((MOLECULES, *LISTS.values(), *RAW), ("ogbg_molhiv", "hiv", "dataset/ogbg_molhiv")),
        Layout(
            ("hiv.csv.gz",), stand_in="MoleculeNet's HIV, split by scaffold, not by OGB's lists"
        ),
    )

    def columns(self, data: DataConfig) -> list[str]:
        self.find(data)
        return ["smiles", *self.targets, "split"]

    def read(self, data: DataConfig) -> Rows:
        columns, found = self.columns(data), self.find(data)
        assert found is not None
        if found.layout == self.layouts[0]:
            return self._published(columns, found, data)
        table = read_own(found.paths[0])
        cells = (table.column(name) for name in ("smiles", "y", "split"))
        rows = [list(row) for row in zip(*cells, strict=True)]
        return Rows(columns, self.own_table(data, columns, thin_out(rows, data.limit)))

    def _published(self, columns: list[str], found: Found, data: DataConfig) -> Rows:
        """Molecules that are in one of the lists, with the graphs of OGB's files."""
        from ogeaug.data.ogb_files import RawGraphs

        molecules = read_own(found.paths[0])
        smiles, active = molecules.column("smiles"), molecules.column(self.targets[0])
        part_of: dict[int, str] = {}
        for part, path in zip(LISTS, found.paths[1 : 1 + len(LISTS)], strict=True):
            for entry in read_index(path, len(smiles)):
                if entry in part_of:
                    raise UserError(
                        f"{path} names entry {entry}, which is in {part_of[entry]}, too"
                    )
                part_of[entry] = part
        raw = RawGraphs(found.paths[1 + len(LISTS) :], len(smiles))
        entries = thin_out(sorted(part_of), data.limit)
        rows = [[smiles[i], active[i], part_of[i]] for i in entries]
        table = self.own_table(data, columns, rows)
        return Rows(columns, table, graphs=[raw.graph(i) for i in entries])
