"""``alchemy``: quantum chemistry of molecules of up to 12 heavy atoms."""

from ogeaug.data.config import DataConfig
from ogeaug.data.parts import PARTS
from ogeaug.data.sets.base import GRAPH, Rows, TableSet, thin_out
from ogeaug.data.sets.files import Layout
from ogeaug.data.sets.index_lists import read_index
from ogeaug.errors import UserError

PREFIX = "alchemy_full"
TABLES = tuple(
    f"{PREFIX}_{name}.txt"
    for name in ("A", "graph_indicator", "node_labels", "edge_labels", "graph_attributes")
)
LISTS = tuple(f"{part}_al_10.index" for part in PARTS)


class Alchemy(TableSet):
    """12,000 graphs of Alchemy, by the lists that most papers use, with all twelve targets."""

    name = "alchemy"
    targets = tuple(f"target_{i}" for i in range(12))
    numbered = targets
    together = True
    features = "own"
    own_sizes = ((6,), (4,))
    split_column = "split"
    layouts = (
        Layout(
            (*TABLES, *LISTS),
            (f"{PREFIX}/raw", PREFIX, "raw", f"alchemy/{PREFIX}/raw", "alchemy"),
            scattered=True,
        ),
    )

    def only_graphs(self, data: DataConfig) -> bool:
        return True

    def columns(self, data: DataConfig) -> list[str]:
        self.find(data)
        return [GRAPH, *self.targets, "split"]

    def read(self, data: DataConfig) -> Rows:
        from ogeaug.data.tu_files import read_tu

        columns, found = self.columns(data), self.find(data)
        assert found is not None
        nodes, edges = self.own_sizes
        graphs = read_tu(found.paths[: len(TABLES)], PREFIX, nodes[0], edges[0], len(self.targets))
        part_of: dict[int, str] = {}
        for part, path in zip(PARTS, found.paths[len(TABLES) :], strict=True):
            for entry in read_index(path, len(graphs)):
                if entry in part_of:
                    raise UserError(
                        f"{path} names entry {entry}, which is in {part_of[entry]}, too"
                    )
                part_of[entry] = part
        entries = thin_out(list(part_of), data.limit)
        chosen = [graphs.graph(i) for i in entries]
        rows = [[f"{PREFIX}[{i}]", *map(repr, graphs.targets(i)), part_of[i]] for i in entries]
        return Rows(columns, self.own_table(data, columns, rows), graphs=chosen)
