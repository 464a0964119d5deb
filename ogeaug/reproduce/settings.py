"""What the paper says of each of its configurations."""

from importlib import resources

from ogeaug.files.yaml_text import load_yaml
from ogeaug.strict import Strict


class Setting(Strict):
    """What the paper says of a configuration.

    Attributes:
        set: Its data set.
        parameters: Of the whole model.
        seconds: Per epoch, on the authors' machine.
        train: Graphs of the benchmark's training part.
    """

    set: str
    parameters: int
    seconds: float
    train: int


def settings() -> dict[str, Setting]:
    """By shipped configuration.

    Example:
        >>> settings()["zinc_gine_oge"].parameters
        617677
    """
    text = resources.files("ogeaug.reproduce").joinpath("settings.yaml").read_text("utf-8")
    return {name: Setting(**given) for name, given in load_yaml(text, "settings").items()}
