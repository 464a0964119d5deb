"""``exp``: satisfiable or not; pairs of graphs that colour refinement cannot tell apart."""

from ogeaug.data.config import DataConfig
from ogeaug.data.sets.base import GRAPH, Rows, TableSet, thin_out
from ogeaug.data.sets.files import Layout


class Exp(TableSet):
    """EXP of GNN-RNI: 1,200 graphs with two types of nodes; two that follow each other are a pair
    of opposite labels."""

    name = "exp"
    task = "classification"
    targets = ("label",)
    features = "own"
    own_sizes = ((2,), ())
    layouts = (Layout(("GRAPHSAT.txt",), ("raw", "EXP/raw", "exp/raw", "EXP", "exp")),)

    def only_graphs(self, data: DataConfig) -> bool:
        return True

    def columns(self, data: DataConfig) -> list[str]:
        self.find(data)
        return [GRAPH, *self.targets]

    def read(self, data: DataConfig) -> Rows:
        from ogeaug.data.exp_files import read_exp

        columns, found = self.columns(data), self.find(data)
        assert found is not None
        graphs = thin_out(list(enumerate(read_exp(found.paths[0]))), data.limit)
        rows = [[f"GRAPHSAT.txt[{i}]", str(label)] for i, (_, label) in graphs]
        table = self.own_table(data, columns, rows)
        return Rows(columns, table, graphs=[data for _, (data, _) in graphs])
