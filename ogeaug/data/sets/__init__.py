"""The data sets by name, one per file; nothing here loads torch or RDKit before it reads."""

from ogeaug.data.sets.alchemy import Alchemy
from ogeaug.data.sets.base import DataSet
from ogeaug.data.sets.cluster import Cluster
from ogeaug.data.sets.csv_file import CsvFile
from ogeaug.data.sets.drugood import DrugOODAssay, DrugOODScaffold, DrugOODSize
from ogeaug.data.sets.exp import Exp
from ogeaug.data.sets.graph6_set import Csl, Cycles, Sr25, Substructures
from ogeaug.data.sets.molhiv import MolHiv
from ogeaug.data.sets.nci import Nci
from ogeaug.data.sets.pattern import Pattern
from ogeaug.data.sets.pcqm_contact import PcqmContact
from ogeaug.data.sets.qm9 import QM9
from ogeaug.data.sets.zinc import Zinc, ZincFull
from ogeaug.errors import UserError

DATASETS: dict[str, DataSet] = {
    "csv": CsvFile(),
    "nci": Nci(),
    "zinc": Zinc(),
    "zinc_full": ZincFull(),
    "qm9": QM9(),
    "alchemy": Alchemy(),
    "pcqm_contact": PcqmContact(),
    "molhiv": MolHiv(),
    "drugood_assay": DrugOODAssay(),
    "drugood_scaffold": DrugOODScaffold(),
    "drugood_size": DrugOODSize(),
    "pattern": Pattern(),
    "cluster": Cluster(),
    "csl": Csl(),
    "exp": Exp(),
    "sr25": Sr25(),
    "cycles": Cycles(),
    "substructures": Substructures(),
}
"""Names of the data sets in configurations."""


def find_set(name: str) -> DataSet:
    """The data set of a name; an error that lists the choices if there is none.

    Example:
        >>> find_set("zinc").targets
        ('y',)
    """
    if name not in DATASETS:
        raise UserError(f"unknown data set {name!r}; choose from {', '.join(DATASETS)}")
    return DATASETS[name]
