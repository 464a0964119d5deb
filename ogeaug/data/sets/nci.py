"""``nci``: the molecules that come with RDKit, and a target that is computed from them."""

from ogeaug.data.config import DataConfig
from ogeaug.data.sets.base import Rows, TableSet, thin_out
from ogeaug.data.table import Table


class Nci(TableSet):
    """5,000 molecules of the National Cancer Institute; the target is penalised logP.

    Example:
        >>> Nci().columns(DataConfig(name="nci"))
        ['smiles', 'penalised_logp']
    """

    name = "nci"
    targets = ("penalised_logp",)

    def columns(self, data: DataConfig) -> list[str]:
        self.find(data)
        return ["smiles", *self.targets]

    def read(self, data: DataConfig) -> Rows:
        from ogeaug.data.nci import nci_molecules
        from ogeaug.data.penalised_logp import penalised_logp

        columns = self.columns(data)
        found = thin_out(nci_molecules(), data.limit)
        return Rows(
            columns,
            Table(["smiles"], [[smiles] for smiles, _ in found], self.name),
            {"penalised_logp": penalised_logp},
            molecules=[mol for _, mol in found],
        )
