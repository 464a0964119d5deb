"""What a model is made of, as checked data: the part of a configuration that its file keeps."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ogeaug.model.backbone_config import BackboneConfig
from ogeaug.model.limits import Depth, Fraction, Sizes, Width, check_limits
from ogeaug.presets import PresetName, find_preset
from ogeaug.strict import Strict
from ogeaug.task_names import TASK_FACTS, TaskFacts, TaskType

FeatureKind = Literal["molecule", "ogb", "zinc", "graph6", "own"]
Pooling = Literal["sum", "mean", "sum_mean"]


class FeaturesConfig(Strict):
    """What nodes and edges carry.

    Attributes:
        kind: ``molecule`` for SMILES, or ``ogb`` and ``zinc`` as benchmarks have it (see
            :mod:`ogeaug.data.features`); ``graph6`` for graph6 strings (no features), ``own`` for
            graphs that are given as PyG data.
        hydrogens: Whether hydrogens are nodes.
        ignore_stereo: Whether stereoisomers are to be the same molecule.
        node_sizes: Categories of each column of ``data.x``; edge_sizes likewise.
        node_channels: Width of a floating point ``data.x``; edge_channels likewise.
    """

    kind: FeatureKind = "molecule"
    hydrogens: bool = False
    ignore_stereo: bool = False
    node_sizes: Sizes = Field(default_factory=list)
    edge_sizes: Sizes = Field(default_factory=list)
    node_channels: Width | None = None
    edge_channels: Width | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.ignore_stereo and self.kind in ("graph6", "own"):
            raise ValueError(
                f"ignore_stereo (--ignore-stereo) is for SMILES; features of kind {self.kind} have "
                "no stereochemistry"
            )
        return self


class TaskConfig(Strict):
    """What is predicted.

    Attributes:
        type: ``regression``, ``classification`` (0 or 1, several targets), ``multiclass`` (one
            target), ``node_classification`` or ``link_ranking``.
        targets: Names of the target columns.
        num_classes: Of multiclass and node classification.
        units: Unit of each target, for tables and reports.
    """

    type: TaskType = "regression"
    targets: list[str] = Field(default_factory=list)
    num_classes: Annotated[int, Field(ge=2, le=100_000)] | None = None
    units: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(set(self.targets)) < len(self.targets):
            raise ValueError(f"each target is named once, got {self.targets}")
        needs = self.facts.classes == "given"
        if needs != (self.num_classes is not None):
            raise ValueError(
                f"num_classes (--num-classes) is {'needed' if needs else 'not used'} by task type "
                f"{self.type}"
            )
        if needs and self.facts.in_tables and len(self.targets) > 1:
            raise ValueError(f"{self.type} takes one target, got {self.targets}")
        unknown = set(self.units) - set(self.targets)
        if self.targets and unknown:
            raise ValueError(f"units of unknown targets {sorted(unknown)}")
        return self

    @property
    def facts(self) -> TaskFacts:
        """What is known of the task before torch is loaded."""
        return TASK_FACTS[self.type]

    @property
    def classes(self) -> int | None:
        """How many classes a label may be of; None if labels are numbers."""
        return self.num_classes if self.facts.classes == "given" else self.facts.classes

    @property
    def out_channels(self) -> int:
        return self.num_classes or max(1, len(self.targets))


class EncodingConfig(BaseModel):
    """An encoding by name; all other keys are options of its constructor.

    Attributes:
        name: Of the encoding.
        out_channels: Its width.
        preset: ``authors`` or ``ours``: options that are not given are those of
            :mod:`ogeaug.presets`, ``out_channels`` and ``inject`` among them. They are filled in at
            once, and what is written down has the options themselves: a model stays what it is
            when a preset is mended.
        features: Whether it starts from the embedded node features, as OGE-Aug's Algorithm 1 does;
            for encodings with an option ``in_channels``, which the model then fills in. ``all``:
            from the embedded edge features, too, by an option ``edge_channels``.
        standardize: Whether its output goes through a batch norm. Sums over neighbours are large in
            dense graphs, and would drown the embedded features beside them.
        inject: ``first``: it enters the input of the backbone; ``every``: a linear map of it is
            added before every later layer, too.
    """

    model_config = ConfigDict(extra="allow", frozen=True)
    name: str
    out_channels: Width
    preset: PresetName | None = Field(None, exclude=True)
    features: bool | Literal["all"] = False
    standardize: bool = False
    inject: Literal["first", "every"] = "first"

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, given: Any) -> Any:
        if not isinstance(given, dict) or given.get("preset") is None:
            return given
        preset = find_preset(str(given.get("name")), given["preset"])
        width = {} if preset.out_channels is None else {"out_channels": preset.out_channels}
        return width | {"inject": preset.inject} | dict(preset.options) | given

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_limits(f"encoding {self.name}: ", self.options)
        return self

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.model_extra or {})


class HeadConfig(Strict):
    """From nodes to predictions.

    Attributes:
        pooling: ``sum`` or ``mean`` over the nodes of a graph, or ``sum_mean``: half of the
            channels by the one, half by the other (graph tasks only).
        layers: Hidden layers.
        dropout: In them.
    """

    pooling: Pooling = "sum_mean"
    layers: Depth = 2
    dropout: Fraction = 0.0


class ModelConfig(Strict):
    """A whole model.

    Attributes:
        features, task, encodings, backbone, head: See there.
        combine: ``concat`` puts encodings beside the node (edge) embedding, which becomes that
            much narrower; ``add`` adds them, all at the backbone's width.
    """

    features: FeaturesConfig = FeaturesConfig()
    task: TaskConfig = TaskConfig()
    encodings: list[EncodingConfig] = Field(default_factory=list, max_length=100)
    combine: Literal["concat", "add"] = "concat"
    backbone: BackboneConfig = BackboneConfig()
    head: HeadConfig = HeadConfig()
