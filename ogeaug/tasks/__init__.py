"""What can be predicted: one file per task."""

from ogeaug.model.config import TaskConfig
from ogeaug.tasks.base import Choice, Task
from ogeaug.tasks.classification import Classification
from ogeaug.tasks.link_ranking import LinkRanking
from ogeaug.tasks.links import link_metrics
from ogeaug.tasks.multiclass import Multiclass
from ogeaug.tasks.node_classification import NodeClassification
from ogeaug.tasks.regression import Regression

TASKS: dict[str, type[Task]] = {
    "regression": Regression,
    "classification": Classification,
    "multiclass": Multiclass,
    "node_classification": NodeClassification,
    "link_ranking": LinkRanking,
}
"""Names of the tasks in configuration files."""


def make_task(config: TaskConfig, loss: str = "mse") -> Task:
    """The task of a configuration.

    Args:
        config: ``config.task``.
        loss: ``config.training.loss``, which regression looks at.

    Example:
        >>> make_task(TaskConfig(type="classification")).main
        'auroc'
    """
    return TASKS[config.type](config, loss=loss)


__all__ = ["TASKS", "Choice", "Task", "link_metrics", "make_task"]
