"""How far off predictions were on molecules that the model had not seen."""

import math
from pathlib import Path

from ogeaug.model.config import TaskConfig
from ogeaug.training.pictures import read_points
from ogeaug.training.run_folder import PREDICTIONS


def held_out_widths(folder: Path, task: TaskConfig, level: float = 0.9) -> list[float | None]:
    r"""Half the width of an interval around a prediction, for each target, from the test part.

    The split conformal interval: of m test molecules, the :math:`\lceil (m + 1) \cdot
    \text{level} \rceil`-th smallest error. It holds the truth with probability ``level``, for
    molecules that are drawn like those of the test part; for stranger ones it is too narrow.

    Args:
        folder: Of a run, or of an ensemble, with its predictions on the test part.
        task: Of its models.
        level: The share of molecules inside.

    Returns:
        None for each target without enough test molecules, and for all that are no numbers.
    """
    if not task.facts.numbers or not (folder / PREDICTIONS).is_file():
        return [None] * len(task.targets)
    found: list[float | None] = []
    for points in read_points(folder / PREDICTIONS, task):
        pairs = zip(points.true, points.predicted, strict=True)
        found.append(quantile([abs(true - predicted) for true, predicted in pairs], level))
    return found


def quantile(errors: list[float], level: float) -> float | None:
    """The error that a new one exceeds with probability 1 - level; None if there are too few.

    Example:
        >>> quantile([float(i) for i in range(1, 20)], 0.9)
        18.0
        >>> quantile([1.0, 2.0], 0.9) is None
        True
    """
    place = math.ceil((len(errors) + 1) * level)
    return sorted(errors)[place - 1] if 0 < place <= len(errors) else None
