"""What is known of tasks by name, apart from the tasks themselves, which need torch."""

from dataclasses import dataclass
from typing import Literal

TaskType = Literal[
    "regression", "classification", "multiclass", "node_classification", "link_ranking"
]


@dataclass(frozen=True)
class TaskFacts:
    """What can be checked before torch is loaded, which takes seconds.

    Attributes:
        in_tables: Whether labels are columns of a table.
        pools: Whether the head pools the nodes of a graph, as ``head.pooling`` says.
        classes: How many classes labels are of: a number, ``"given"`` if ``num_classes`` says it,
            None if they are no classes.
        loss: The loss, in words.
        losses: What ``training.loss`` may name; empty if the task has one loss.
        words: Level, task and metric, as the paper's table of data sets has them.
    """

    in_tables: bool
    pools: bool
    classes: int | Literal["given"] | None
    loss: str
    words: tuple[str, str, str]
    losses: tuple[str, ...] = ()

    @property
    def numbers(self) -> bool:
        """Whether tables hold true numbers beside predicted ones."""
        return self.in_tables and self.classes is None


TASK_FACTS: dict[TaskType, TaskFacts] = {
    "regression": TaskFacts(
        in_tables=True,
        pools=True,
        classes=None,
        loss="mse or mae of standardised targets",
        words=("graph", "regression", "Mean Abs. Error"),
        losses=("mse", "mae"),
    ),
    "classification": TaskFacts(
        in_tables=True,
        pools=True,
        classes=2,
        loss="binary cross-entropy",
        words=("graph", "classification", "AUROC"),
    ),
    "multiclass": TaskFacts(
        in_tables=True,
        pools=True,
        classes="given",
        loss="cross-entropy",
        words=("graph", "classification", "Accuracy"),
    ),
    "node_classification": TaskFacts(
        in_tables=False,
        pools=False,
        classes="given",
        loss="cross-entropy weighted by class size",
        words=("node", "classification", "Accuracy"),
    ),
    "link_ranking": TaskFacts(
        in_tables=False,
        pools=False,
        classes=None,
        loss="binary cross-entropy of labelled pairs",
        words=("inductive link", "link ranking", "MRR"),
    ),
}
"""By the keys of :data:`ogeaug.tasks.TASKS`."""
