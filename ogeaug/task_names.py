"""What is known of tasks by name, apart from the tasks themselves, which need torch."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TaskFacts:
    """What can be checked before torch is loaded, which takes seconds.

    Attributes:
        in_tables: Whether labels are columns of a table.
        pools: Whether the head pools the nodes of a graph, as ``head.pooling`` says.
        losses: What ``training.loss`` may name; empty if the task has one loss.
        loss: The loss, in words.
    """

    in_tables: bool
    pools: bool
    losses: tuple[str, ...]
    loss: str


TASK_FACTS = {
    "regression": TaskFacts(True, True, ("mse", "mae"), "mse or mae of standardised targets"),
    "classification": TaskFacts(True, True, (), "binary cross-entropy"),
    "multiclass": TaskFacts(True, True, (), "cross-entropy"),
    "node_classification": TaskFacts(False, False, (), "cross-entropy weighted by class size"),
    "link_ranking": TaskFacts(False, False, (), "binary cross-entropy of labelled pairs"),
}
"""By the keys of :data:`ogeaug.tasks.TASKS`."""
