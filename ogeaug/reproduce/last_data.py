"""The data of the last run, which most often are those of the next."""

from dataclasses import replace
from typing import Any

from ogeaug.training.config import Config
from ogeaug.training.prepare import Prepared, prepare


class LastData:
    """Reads what a configuration names, unless the last one named the same."""

    def __init__(self) -> None:
        self._asked: Any = None
        self._found: Prepared | None = None

    def of(self, config: Config, progress: bool) -> Prepared:
        """What training with this configuration starts from."""
        asked = config.data, config.split, config.features, config.task
        if self._found is None or asked != self._asked:
            self._found, self._asked = prepare(config, progress=progress), asked
        filled = {"features": self._found.config.features, "task": self._found.config.task}
        return replace(self._found, config=config.model_copy(update=filled))
