"""``pcqm_contact``: which atoms touch that are far apart along the bonds."""

from pathlib import Path
from typing import TYPE_CHECKING

from ogeaug.data.parts import PARTS
from ogeaug.data.sets.files import Layout, Package
from ogeaug.data.sets.graph_set import GraphSet

if TYPE_CHECKING:
    from torch_geometric.data import Data


class PcqmContact(GraphSet):
    """PCQM-Contact of the Long Range Graph Benchmark, from its files; else contacts of the same
    definition in QM9's geometries, see :func:`ogeaug.data.contacts.make_contacts`."""

    name = "pcqm_contact"
    task = "link_ranking"
    node_sizes = (119, 5, 12, 12, 10, 6, 6, 2, 2)
    edge_sizes = (5, 6, 2)
    ratio = 10
    layouts = (
        Layout(tuple(f"{part}.pt" for part in PARTS), ("pcqm-contact/raw", "pcqmcontact", "raw")),
        Layout(
            ("qm9_contact_trainval.csv.gz",),
            stand_in="contacts in the geometries of QM9, not PCQM4M's molecules; no test part",
        ),
    )
    package = Package("qm9pack", "qm9pack", tuple(f"qm9_part{part}.csv" for part in (1, 2, 3)))
    otherwise = "contacts in the geometries of QM9 (package qm9pack), not PCQM4M's molecules"

    def read(self, paths: list[Path]) -> "list[list[Data]]":
        from ogeaug.data.contacts import read_contact_table, read_contacts

        if len(paths) == 1:
            return read_contact_table(paths[0])
        return [read_contacts(path, self.node_sizes, self.edge_sizes) for path in paths]

    def make(self, counts: tuple[int, int, int], seed: int) -> "list[list[Data]]":
        from ogeaug.data.contacts import make_contacts

        made = make_contacts(self.package.find(), sum(counts), seed)
        train, val, _ = counts
        return [made[:train], made[train : train + val], made[train + val :]]
