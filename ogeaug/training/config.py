"""Configurations: YAML by name or path, checked, with overrides."""

from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError

from ogeaug.data.config import SEEDS, Count, DataConfig, Seed, SplitConfig
from ogeaug.data.sets import DATASETS
from ogeaug.errors import UserError
from ogeaug.files.json_text import read_text
from ogeaug.files.yaml_text import dump_yaml, load_yaml
from ogeaug.model.config import ModelConfig
from ogeaug.strict import Strict, explain
from ogeaug.training.asked import check_sizes_used, drop_unused_noise
from ogeaug.training.starting import described_by

Size = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]


class TrainingConfig(Strict):
    """How to train.

    Attributes:
        epochs: Passes through the training part.
        batch_size: Graphs per step, over all processes.
        lr: Peak learning rate of AdamW.
        warmup_epochs: Linear rise before the cosine fall to zero.
        weight_decay: Of AdamW.
        clip: Largest norm of the gradient; no clipping if absent.
        ema: Validate and keep a moving average of the weights over about so many epochs; the
            weights themselves if absent.
        loss: ``mse`` or ``mae`` of standardised targets (regression only).
        patience: Stop after so many epochs without a better main metric on the validation part;
            never if absent.
        noise: Variance of the training noise on the Laplacian.
        permute: Whether to renumber nodes before each decomposition in training.
        kekule: Whether to draw another Kekulé structure of a training molecule at each access
            (features ``zinc``, whose bonds are single or double and never aromatic).
        bucket: Whether a batch takes graphs of similar size.
        start_from: Folder of a trained model, or name of a shipped one, whose weights to start
            from; random ones if absent.
        freeze: Whether the encodings of that model stay as they are: what they give is computed
            once, and an epoch takes as long as without any.
        keep_statistics: Whether batch norms keep the statistics of that model: they then do the
            same in training and evaluation.
        seed: Of weights, order, noise and dropout.
        deterministic: Refuse operations whose result varies from run to run.
        accelerator: ``cpu``, ``gpu``, or ``auto``: a GPU if there is one.
        precision: ``32`` or ``bf16`` (mixed; encodings stay at 32).
        threads: Torch threads. More than one seldom helps on small graphs, and on a busy machine
            can be a hundred times slower.
        tensorboard: Whether to write TensorBoard logs beside metrics.csv.
    """

    epochs: Count = 100
    batch_size: Count = 32
    lr: Positive = 1e-3
    warmup_epochs: Size = 0
    weight_decay: Size = 1e-5
    clip: Positive | None = 1.0
    ema: Positive | None = None
    loss: Literal["mse", "mae"] = "mse"
    patience: Count | None = None
    noise: Size = 0.0
    permute: bool = False
    kekule: bool = False
    bucket: bool = False
    start_from: Annotated[str, Field(min_length=1)] | None = None
    freeze: bool = False
    keep_statistics: bool = False
    seed: Seed = 0
    deterministic: bool = False
    accelerator: Literal["auto", "cpu", "gpu"] = "auto"
    precision: Literal["32", "bf16"] = "32"
    threads: Annotated[int, Field(ge=1, le=1024)] = 1
    tensorboard: bool = True

    def with_epochs(self, epochs: int) -> Self:
        """The same for other epochs; in fewer of them, the warm-up keeps its share.

        Example:
            >>> TrainingConfig(epochs=100, warmup_epochs=10).with_epochs(20).warmup_epochs
            2.0
        """
        warmup = self.warmup_epochs * min(1.0, epochs / self.epochs)
        return self.model_copy(update={"epochs": epochs, "warmup_epochs": warmup})


class Config(ModelConfig):
    """An experiment: data, split, model, training."""

    data: DataConfig = DataConfig()
    split: SplitConfig = SplitConfig()
    training: TrainingConfig = TrainingConfig()

    def model_part(self) -> ModelConfig:
        """Only what the model file keeps."""
        return ModelConfig(**{name: getattr(self, name) for name in ModelConfig.model_fields})


def check_seed(seed: int) -> None:
    """Refuses a seed that a configuration would refuse, too."""
    if not 0 <= seed < SEEDS:
        raise UserError(f"a seed is a whole number from 0 to {SEEDS - 1}, got {seed}")


def load_config(
    name: str | Path, overrides: list[str] | None = None, values: dict[str, Any] | None = None
) -> Config:
    """Reads a shipped configuration by name, or a YAML file by path.

    With ``training.start_from``, features, encodings and backbone are those of that model.

    Args:
        name: Like ``zinc_gine_oge`` or ``my/config.yaml``.
        overrides: Like ``backbone.layers=6`` or ``encodings.0.delta=0.1``.
        values: The same by key, with values as they are; overrides go last.

    Example:
        >>> load_config("default", ["backbone.layers=6"]).backbone.layers
        6
    """
    shipped = shipped_configs()
    if str(name) in shipped:
        text = resources.files("ogeaug.configs").joinpath(f"{name}.yaml").read_text("utf-8")
    elif Path(name).is_file():
        text = read_text(Path(name), "write it as a YAML file")
    else:
        raise UserError(
            f"there is no configuration {str(name)!r}: neither a file nor one of "
            f"{', '.join(shipped)}"
        )
    config = parse_config(text, overrides or [], str(name), values)
    if config.training.start_from is not None:
        taken = described_by(config.training.start_from, config.backbone)
        config = parse_config(text, overrides or [], str(name), taken | (values or {}))
    config = _with_own_split(config)
    asked = {*(values or {}), *(override.partition("=")[0] for override in overrides or [])}
    file = load_yaml(text, str(name)) or {}
    check_sizes_used(config.split, file, asked)
    return drop_unused_noise(config, file, asked)


def _with_own_split(config: Config) -> Config:
    """A benchmark's own split, unless another is asked for."""
    known = DATASETS.get(config.data.name)
    if known is None or known.split_column is None or config.split.model_fields_set - {"seed"}:
        return config
    own = SplitConfig(type="column", column=known.split_column, seed=config.split.seed)
    return config.model_copy(update={"split": own})


def parse_config(
    text: str, overrides: list[str], source: str, values: dict[str, Any] | None = None
) -> Config:
    """Checks the YAML text of a configuration."""
    try:
        tree = load_yaml(text, source) or {}
        if not isinstance(tree, dict):
            raise UserError(f"{source} is no configuration: expected keys and values")
        for path, value in (values or {}).items():
            _apply(tree, path, value)
        for override in overrides:
            path, separator, text = override.partition("=")
            if not separator or not path:
                raise UserError(f"--set takes key=value, like backbone.layers=6; got {override!r}")
            _apply(tree, path, parse_value(text, f"--set {override}"))
        return Config.model_validate(tree)
    except ValidationError as error:
        raise UserError(f"configuration {source}: {explain(error)}") from error


def parse_value(text: str, source: str) -> Any:
    """A value on the command line, by the rules of configuration files.

    Example:
        >>> parse_value("1e-2", "--set training.lr=1e-2")
        0.01
    """
    return load_yaml(text, f"{source}: the value")


def shipped_configs() -> list[str]:
    """Names of the configurations that come with the package."""
    files = resources.files("ogeaug.configs").iterdir()
    return sorted(file.name[:-5] for file in files if file.name.endswith(".yaml"))


def dump_config(config: Config) -> str:
    """A configuration as YAML."""
    return dump_yaml(config.model_dump(mode="json"))


def _apply(tree: dict[str, Any], path: str, value: Any) -> None:
    node: Any = tree
    *parents, last = path.split(".")
    try:
        for key in parents:
            node = node[int(key)] if isinstance(node, list) else node.setdefault(key, {})
        node[int(last) if isinstance(node, list) else last] = value
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise UserError(f"there is no key {path} ({error})") from error
