"""The data of the last run, which most often are those of the next."""

from dataclasses import replace
from typing import Any

from ogeaug.data.parts import TooFewRows
from ogeaug.errors import UserError
from ogeaug.reproduce.budget import find_budget
from ogeaug.training.config import Config
from ogeaug.training.prepare import Prepared, prepare


class LastData:
    """Reads what a configuration names, unless the last one named the same."""

    def __init__(self) -> None:
        self._asked: Any = None
        self._found: Prepared | None = None

    def of(self, config: Config, progress: bool) -> Prepared:
        """What training with this configuration starts from.

        Raises:
            UserError: Among others, if too few graphs are left to train on.
        """
        asked = config.data, config.split, config.features, config.task
        if self._found is None or asked != self._asked:
            self._found, self._asked = _prepare(config, progress), asked
        filled = {"features": self._found.config.features, "task": self._found.config.task}
        return replace(self._found, config=config.model_copy(update=filled))


def _prepare(config: Config, progress: bool) -> Prepared:
    try:
        return prepare(config, progress=progress)
    except TooFewRows as error:  # its advice names options of ogeaug train
        limit, enough = config.data.limit, find_budget("smoke").graphs
        if limit is None or enough is None:
            raise UserError(
                f"the data are too few for this table: {error.found}; are they whole? See  ogeaug "
                f"data stats {config.data.name}"
            ) from error
        enough = enough if limit < enough else 2 * limit
        raise UserError(
            f"at most {limit:,} graphs (--graphs, or the budget) are too few for this table: "
            f"{error.found}; take more, like --graphs {enough}, if the data have them"
        ) from error
