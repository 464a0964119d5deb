"""The paper's table of data sets, as printed."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PaperRow:
    """A row of the table.

    Attributes:
        graphs, nodes, edges: How many, and means.
        twice: Whether each edge is counted in both directions; None where the mean is neither that
            of edges counted once nor of edges counted twice.
        level, task, metric: In the paper's words.
    """

    graphs: int
    nodes: float
    edges: float
    twice: bool | None
    level: str
    task: str
    metric: str


PAPER = {
    "qm9": PaperRow(130_000, 18.0, 37.3, True, "graph", "regression", "Mean Abs. Error"),
    "zinc": PaperRow(12_000, 23.2, 24.9, False, "graph", "regression", "Mean Abs. Error"),
    "alchemy": PaperRow(202_579, 10.0, 10.4, False, "graph", "regression", "Mean Abs. Error"),
    "pcqm_contact": PaperRow(529_434, 30.1, 61.0, True, "inductive link", "link ranking", "MRR"),
    "cluster": PaperRow(12_000, 117.20, 4301.72, True, "node", "classification", "Accuracy"),
    "pattern": PaperRow(14_000, 117.47, 4749.15, None, "node", "classification", "Accuracy"),
    "molhiv": PaperRow(41_127, 25.5, 27.5, False, "graph", "classification", "AUROC"),
}
"""By our names; the paper gives none for DrugOOD."""
