"""Configuration -> what training starts from; the data come by :mod:`ogeaug.data.load`."""

from dataclasses import dataclass

from ogeaug.data.load import UnsplitData, read_data, split_data
from ogeaug.data.parts import Parts as Parts
from ogeaug.data.parts import Skipped
from ogeaug.data.splits import Split
from ogeaug.training.config import Config


@dataclass(frozen=True, eq=False)
class Prepared:
    """What training starts from.

    Attributes:
        config: With feature sizes and targets filled in.
        parts: The graphs.
        split: Rows of each part; None if the graphs come in parts.
        skipped: Rows left out.
        checksum: Of the data, to notice a change before a resume.
        stand_in: See :class:`ogeaug.data.load.LoadedData`.
    """

    config: Config
    parts: Parts
    split: Split | None
    skipped: list[Skipped]
    checksum: str
    stand_in: str = ""


def prepare(config: Config, *, progress: bool = True) -> Prepared:
    """Reads, converts and splits the data that a configuration names."""
    return split_loaded(load(config, progress=progress), config)


def load(config: Config, *, progress: bool = True) -> UnsplitData:
    """Reads and converts the data that a configuration names, once for all its folds."""
    return read_data(config.data, config.split, config.features, config.task, progress=progress)


def split_loaded(loaded: UnsplitData, config: Config) -> Prepared:
    """The parts of data that were loaded, as ``config.split`` wants them."""
    found = split_data(loaded, config.split)
    config = config.model_copy(update={"features": found.features, "task": found.task})
    return Prepared(config, found.parts, found.split, found.skipped, found.checksum, found.stand_in)
