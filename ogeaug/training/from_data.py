"""Options of encodings that depend on the training data, filled in before a model is built."""

from collections.abc import Sequence
from typing import TypeVar

from torch_geometric.data import Data

from ogeaug.encodings import find_encoding
from ogeaug.model.config import EncodingConfig, ModelConfig

AnyConfig = TypeVar("AnyConfig", bound=ModelConfig)


def fill_in_options(config: AnyConfig, graphs: Sequence[Data]) -> AnyConfig:
    """The configuration as it is written down: it does not need the data again.

    Args:
        config: Of a model, or of an experiment.
        graphs: Of the training part.
    """
    encodings = [_filled_in(encoding, graphs) for encoding in config.encodings]
    if encodings == list(config.encodings):
        return config
    return config.model_copy(update={"encodings": type(config.encodings)(encodings)})


def _filled_in(encoding: EncodingConfig, graphs: Sequence[Data]) -> EncodingConfig:
    options = find_encoding(encoding.name).options_from_data(encoding.options, graphs)
    return EncodingConfig(**encoding.model_dump() | options)
